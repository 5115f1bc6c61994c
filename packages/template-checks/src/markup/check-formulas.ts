// Finds what browsers do not draw in the formulas of a file, because it is not in MathML Core: content MathML, which vanishes, and
// attributes and lengths that are ignored.
import { quoted } from "colophon-base/text";
import { hasMarks } from "colophon-liquid/marks";
import type { Report } from "../findings.ts";
import type { Attribute, MarkupTag } from "./read-markup.ts";

/**
 * Returns a function that checks the tags of a file, which it must be given in their order, and returns whether a tag is inside content
 * that no browser draws. `reportAt` takes a position in the file.
 */
export function formulaCheck(reportAt: Report): (tag: MarkupTag) => boolean {
  let place: "outside" | "formula" | "annotation" = "outside";
  /** Whether the formula was reported as content MathML. Its other elements would give as many messages. */
  let isContent = false;
  return (tag) => {
    const { name, kind, start } = tag;
    const isFormula = name === "math";
    if (isFormula) [place, isContent] = [kind === "start" ? "formula" : "outside", false];
    else if (place !== "outside" && /^annotation(-xml)?$/.test(name))
      place = kind === "start" ? "annotation" : "formula";
    if (place !== "formula" || kind === "end") return place === "annotation";
    if (contentElements.has(name) && !isContent) {
      isContent = true;
      const instead = "write presentation MathML, such as `<mrow>`, `<mfrac>` and `<mtable>`";
      reportAt(start, `${quoted(`<${name}>`)} is content MathML, which browsers do not draw; ${instead}`, "warning");
    }
    // A text may contain HTML and drawings.
    for (const attribute of presentationElements.test(name) ? tag.attributes : []) {
      const problem = hasMarks(attribute.value) ? null : attributeProblem(name, attribute);
      if (problem !== null) reportAt(attribute.start, problem, "warning");
    }
    return isContent;
  };
}

const words = (text: string) => text.trim().split(/\s+/);

const presentationElements =
  /^(math|m[ino]|ms|mtext|mspace|mrow|mfrac|msqrt|mroot|mstyle|merror|mpadded|mphantom|mfenced|menclose|maction|semantics|msub|msup|msubsup|munder|mover|munderover|mmultiscripts|mtable|mtr|mtd|mlabeledtr)$/;

/** The elements of content MathML that are not inside other elements of it. */
const contentElements = new Set(
  words(`apply bind ci cn csymbol cs cbytes cerror declare fn interval lambda list matrix piecewise reln set vector
    complexes emptyset eulergamma exponentiale false imaginaryi infinity integers naturalnumbers notanumber pi primes rationals
    reals true`),
);

function attributeProblem(tag: string, { name, value }: Attribute): string | null {
  const written = quoted(`${name}="${value}"`);
  const length = lengthNames.has(name) ? lengthProblem(value.trim().toLowerCase()) : null;
  if (length !== null) return `${written} ${length}`;
  if (name === "mathvariant" && drawnVariants(tag).has(value.trim().toLowerCase())) return null;
  const replacement = instead.get(name);
  return replacement !== undefined && !words(value.toLowerCase()).every((word) => drawnAnyway.test(word))
    ? `${quoted(name)} has no effect; write ${replacement}`
    : null;
}

/** Attributes that browsers do not support, and their replacements. */
const instead = new Map<string, string>([
  ["columnalign", "`text-align: left` or `-webkit-right` in CSS, for `mtd`"],
  ["rowalign", "`vertical-align` in CSS, for `mtd`"],
  ["frame", "`border` in CSS, for `mtable`"],
  ["columnlines", "`border` in CSS, for `mtd`"],
  ["rowlines", "`border` in CSS, for `mtd`"],
  ["columnspacing", "`padding` in CSS, for `mtd`"],
  ["rowspacing", "`padding` in CSS, for `mtd`"],
  ["columnwidth", "`width` in CSS, for `mtd`"],
  ["linebreak", "an `<mtable>` with one row per line"],
  ["mathvariant", "the character itself, such as 𝐱 or ℝ"],
  ["bevelled", "`<mrow>…<mo>/</mo>…</mrow>`"],
  ["href", "`<a>` around `<math>`"],
]);
/** Values that equal a browser's default, or nearly equal it. */
const drawnAnyway =
  /^(|none|center|baseline|axis|auto|false|inline|nobreak|goodbreak|badbreak|(0?\.\d+|1(\.\d*)?)e[mx])$/;

/** A single letter in `<mi>` is italic anyway. */
function drawnVariants(tag: string): ReadonlySet<string> {
  return new Set(tag === "mi" ? ["italic", "normal", ""] : ["normal", ""]);
}

const lengthNames = new Set(words("width height depth lspace rspace voffset minsize maxsize linethickness mathsize"));

/** Names of lengths in older versions of MathML. */
const lengths = new Map([
  ...["veryverythin", "verythin", "thin", "medium", "thick", "verythick", "veryverythick"].flatMap(
    (name, index): [string, string][] => {
      const em = `${((index + 1) / 18).toFixed(3)}em`;
      return [
        [`${name}mathspace`, em],
        [`negative${name}mathspace`, `-${em}`],
      ];
    },
  ),
  ["thin", "0.5px"],
  ["thick", "2px"],
  ["small", "80%"],
  ["big", "120%"],
]);

function lengthProblem(value: string): string | null {
  const length = lengths.get(value);
  if (length !== undefined) return `has no effect; write ${quoted(length)}`;
  const hasNoUnit = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) && Number(value) !== 0;
  return hasNoUnit ? `has no effect, because it has no unit; write it in ${quoted("em")}` : null;
}
