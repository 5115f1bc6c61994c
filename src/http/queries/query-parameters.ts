// Reads the parameters of a request's query. A parameter such as `metadata[key]` becomes a property of `metadata`, if the
// schema has an object of that name.
import type { z } from "zod";
import { isDate } from "colophon-base/calendar-day";
import { isDateTime } from "colophon-template-model/scalar-types";
import { validationError, type ErrorDetail } from "../../core/errors.ts";

export type Parameter = [name: string, value: string];
/** What a name in a request refers to. */
export type NameKind = "property" | "query parameter";

/** Property and parameter names from a request are truncated to this length in messages. */
const maxNameChars = 60;
/** The maximum number of unknown or repeated names that one response lists. */
const maxNames = 20;

/** Returns the query's parameters in order. Throws VALIDATION_ERROR if they are not percent-encoded UTF-8. */
export function parametersOf(url: string): Parameter[] {
  const { search, searchParams } = new URL(url);
  try {
    // Otherwise, invalid UTF-8 would become U+FFFD.
    decodeURIComponent(search);
  } catch {
    throw validationError([{ path: "", message: "The query string is not percent-encoded UTF-8." }]);
  }
  return [...searchParams];
}

/** Returns the parameters as an object for the schema. */
export function queryObject(parameters: Parameter[], schema: z.ZodObject): Record<string, unknown> {
  const plain: [string, unknown][] = [];
  const records = new Map<string, [string, string][]>();
  for (const [name, value] of parameters) {
    const [, record = "", key = ""] = /^(\w+)\[(.*)\]$/s.exec(name) ?? [];
    if (acceptsObject(schema, record)) records.set(record, [...(records.get(record) ?? []), [key, value]]);
    else plain.push([name, value]);
  }
  // If a plain value is given in addition to entries, it replaces them, so that the schema refuses it.
  return Object.fromEntries([...[...records].map(([name, entries]) => [name, Object.fromEntries(entries)]), ...plain]);
}

/** Returns a problem for each repeated parameter, because the service would have to guess which value is meant. */
export function repeatedParameters(parameters: Parameter[]): ErrorDetail[] {
  const byName = Map.groupBy(parameters, ([name]) => name);
  const repeated = [...byName].filter(([, { length }]) => length > 1);
  return repeated.slice(0, maxNames).map(([name, { length }]) => {
    const quoted = quotedName(name);
    return { path: quoted, message: `\`${quoted}\` is given ${length} times; give it once.` };
  });
}

type UnknownNames = { keys: string[]; path: PropertyKey[] };

/** Returns a problem for each unknown name at a path. The first message lists the allowed ones, from the schema of the object there. */
export function unknownNames({ keys, path }: UnknownNames, schema: z.ZodObject, kind: NameKind): ErrorDetail[] {
  const isKeyed = (name: string) => kind === "query parameter" && acceptsObject(schema, name);
  const allowed = Object.keys(schema.shape).map((name) => `\`${name}${isKeyed(name) ? "[key]" : ""}\``);
  const plural = kind === "property" ? "properties" : "parameters";
  const rule = allowed.length > 0 ? `the allowed ${plural} are ${allowed.join(", ")}` : "this request takes none";
  return keys.slice(0, maxNames).map((name, index) => {
    const quoted = [...path, quotedName(name)].join(".");
    return { path: quoted, message: `\`${quoted}\` is not a known ${kind}${index === 0 ? `; ${rule}` : ""}.` };
  });
}

function quotedName(name: string): string {
  return name.slice(0, maxNameChars).toWellFormed();
}

function acceptsObject({ shape }: z.ZodObject, name: string): boolean {
  return Object.hasOwn(shape, name) && shape[name]?.safeParse({}).success === true;
}

/**
 * Parses a date or an RFC 3339 time to ms since the epoch; returns null if it is neither. A date means midnight (UTC) at its start. A
 * time between two milliseconds is rounded up, because creation times are whole milliseconds.
 */
export function parseTime(text: string): number | null {
  if (isDate(text)) return Date.parse(`${text}T00:00:00Z`);
  // In a query, an unescaped `+` means a space.
  const time = text.replace(/ (?=\d\d:\d\d$)/, "+");
  const parts = /^(.{10}).(\d\d:\d\d):(\d\d)(?:\.(\d+))?(.+)$/.exec(time);
  if (!isDateTime(time) || !parts) return null;
  const [, date = "", minute = "", seconds = "", fraction = "", zone = ""] = parts;
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0")) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
  return Date.parse(`${date}T${minute}:00${zone.toUpperCase()}`) + Number(seconds) * 1000 + ms;
}
