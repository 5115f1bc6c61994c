// Draws a header or footer as an SVG picture, with the page's own styles and only the fonts that its text uses.
import { createElementNS, findAll } from "../dom.ts";

/** Returns the picture as a `data:` URI. `rules` are the rules of the page's own style sheets. */
export function marginPicture(host: HTMLElement, widthPx: number, heightPx: number, rules: CSSRule[]): string {
  const svgNamespace = "http://www.w3.org/2000/svg";
  const svg = createElementNS(svgNamespace, "svg");
  const style = createElementNS(svgNamespace, "style");
  const foreign = createElementNS(svgNamespace, "foreignObject");
  for (const box of [svg, foreign]) {
    box.setAttribute("width", String(widthPx));
    box.setAttribute("height", String(heightPx));
  }
  style.textContent = stylesFor(host, rules);
  const root = createElementNS("http://www.w3.org/1999/xhtml", "body");
  root.append(host.cloneNode(true));
  foreign.append(root);
  svg.append(style, foreign);
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
}

function stylesFor(host: HTMLElement, rules: CSSRule[]): string {
  const families = familiesIn(host);
  const characters = new Set(Array.from(host.textContent ?? "", (character) => character.codePointAt(0) ?? 0));
  const isNeeded = ({ style }: CSSFontFaceRule) =>
    families.has(style.getPropertyValue("font-family").replace(/["']/g, "")) &&
    covers(style.getPropertyValue("unicode-range"), characters);
  return rules
    .filter((rule) => !(rule instanceof CSSPageRule) && (!(rule instanceof CSSFontFaceRule) || isNeeded(rule)))
    .map((rule) => rule.cssText)
    .join("\n");
}

function familiesIn(host: HTMLElement): Set<string> {
  const families = new Set<string>();
  for (const element of [host, ...findAll(host, "*")]) {
    for (const family of getComputedStyle(element).fontFamily.split(",")) {
      families.add(family.trim().replace(/["']/g, ""));
    }
  }
  return families;
}

/** Whether a `unicode-range` covers any of the characters; an empty range covers all characters. */
function covers(ranges: string, characters: Set<number>): boolean {
  if (ranges === "") return true;
  return ranges.split(",").some((range) => {
    const [from = "", to = from] = range.trim().replace(/^U\+/i, "").split("-");
    const [low, high] = [parseInt(from.replaceAll("?", "0"), 16), parseInt(to.replaceAll("?", "F"), 16)];
    return [...characters].some((character) => character >= low && character <= high);
  });
}
