// Reads the texts that programs which read a document aloud say for elements.
import type { MarkKind } from "colophon-pdf-conformance/tag-marks";
import { attributeOf, childrenOf, findAll, textOf } from "./dom.ts";

const maxTextChars = 500;

/** By kind, the text of a marked element; see `MarkedElement`. */
export const markTexts: Partial<Record<MarkKind, (element: Element) => string>> = {
  link: linkText,
  figure: description,
  control: valueOf,
  list: numberingOf,
};

/** Returns the text by which the value that a control draws is read aloud. */
function valueOf(control: Element): string {
  const label = attributeOf(control, "aria-label") ?? attributeOf(control, "title") ?? "";
  const { value, max } = control as HTMLProgressElement;
  const drawn = control instanceof HTMLProgressElement ? `${Math.round((value / max) * 100)}%` : String(value);
  return `${label} ${textOf(control).trim() || drawn}`.trim().slice(0, maxTextChars).toWellFormed();
}

/** The names that PDF has for the markers of lists. */
const numberings: Record<string, string> = {
  disc: "Disc",
  decimal: "Decimal",
  circle: "Circle",
  square: "Square",
  "lower-roman": "LowerRoman",
  "upper-roman": "UpperRoman",
  "lower-alpha": "LowerAlpha",
  "lower-latin": "LowerAlpha",
  "upper-alpha": "UpperAlpha",
  "upper-latin": "UpperAlpha",
};

function numberingOf(list: Element): string {
  const { listStyleType, listStyleImage } = getComputedStyle(childrenOf(list)[0] ?? list);
  if (listStyleType === "none" && listStyleImage === "none") return "";
  return numberings[listStyleType] ?? "Other";
}

function description(picture: Element): string {
  const [title] = childrenOf(picture).filter((child) => child instanceof SVGTitleElement);
  const texts = ["aria-label", "alt", "alttext"].map((name) => attributeOf(picture, name));
  return (texts.find((text) => text !== null) ?? (title ? textOf(title) : "")).trim();
}

function linkText(link: Element): string {
  const pictures = findAll(link, "[alt], [aria-label]").map(
    (inner) => attributeOf(inner, "aria-label") ?? attributeOf(inner, "alt") ?? "",
  );
  const content = `${textOf(link)} ${pictures.join(" ")}`;
  const texts = [attributeOf(link, "aria-label"), content, attributeOf(link, "title")];
  const plain = texts.map((text) => (text ?? "").replace(/[\s\p{Cc}\u00ad]+/gu, " ").trim());
  return (plain.find((text) => text !== "") ?? "").slice(0, maxTextChars).toWellFormed();
}
