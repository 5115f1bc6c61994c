// The styles of numbers and dates in messages, as in `{amount, number, ::currency/EUR}` and `{due, date, long}`.
import { skeletonOptions } from "colophon-liquid/date-skeleton";

/** One token of a number skeleton: `currency/EUR` has the stem `currency` and one option. */
export type NumberToken = { stem: string; options: readonly string[] };

export const numberStyles = "`integer`, `percent`, or a skeleton of `::currency/EUR`, `.00` and `group-off`";
export const dateStyles = "`short`, `medium`, `long`, `full`, or a skeleton such as `::MMMM yyyy`";
export const timeStyles = "`short`, `medium`, `long`, `full`, or a skeleton such as `::jmm`";

const namedNumbers: Record<string, Intl.NumberFormatOptions> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: "percent", maximumFractionDigits: 0 },
};

/** Returns null if there is no such style. */
export function namedNumber(style: string): Intl.NumberFormatOptions | null {
  return Object.hasOwn(namedNumbers, style) ? (namedNumbers[style] ?? null) : null;
}

/** Returns null if a token has no meaning here. */
export function skeletonNumber(tokens: readonly NumberToken[]): Intl.NumberFormatOptions | null {
  const options: Intl.NumberFormatOptions = {};
  for (const token of tokens) {
    const found = tokenOptions(token);
    if (!found) return null;
    Object.assign(options, found);
  }
  return tokens.length > 0 ? options : null;
}

const maxDecimals = 20;

/** `.00` is two decimals, `.##` up to two, and `.0#` one or two. */
function tokenOptions({ stem, options: [option, ...more] }: NumberToken): Intl.NumberFormatOptions | null {
  if (more.length > 0) return null;
  if (stem === "currency") return option && isCurrency(option) ? { style: "currency", currency: option } : null;
  if (option !== undefined) return null;
  if (stem === "group-off") return { useGrouping: false };
  const [, zeros, signs] = /^\.(0*)(#*)$/.exec(stem) ?? [];
  if (zeros === undefined || signs === undefined || stem.length - 1 > maxDecimals) return null;
  return { minimumFractionDigits: zeros.length, maximumFractionDigits: zeros.length + signs.length };
}

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf("currency").includes(code);
}

const maxSkeletonChars = 100;

export function isDateSkeleton(skeleton: string): boolean {
  return skeleton.length <= maxSkeletonChars && !skeleton.includes("%") && skeletonOptions(skeleton) !== null;
}
