// Defines which JSON values each scalar type of a field accepts.
import { isDate } from "colophon-base/calendar-day";
import { isInlineImage } from "colophon-base/image-uri";
import { ExactDecimal, maxDecimalChars, parseDecimal } from "colophon-liquid/values";
import type { ScalarType } from "./template.ts";

/** `expected` completes the sentence "`price` must be ...". */
export const scalarTypeRules: Record<ScalarType, { expected: string; accepts: (value: unknown) => boolean }> = {
  string: { expected: "a string", accepts: isString },
  text: { expected: "a string", accepts: isString },
  number: { expected: "a number", accepts: Number.isFinite },
  integer: { expected: "a whole number", accepts: Number.isSafeInteger },
  decimal: {
    expected: `a decimal such as "19.00", of at most ${maxDecimalChars} characters`,
    accepts: (value) => decimalOf(value) !== null,
  },
  boolean: { expected: "true or false", accepts: (value) => typeof value === "boolean" },
  date: { expected: "a date in the form YYYY-MM-DD", accepts: (value) => isString(value) && isDate(value) },
  datetime: {
    expected: "an RFC 3339 date and time, e.g. 2026-11-21T09:30:00Z",
    accepts: (value) => isString(value) && isDateTime(value),
  },
  image: {
    expected: "a `data:` URI of an image (png, jpeg, webp, avif, gif or svg), or an `https` URL",
    accepts: (value) => isString(value) && isImageReference(value),
  },
};

/** Returns the digits of a decimal, or the shortest digits that represent a number; null if the value is neither. */
export function decimalOf(value: unknown): ExactDecimal | null {
  const written = typeof value === "number" ? parseDecimal(String(value)) : null;
  // JavaScript writes 0.0000001 with an exponent.
  if (written) return new ExactDecimal(written.coefficient, written.scale);
  return isString(value) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? parseDecimal(value) : null;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns whether the string is an RFC 3339 date and time. A leap second is allowed. */
export function isDateTime(value: string): boolean {
  const match =
    /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
      value,
    );
  return match?.[1] !== undefined && isDate(match[1]);
}

function isImageReference(value: string): boolean {
  return isInlineImage(value) || (/^https:\/\//i.test(value) && URL.canParse(value));
}
