// The codes, styles and time zones that the filters for money and dates accept as arguments.
import { skeletonOptions } from "../../../liquid/locale/date-skeleton.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { similarName } from "../../../similar-name.ts";

/** Returns what is wrong with the code of a currency, or null. */
export function currencyProblem(code: string): string | null {
  const codes = Intl.supportedValuesOf("currency");
  if (codes.includes(code.toUpperCase())) return null;
  const similar = similarName(code.toUpperCase(), codes);
  return `there is no currency ${quoted(code)}${similar ? `; did you mean ${quoted(similar)}?` : ", only ISO 4217 codes such as `EUR`"}`;
}

export function timeZoneProblem(zone: string): string | null {
  if (isTimeZone(zone)) return null;
  const similar = similarName(zone, Intl.supportedValuesOf("timeZone"));
  return `there is no time zone ${quoted(zone)}${similar ? `; did you mean ${quoted(similar)}?` : ", only IANA names such as `Europe/Paris`"}`;
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const styles = ["short", "medium", "long", "full"];

export function dateStyleProblem(style: string, filter: "date" | "time"): string | null {
  if (styles.includes(style) || (filter === "date" && skeletonOptions(style) !== null)) return null;
  const similar = similarName(style, styles);
  if (similar) return `there is no style ${quoted(style)}; did you mean ${quoted(similar)}?`;
  const all = styles.map(quoted).join(", ");
  const problem = `${quoted(style)} is not a style (${all})`;
  return filter === "date" ? `${problem}, a skeleton such as ${quoted("MMMM yyyy")} or a pattern such as ${quoted("%d.%m.%Y")}` : problem;
}

const directives = new Set("%AaBbhcDdeFHIjkLlMmPpRSsTuwXxYyZz");

/** Unknown directives are printed as they are. */
export function datePatternProblem(pattern: string): string | null {
  for (const [directive, letter = ""] of pattern.matchAll(/%[-^0_]*(.?)/gu)) {
    if (!directives.has(letter)) return `there is no ${quoted(directive)} in a date pattern`;
  }
  return null;
}
