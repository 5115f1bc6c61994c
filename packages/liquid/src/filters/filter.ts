// A filter is a function of an input and arguments, which charges for its work before doing it.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Meter } from "../meter.ts";
import { isNumber, wholeNumberIn } from "../values/numbers.ts";
import { detached, toHtml, toText } from "../values/text.ts";
import { isNil, Markup } from "../values/value.ts";

/** The properties of a render that its filters use. */
export type FilterScope = {
  /** The locale of numbers and dates; `Intl` has formats for it. */
  locale: string;
  /**
   * The document's language without a region, which decides about upper and lower case; `Intl` may have no formats for it.
   */
  language: string;
  timeZone: string;
  /** The time of `"now"` in ms since the epoch. It is fixed, so that a document's dates do not depend on the clock. */
  createdAt: number;
  /** Returns the placeholder that represents an asset until it is inlined; throws if the template has no such asset. */
  assetReference: (name: string) => string;
  /** Formatters are expensive to create, so they are cached per template version. */
  formatters: Map<string, Formatter>;
};

export type NumberFormatter = { format(number: number | Intl.StringNumericLiteral): string };
export type Formatter = Intl.Collator | NumberFormatter | Intl.DateTimeFormat | Intl.PluralRules;

/** One use of a filter in a render. */
export type FilterCall = {
  name: string;
  meter: Meter;
  scope: FilterScope;
  /** The named arguments. */
  options: Record<string, unknown>;
  /** The number of positional arguments, which distinguishes an absent argument from `nil`. */
  argumentCount: number;
};

export type Filter = {
  /** The minimum and maximum number of positional arguments. */
  arity: readonly [minimum: number, maximum: number];
  /** The allowed names of named arguments; `"any"` allows every name. */
  options?: readonly string[] | "any";
  apply(call: FilterCall, input: unknown, ...args: unknown[]): unknown;
};

/** A filter without named arguments. */
export function filter(arity: Filter["arity"], apply: Filter["apply"]): Filter {
  return { arity, apply };
}

type TextFilterOptions = {
  arity?: readonly [minimum: number, maximum: number];
  /** The work per call, in addition to the work per character. */
  unitsPerCall?: number;
  /** The work per character of the input and the arguments. */
  unitsPerChar?: number;
  /** The maximum length of the result, if it can be longer than the input. It must be cheap to compute. */
  maxLength?: (call: FilterCall, text: string, args: string[]) => number;
};

/**
 * A filter that takes and returns text. Absent arguments are empty strings. If the input or an argument is markup, the
 * result is also markup, and all other parts are escaped first.
 */
export function textFilter(
  transform: (text: string, args: string[], call: FilterCall) => string,
  { arity = [0, 0], unitsPerCall = 0, unitsPerChar = costs.convertedChar, maxLength }: TextFilterOptions = {},
): Filter {
  return filter(arity, (call, input, ...given) => {
    const { meter } = call;
    const isMarkup = [input, ...given].some((value) => value instanceof Markup);
    const texts = [input, ...given].map((value) => (isMarkup ? toHtml(meter, value) : toText(meter, value)));
    const [text = "", ...args] = texts;
    meter.charge(unitsPerCall);
    meter.chargeChars(
      texts.reduce((sum, { length }) => sum + length, 0),
      unitsPerChar,
    );
    const length = maxLength ? maxLength(call, text, args) : text.length;
    meter.allocateText(length);
    meter.charge(length * costs.copiedChar);
    const result = transform(text, args, call);
    if (result.length > length) meter.allocateText(result.length);
    const own = detached(result, text);
    return isMarkup ? new Markup(own) : own;
  });
}

/** Returns the argument as a whole number, or `otherwise` if it is absent; throws if it is not a whole number. */
export function wholeArgument(call: FilterCall, value: unknown, what: string, otherwise: number): number {
  if (isNil(value)) return otherwise;
  const number = wholeNumberIn(value);
  if (number === null) throw new LiquidError(`${what} of \`${call.name}\` must be a whole number`);
  return number;
}

/** Returns whether a value can be printed as text. Lists and objects cannot. */
export function isPrintable(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || isNumber(value) || value instanceof Markup;
}
