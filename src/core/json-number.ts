// Compares the text of a JSON number with the double-precision number that it becomes.

/**
 * What a number loses when it is parsed. `rounded`: digits after the decimal point. `changed`: digits of a number of 2^53
 * or more, for example the last ones of a long integer. `too_large`: it would become infinite. `too_small`: it would
 * become zero.
 */
export type NumberLoss = "rounded" | "changed" | "too_large" | "too_small";

/** Double precision keeps all digits of a decimal number that has at most this many, unless it is extremely small. */
const preservedDigits = 15;
const extremelySmall = 1e-300;
/** The maximum number of digits that `toPrecision` can write. */
const maxPrecision = 100;

/** Returns null if the number keeps its digits. `text` must be a valid JSON number. */
export function numberLoss(text: string): NumberLoss | null {
  const value = Number(text);
  if (!Number.isFinite(value)) return "too_large";
  if (text.length <= preservedDigits && Math.abs(value) > extremelySmall) return null;
  if (String(value) === text) return null;
  if (value === 0) return /^[-0.]*[1-9]/.test(text) ? "too_small" : null;
  const digits = significantDigits(text);
  if (significantDigits(String(value)) === digits) return null;
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return "changed";
  return isWrittenInFull(value, digits) ? null : "rounded";
}

/**
 * True if the digits agree with the double-precision number to the last one. Some programs write more digits than the
 * number needs, e.g. 0.10000000000000001 for 0.1.
 */
function isWrittenInFull(value: number, digits: string): boolean {
  return digits.length <= maxPrecision && significantDigits(value.toPrecision(digits.length)) === digits;
}

/** Returns the digits without the zeros at both ends: `-0.00120e5` has the significant digits `12`. */
function significantDigits(text: string): string {
  const exponentAt = text.search(/e/i);
  const digits = (exponentAt < 0 ? text : text.slice(0, exponentAt)).replaceAll(/[-.]/g, "");
  let start = 0;
  let end = digits.length;
  while (digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return digits.slice(start, end);
}
