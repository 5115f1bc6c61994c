// Validates requests: zod finds the problems, and the functions here convert them to API errors.
import { zValidator } from "@hono/zod-validator";
import { z } from "zod";
import { missingDay } from "colophon-base/calendar-day";
import { manifestMessage, typeWords as manifestTypeWords } from "colophon-template-model/manifest-messages";
import { isPlainObject } from "colophon-template-model/template-data";
import { validationError, type ErrorDetail } from "../core/errors.ts";
import { parseCursor } from "../core/pagination.ts";
import {
  parametersOf,
  parseTime,
  queryObject,
  repeatedParameters,
  unknownNames,
  type NameKind,
  type Parameter,
} from "./queries/query-parameters.ts";

/** Returns the validated value. Throws VALIDATION_ERROR with all problems. */
export function validated<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  const checked = problemsOf(schema, value);
  if (checked.status === "invalid") throw validationError(checked.problems);
  return checked.value;
}

/** Returns the validated value, or all problems. */
export function problemsOf<S extends z.ZodObject>(
  schema: S,
  value: unknown,
): { status: "valid"; value: z.output<S> } | { status: "invalid"; problems: ErrorDetail[] } {
  const result = schema.safeParse(withoutLongArrays(schema, value), { error: plainMessage });
  if (result.success) return { status: "valid", value: result.data };
  return { status: "invalid", problems: detailsOf(result.error, schema, "property") };
}

/** Zod reads every entry of an array before it counts them, so an array is cut off after the first entry beyond the limit. */
function withoutLongArrays(schema: z.ZodObject, value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => {
    const property = unwrapped(schema.shape[name]);
    const max = property instanceof z.ZodArray ? Number(property._zod.bag["maximum"] ?? Infinity) : Infinity;
    return [name, Array.isArray(each) ? each.slice(0, max + 1) : each];
  });
  return Object.fromEntries(entries);
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;
}

/** Validates the query. Throws VALIDATION_ERROR with all problems, including unknown and repeated parameters. */
export function validQuery<S extends z.ZodObject>(schema: S) {
  const validator = (parameters: Parameter[]) => {
    // Hono's own parsing of the query drops parameters without a name and accepts invalid UTF-8.
    const query: z.ZodType<z.output<S>> = z.preprocess(() => queryObject(parameters, schema), schema);
    return zValidator(
      "query",
      query,
      (result) => {
        const details = result.success ? [] : detailsOf(result.error, schema, "query parameter");
        const problems = withoutRepeatedPaths([...repeatedParameters(parameters), ...details]);
        if (problems.length > 0) throw validationError(problems);
      },
      { validationFunction: (each, value) => each.safeParse(value, { error: plainMessage }) },
    );
  };
  const handler: ReturnType<typeof validator> = (context, next) =>
    validator(parametersOf(context.req.url))(context, next);
  return handler;
}

/** The query of an operation that takes no parameters. */
export const noParameters = z.strictObject({});

/** The query parameters of every list. `offset` has no maximum, because a page beyond the end is simply empty. */
export const pageQuery = {
  limit: wholeNumberText("`limit` must be a whole number from 1 to 100.", 1, 100)
    .default(20)
    .meta({ description: "The number of items to return." }),
  /** 0 if it is missing. There is no default here, because it cannot be given together with `cursor`. */
  offset: wholeNumberText("`offset` must be a whole number, 0 or more.", 0, Number.MAX_SAFE_INTEGER)
    .meta({
      description: "The number of items to skip. The default is 0. Not allowed with `cursor`.",
    })
    .optional(),
  cursor: z
    .string()
    .transform(
      (text, { addIssue }) => parseCursor(text) ?? (addIssue("`cursor` must be the `nextCursor` of a list."), z.NEVER),
    )
    .meta({
      description:
        "The `nextCursor` of the previous page. Paging with cursors neither misses nor repeats items while others are created and deleted. Not allowed with `offset`.",
      type: "string",
    })
    .optional(),
};

type Rule = [holds: (query: { cursor?: unknown; offset?: unknown }) => boolean, { path: string[]; error: string }];
/** The arguments of `refine` for each schema with the parameters of `pageQuery`. */
export const oneStart: Rule = [
  ({ cursor, offset }) => cursor === undefined || offset === undefined,
  { path: ["cursor"], error: "`cursor` and `offset` cannot be given together." },
];

export const listQuery = z.strictObject(pageQuery).refine(...oneStart);

/** Returns the schema of a set of names: an array that contains each name at most once. */
export function setOf<const T extends readonly [string, ...string[]]>(names: T, name: string, error: string) {
  return z
    .array(z.enum(names, error), error)
    .min(1, error)
    .max(names.length, `\`${name}\` can have at most ${names.length} entries, each once.`)
    .refine((set) => new Set(set).size === set.length, `\`${name}\` must not contain an entry twice.`)
    .meta({ uniqueItems: true });
}

export function timeText(name: string) {
  return z.string().transform((text, { addIssue }) => {
    const time = parseTime(text);
    if (time !== null) return time;
    const day = missingDay(text);
    if (day !== null) addIssue(`\`${name}\` is ${day}, a day that does not exist.`);
    else addIssue(`\`${name}\` must be a date, or an RFC 3339 time with its zone, e.g. 2026-11-21T09:30:00Z.`);
    return z.NEVER;
  });
}

function wholeNumberText(error: string, min: number, max: number) {
  return z
    .string({ error })
    .regex(/^\d{1,100}$/, { error })
    .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
    .pipe(wholeNumber(error, min, max));
}

/** Every other value is refused with `error`. */
export function wholeNumber(error: string, min: number, max: number) {
  return z.int({ error }).min(min, { error }).max(max, { error });
}

const typeWords: Record<string, string> = { ...manifestTypeWords, array: "an array", record: "an object" };

/** The message for a value whose schema has none. */
function plainMessage(issue: z.core.$ZodRawIssue): string {
  const name = `\`${issue.path?.join(".") ?? ""}\``;
  if (issue.code === "invalid_type") return `${name} must be ${typeWords[issue.expected] ?? issue.expected}.`;
  if (issue.code === "invalid_value") return `${name} ${manifestMessage(issue)}.`;
  if (issue.code !== "too_small" && issue.code !== "too_big") return `${name} is not valid.`;
  const limit = issue.code === "too_small" ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  if (issue.origin === "string") return `${name} must have ${limit} characters.`;
  return issue.origin === "array" ? `${name} must have ${limit} entries.` : `${name} must be ${limit}.`;
}

const maxDetails = 20;

/** Converts zod's issues to error details: the first issue of each path, up to a maximum. */
function detailsOf(error: z.core.$ZodError, schema: z.ZodObject, kind: NameKind): ErrorDetail[] {
  return withoutRepeatedPaths(
    error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? unknownNames(issue, objectAt(schema, issue.path), kind)
        : [{ path: issue.path.join("."), message: issue.message }],
    ),
  );
}

/** Returns the schema of the object at a path of the value. */
function objectAt(schema: z.ZodObject, path: PropertyKey[]): z.ZodObject {
  return path.reduce((parent, name) => {
    const property = unwrapped(parent.shape[String(name)]);
    const child = property instanceof z.ZodArray ? property.element : property;
    return child instanceof z.ZodObject ? child : parent;
  }, schema);
}

function withoutRepeatedPaths(details: ErrorDetail[]): ErrorDetail[] {
  const first = new Map<string, ErrorDetail>();
  for (const detail of details) if (!first.has(detail.path)) first.set(detail.path, detail);
  return [...first.values()].slice(0, maxDetails);
}
