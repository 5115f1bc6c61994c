// Checks the `data` of a request against a template's fields. Every problem is found in one pass, so that a caller
// mends them all at once. Field order decides the order of the messages.
import type { ErrorDetail } from "../errors.ts";
import type { Field, ScalarType } from "./template.ts";

export type DataCheck = {
  /** `data` with defaults filled in; what the templates see. */
  data: Record<string, unknown>;
  missing: ErrorDetail[];
  mistyped: ErrorDetail[];
  /** Problems beyond the first hundred of each kind; they are counted, not named. */
  unnamed: number;
  warnings: string[];
};

/** A check under way. */
type Check = Omit<DataCheck, "data"> & { imageOrigins: ReadonlySet<string> };

const maxProblemsNamed = 100;

/** Deeper data is refused: Liquid and structured clones both recurse. */
export const maxDataDepth = 64;
const maxUnknownKeysNamed = 20;

/** `imageOrigins`: where images may come from besides `https` URLs. */
export function checkData(
  fields: Field[],
  data: Record<string, unknown>,
  imageOrigins: ReadonlySet<string> = new Set(),
): DataCheck {
  const check: Check = { missing: [], mistyped: [], unnamed: 0, warnings: [], imageOrigins };
  const checked = checkObject(check, fields, data, "");
  const { imageOrigins: _, ...found } = check;
  return { data: checked, ...found };
}

/** Whether a JSON value nests objects and arrays deeper than `limit`; iterative, so that depth itself cannot hurt. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkObject(
  check: Check,
  fields: Field[],
  data: Record<string, unknown>,
  prefix: string,
): Record<string, unknown> {
  const checked: Record<string, unknown> = Object.create(null);
  for (const field of fields) {
    const value = Object.hasOwn(data, field.key) ? data[field.key] : undefined;
    const path = prefix + field.key;
    if (value !== undefined && value !== null) checked[field.key] = checkValue(check, field, value, path);
    else if (field.default !== undefined) checked[field.key] = checkValue(check, field, field.default, path);
    else if (field.required) note(check, "missing", path, `\`${path}\` is required.`);
  }
  const known = new Set(fields.map(({ key }) => key));
  for (const key of Object.keys(data)) {
    if (known.has(key)) continue;
    if (check.warnings.length < maxUnknownKeysNamed) {
      check.warnings.push(`\`${prefix}${shortened(key)}\` is no field of the template and was not used.`);
    }
  }
  return checked;
}

function checkValue(check: Check, field: Field, value: unknown, path: string): unknown {
  if (field.type === "object") {
    if (isPlainObject(value)) return checkObject(check, field.fields ?? [], value, `${path}.`);
    return mistyped(check, path, "an object", value);
  }
  if (field.type !== "list") return checkScalar(check, field.type, value, path);
  if (!Array.isArray(value)) return mistyped(check, path, "a list", value);
  return value.map((item: unknown, index) => {
    const itemPath = `${path}.${index}`;
    if (field.items) return checkScalar(check, field.items, item, itemPath);
    if (isPlainObject(item)) return checkObject(check, field.fields ?? [], item, `${itemPath}.`);
    return mistyped(check, itemPath, "an object", item);
  });
}

function checkScalar(check: Check, type: ScalarType, value: unknown, path: string): unknown {
  const scalar = scalars[type];
  const isExcepted = type === "image" && isString(value) && check.imageOrigins.has(originOf(value));
  return scalar.accepts(value) || isExcepted ? value : mistyped(check, path, scalar.expected, value);
}

/** What each scalar type takes, in JSON's terms. */
const scalars: Record<ScalarType, { expected: string; accepts: (value: unknown) => boolean }> = {
  string: { expected: "a string", accepts: isString },
  text: { expected: "a string", accepts: isString },
  number: { expected: "a number", accepts: Number.isFinite },
  integer: { expected: "a whole number", accepts: Number.isSafeInteger },
  boolean: { expected: "true or false", accepts: (value) => typeof value === "boolean" },
  date: { expected: "a date, YYYY-MM-DD", accepts: (value) => isString(value) && isDate(value) },
  datetime: {
    expected: "a date and time as in RFC 3339, e.g. 2026-11-21T09:30:00Z",
    accepts: (value) => isString(value) && isDateTime(value),
  },
  image: {
    expected: "a `data:` URI of an image (png, jpeg, webp, gif or svg), or an `https` URL",
    accepts: (value) => isString(value) && isImageReference(value),
  },
};

function mistyped(check: Check, path: string, expected: string, value: unknown): undefined {
  note(check, "mistyped", path, `\`${path}\` must be ${expected}, got ${kindOf(value)}.`);
}

function note(check: Check, kind: "missing" | "mistyped", path: string, message: string): void {
  if (check[kind].length < maxProblemsNamed) check[kind].push({ path: `data.${path}`, message });
  else check.unnamed++;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isDateTime(value: string): boolean {
  const match =
    /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
      value,
    );
  return match?.[1] !== undefined && isDate(match[1]);
}

function originOf(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : "";
}

function isImageReference(value: string): boolean {
  return (
    /^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/i.test(value) || (/^https:\/\//i.test(value) && URL.canParse(value))
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return `the string ${JSON.stringify(shortened(value))}`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return "an object";
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
