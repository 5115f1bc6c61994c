// Finds elements and attributes that have no effect in a document, because it is static and loads nothing.
import { quoted } from "colophon-base/quoted";
import { textBeforeMarks } from "colophon-liquid/marks";
import { similarName } from "colophon-base/similar-name";
import { valueAttribute } from "colophon-page/prepared-page";
import { isValueName } from "colophon-template-model/page-value-names";
import type { Report } from "../finding.ts";
import { htmlElements } from "./html-names.ts";
import type { Attribute, MarkupTag } from "./markup-tags.ts";
import { isDynamic } from "./markup-text.ts";

type ElementInput = { report: Report; lineOf: (index: number) => number };

export function checkElement(tag: MarkupTag, { report, lineOf }: ElementInput): void {
  if (tag.kind === "end" || isDynamic(tag.name)) return;
  const warn = (index: number, message: string) => report(lineOf(index), message, "warning");
  const problem = uselessElement(tag) ?? unknownElement(tag);
  if (problem !== null) warn(tag.start, problem);
  for (const attribute of tag.attributes) {
    const wrong = attributeProblem(tag, attribute);
    if (wrong !== null) warn(attribute.start, wrong);
  }
}

function uselessElement({ name, attributes }: MarkupTag): string | null {
  const reason = useless.get(name);
  if (reason !== undefined) return `${quoted(`<${name}>`)} ${reason}`;
  const isRefresh =
    name === "meta" &&
    attributes.some((each) => each.name === "http-equiv" && each.value.trim().toLowerCase() === "refresh");
  return isRefresh ? `${quoted('<meta http-equiv="refresh">')} is removed, because documents are static` : null;
}

const reasons: [reason: string, names: string][] = [
  ["never runs, because scripts do not run in documents", "script"],
  ["stays empty, because documents cannot contain frames", "iframe frame frameset"],
  ["stays empty, because scripts do not run in documents; draw with SVG", "canvas"],
  ["has no effect, because a document cannot be filled in or sent", "form"],
  ["has no effect, because documents load nothing; put styles into style.css, and fonts into assets/", "base link"],
  ["shows nothing, because documents load nothing", "object embed applet video audio"],
  ["shows nothing, because documents have neither scripts nor shadow roots (`shadowrootmode`)", "template"],
  ["does not move, because documents are static", "marquee animate animatemotion animatetransform set discard"],
  ["loses its brackets and separators; write `<mrow><mo>(</mo>…<mo>,</mo>…<mo>)</mo></mrow>`", "mfenced"],
  ["loses its lines; write `<mrow>` with `border` or `text-decoration` in CSS", "menclose"],
  ["loses its lines and its columns; write `<mtable>` with `border` in CSS", "mstack mlongdiv"],
  ["shows nothing; write the character itself", "mglyph"],
  ["loses its quotation marks; write `<mtext>` with them", "ms"],
];
const useless = new Map(
  reasons.flatMap(([reason, names]) => names.split(" ").map((name): [string, string] => [name, reason])),
);

/** Attributes of MathML that browsers do not support, and what to write instead. */
const uselessInMath = new Map([
  ["columnalign", "`text-align: left` or `-webkit-right` in CSS, for `mtd`"],
  ["rowalign", "`vertical-align` in CSS, for `mtd`"],
  ["frame", "`border` in CSS, for `mtable`"],
  ["columnlines", "`border` in CSS, for `mtd`"],
  ["rowlines", "`border` in CSS, for `mtd`"],
  ["linebreak", "a row of an `<mtable>` for each line"],
  ["mathvariant", "the character itself, such as 𝐱 or ℝ"],
]);
/** Values that say what a browser does anyway. */
const drawnAnyway = new Set([
  "",
  ..."none center baseline axis auto nobreak goodbreak badbreak normal italic".split(" "),
]);

/** Custom elements have a hyphen in their names. They are shown like a `span`. */
function unknownElement({ name, isForeign }: MarkupTag): string | null {
  if (isForeign || name.includes("-") || htmlElements.has(name)) return null;
  const similar = similarName(name, htmlElements);
  return `there is no element ${quoted(`<${name}>`)}${similar ? `; did you mean ${quoted(`<${similar}>`)}?` : " in HTML"}`;
}

function attributeProblem(tag: MarkupTag, { name, value }: Attribute): string | null {
  if (/^on[a-z]+$/.test(name)) return `${quoted(name)} never runs, because scripts do not run in documents`;
  const valueName = name.startsWith(valueAttribute) ? name.slice(valueAttribute.length) : null;
  if (valueName !== null && !isDynamic(valueName) && !isValueName(valueName))
    return `${quoted(name)} sets no value; its name after ${quoted(valueAttribute)} needs a letter, then letters, digits and ${quoted("_")}`;
  if ((tag.name === "a" || tag.name === "area") && (name === "href" || name === "xlink:href"))
    return linkProblem(value.trim());
  const instead = tag.isForeign && !isDynamic(value) ? uselessInMath.get(name) : undefined;
  return instead && !value.split(/\s+/).every((word) => drawnAnyway.has(word))
    ? `${quoted(name)} has no effect; write ${instead}`
    : null;
}

/** Links keep `http`, `https`, `mailto`, `tel` and places in the document. */
function linkProblem(target: string): string | null {
  if (target === "" || target.startsWith("#") || isDynamic(target.slice(0, 1))) return null;
  if (/^(https?:|mailto:|tel:)/i.test(target)) return null;
  const start = textBeforeMarks(target);
  const isHost = /^(www\.|[\w-]+(\.[\w-]+)*\.(com|org|net|eu|de|io)\b)/i.test(start);
  const instead = isHost
    ? `; write ${quoted(`https://${start}`)}`
    : "; a link needs `https:`, `mailto:`, `tel:` or `#`";
  return `the link to ${quoted(start)} is removed, because it leads nowhere from a file${instead}`;
}
