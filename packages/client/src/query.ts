// Builds the paths of requests from callers' values.

export type QueryValue = string | number | Date | Record<string, string> | null | undefined;

/** Returns the query with its question mark, or an empty string without parameters. */
export function queryString(parameters: Record<string, QueryValue>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => pairsOf(name, value));
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : "";
}

function pairsOf(name: string, value: QueryValue): [string, string][] {
  if (value === undefined || value === null) return [];
  if (value instanceof Date) return [[name, isoTime(name, value)]];
  if (typeof value !== "object") return [[name, String(value)]];
  return Object.entries(value).map(([key, text]) => [`${name}[${key}]`, text]);
}

function isoTime(name: string, date: Date): string {
  if (Number.isNaN(date.getTime())) throw new TypeError(`\`${name}\` is not a valid date.`);
  return date.toISOString();
}

/**
 * Returns the id for use in a path. Throws for a value that cannot be an id, because it might lead to a different path.
 */
export function pathId(id: string): string {
  if (typeof id === "string" && /^[\w-]+$/.test(id)) return id;
  throw new TypeError("An id must be a UUID, such as 9c009b16-54fb-4998-b6b1-dcbe21f51998.");
}

/** Returns an arbitrary string for use in a path. A URL cannot have `.` and `..` as path segments. */
export function pathPart(name: string, value: unknown): string {
  const text = String(value ?? "");
  if (["", ".", ".."].includes(text)) throw new TypeError(`\`${name}\` cannot be ${JSON.stringify(text)}.`);
  return encodeURIComponent(text);
}
