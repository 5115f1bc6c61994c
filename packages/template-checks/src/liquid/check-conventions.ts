// Finds arguments in the conventions of other programs, such as `number: "0.00"` and `date: "dd.MM.yyyy"`. The filters take them, and
// print something else.
import type { FilterUse } from "colophon-liquid/syntax";
import { quoted } from "colophon-base/quoted";
import type { ValueType } from "./value-type.ts";

type Problem = { message: string; severity: "error" | "warning" };

/** `printed` is what the filter makes of a date. */
export function conventionProblem({ name, positional }: FilterUse, input: ValueType, printed: unknown): Problem | null {
  const [first, second] = positional.map((each) => (each.kind === "literal" ? each.value : undefined));
  const problemOf = (message: string | null, severity: Problem["severity"]) =>
    message === null ? null : { message, severity };
  if (name === "date")
    return problemOf(directiveProblem(first, printed), "error") ?? problemOf(skeletonProblem(first), "warning");
  if (!["number", "percent", "currency"].includes(name)) return null;
  const code = name === "currency" ? codeProblem(first) : null;
  const decimals = decimalsProblem(name, name === "currency" ? second : first);
  return problemOf(decimals ?? code, "error") ?? textProblem(name, input);
}

function decimalsProblem(name: string, decimals: unknown): string | null {
  if (typeof decimals !== "string" || /^\d+$/.test(decimals)) return null;
  const [, zeros, digits] = /[.,]([0#]+)\D*$|(\d)\D*$/.exec(decimals) ?? [];
  const meant = zeros === undefined || decimals.startsWith("%") ? Number(digits ?? 0) : zeros.length;
  const written = name === "currency" ? 'currency: "EUR", ' : `${name}: `;
  return `${quoted(JSON.stringify(decimals))} is not a number of decimals; write ${quoted(`${written}${meant}`)}`;
}

function codeProblem(code: unknown): string | null {
  if (typeof code !== "string" || !/^[A-Za-z]{3}$/.test(code)) return null;
  if (Intl.supportedValuesOf("currency").includes(code.toUpperCase())) return null;
  return `there is no currency ${quoted(code)}; write an ISO 4217 code such as ${quoted("EUR")}`;
}

function textProblem(name: string, input: ValueType): Problem | null {
  if (input.kind !== "string") return null;
  const { known } = input;
  const isNumber = known?.isWhole === true && /^\s*-?(\d+\.?\d*|\.\d+)\s*$/.test(known.text);
  if (isNumber) return null;
  const message = `${quoted(name)} prints text that is not a number as it is; make it a number in template.json or with a filter such as ${quoted("times: 1")}`;
  return { message, severity: known?.isWhole ? "error" : "warning" };
}

/** An unknown directive is printed as it is, and so are the letters of other conventions beside directives. */
function directiveProblem(pattern: unknown, printed: unknown): string | null {
  if (typeof pattern !== "string" || !pattern.includes("%")) return null;
  const [unknown] = pattern.includes("%%") ? [] : (/%[-^0_]*[A-Za-z]/.exec(String(printed)) ?? []);
  if (unknown !== undefined) return `there is no directive ${quoted(unknown)} for dates, so it is printed as it is`;
  const [mixed] = /([yY]{4}|MM|[dD]{2}|HH|hh|mm|ss)/.exec(pattern.replace(/%[-^0_]*[A-Za-z%]/g, " ")) ?? [];
  if (mixed === undefined) return null;
  return `${quoted(mixed)} is printed as it is beside directives; write ${quoted(directiveOf(mixed) ?? "%Y-%m-%d")}`;
}

/** The language decides on the order and the punctuation of a skeleton, so punctuation in one was meant as a pattern. */
function skeletonProblem(style: unknown): string | null {
  if (typeof style !== "string" || style.includes("%") || !/[a-zA-Z]['./:,\\-]|['./:,\\-][a-zA-Z]/.test(style))
    return null;
  const pattern = style.replace(/([A-Za-z])\1*/g, (run) => directiveOf(run) ?? run);
  const letters = style.replace(/[^A-Za-z]+/g, "").replaceAll("D", "d");
  const ways = `write ${quoted(pattern)} for exactly this, or ${quoted(letters.replaceAll("Y", "y"))}`;
  return `the language decides on the order and the punctuation of ${quoted(style)}; ${ways}`;
}

const directives: Record<string, string> = {
  ...{ yyyy: "%Y", y: "%Y", yy: "%y", MMMM: "%B", LLLL: "%B", MMM: "%b", MM: "%m", M: "%-m", dd: "%d", d: "%-d" },
  ...{ EEEE: "%A", EEE: "%a", E: "%a", HH: "%H", H: "%-H", hh: "%I", h: "%-I", mm: "%M", ss: "%S", a: "%p" },
  ...{ YYYY: "%Y", DD: "%d" },
};

function directiveOf(run: string): string | null {
  return Object.hasOwn(directives, run) ? (directives[run] ?? null) : null;
}
