// Reads the text of headings as it is printed.
import {
  attributeOf,
  boxOf,
  createRange,
  descendantsOf,
  displayOf,
  findAll,
  hasBoxes,
  isInside,
  parentOf,
} from "./dom.ts";
import { generatedContent } from "./generated-content.ts";

/** Returns the printed texts of the headings, in the same order, for the outline: in their case, with numbers, without hidden parts. */
export function printedTexts(headings: readonly Element[]): string[] {
  const inside = headings.flatMap((heading) => [heading, ...findAll(heading, "*")]);
  const generated = generatedContent(inside.filter((element) => !/^(rt|rp|br)$/i.test(element.tagName)));
  const isCut = cutElements();
  return headings.map((heading) => {
    const ends: { element: Element; text: string }[] = [];
    let text = "";
    const close = (node: Node | null) => {
      while (ends.length > 0 && !isInside(ends.at(-1)?.element, node)) text += ends.pop()?.text ?? "";
    };
    const open = (element: Element) => {
      if (isCut(element)) return;
      text += cased(generated(element, "::before"), element, "::before");
      ends.push({ element, text: cased(generated(element, "::after"), element, "::after") });
    };
    open(heading);
    for (const { node, space } of textNodes(heading)) {
      close(node);
      if (node instanceof Element) open(node);
      const parent = parentOf(node);
      if (space) text += " ";
      if (node instanceof Text && parent && !isCut(parent) && isVisible(parent) && hasBoxes(node) && isOnPage(node))
        text += cased(node.data, parent);
    }
    close(null);
    return text.replaceAll("\u00ad", "");
  });
}

/** Returns the printed part of the heading's text as the markup has it, for the section that the heading begins. */
export function writtenText(heading: Element): string {
  return Array.from(
    textNodes(heading),
    ({ node, space }) => (space ? " " : "") + (node instanceof Text && hasBoxes(node) ? node.data : ""),
  ).join("");
}

/** Yields the elements and texts in the heading. A space belongs before a text in a different block, and in place of a line break. */
function* textNodes(heading: Element): Generator<{ node: Node; space: boolean }> {
  let block = heading;
  for (const node of descendantsOf(heading)) {
    const isText = node instanceof Text && hasBoxes(node);
    const next = isText ? blockOf(node, heading) : block;
    yield {
      node,
      space: isText
        ? next !== block
        : node instanceof HTMLBRElement || (node instanceof Text && node.data.trim() === ""),
    };
    block = next;
  }
}

/** Returns the element whose lines contain the text. */
function blockOf(node: Text, heading: Element): Element {
  let element = parentOf(node);
  while (element && element !== heading && /^(inline|contents|ruby)/.test(displayOf(element))) {
    element = parentOf(element);
  }
  return element ?? heading;
}

/** Returns a function that returns whether an element is completely invisible. It caches the results for enclosing elements. */
function cutElements(): (element: Element) => boolean {
  const known = new Map<Element, boolean>();
  return function isCut(element): boolean {
    const around = parentOf(element);
    const cut = known.get(element) ?? ((around !== null && isCut(around)) || cutsAll(element));
    known.set(element, cut);
    return cut;
  };
}

function isVisible(element: Element): boolean {
  return getComputedStyle(element).visibility === "visible";
}

/** Whether the element and everything in it is invisible, as with styles for screen readers only, or is the reading aid of ruby. */
function cutsAll(element: Element): boolean {
  const { opacity, overflowX, clip, clipPath, display, position } = getComputedStyle(element);
  if (/^(rt|rp)$/i.test(element.tagName) || opacity === "0" || /^inset\((?:50|100)%\)$/.test(clipPath)) return true;
  if (position === "absolute" && /^rect\((?:0px|1px)(?:,? (?:0px|1px)){3}\)$/.test(clip)) return true;
  const { width, height } = boxOf(element);
  return overflowX !== "visible" && !/^(inline|contents)$/.test(display) && Math.min(width, height) <= 1;
}

/** Whether the text has a size, and is not moved away to the left or the top. */
function isOnPage(node: Text): boolean {
  const range = createRange();
  range.selectNode(node);
  const { width, height, right, bottom } = range.getBoundingClientRect();
  return width > 0 && height > 0 && right > 0 && bottom > 0;
}

function cased(text: string, element: Element, pseudo?: "::before" | "::after"): string {
  if (text === "") return "";
  const transforms = getComputedStyle(element, pseudo).textTransform.split(" ");
  const language = languageOf(element);
  try {
    if (transforms.includes("uppercase")) return text.toLocaleUpperCase(language);
    if (transforms.includes("lowercase")) return text.toLocaleLowerCase(language);
    const firstLetters = /(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu;
    return transforms.includes("capitalize")
      ? text.replace(firstLetters, (letter) => letter.toLocaleUpperCase(language))
      : text;
  } catch {
    return text; // The language is not well formed.
  }
}

function languageOf(element: Element): string | undefined {
  for (let around: Element | null = element; around; around = parentOf(around)) {
    const language = attributeOf(around, "lang");
    if (language !== null) return language || undefined;
  }
  return undefined;
}
