// Finds the elements that set values for headers and footers, and makes Chromium write a destination for each.
import { temporaryName } from "colophon-pdf/destination-names";
import { counted } from "colophon-base/counted";
import { TooExpensiveError } from "./cost/too-expensive.ts";
import {
  attributeOf,
  boxOf,
  createElement,
  descendantsOf,
  findAll,
  insertInside,
  isLaidOut,
  parentOf,
  setAttribute,
  textOf,
  linkTo,
} from "./dom.ts";
import { valueAttribute, type SetValue } from "./prepared-page.ts";

/** Chromium compares each destination with each page, so this many destinations take about as long as the pages themselves. */
const maxElements = 5_000;

/** The mark is placed before `child`, or else at the beginning of `parent`. */
type ValueElement = { element: Element; parent: Element; child: Node | null; isFlat: boolean };

/** Returns the printed elements that set one of the values. Throws `TooExpensiveError` if there are too many. */
export function findValues(body: HTMLElement, keys: readonly string[]): ValueElement[] {
  if (keys.length === 0) return [];
  const elements = findAll(body, keys.map((key) => `[${valueAttribute}${key}]`).join());
  if (elements.length > maxElements) throw new TooExpensiveError(tooMany(elements.length));
  return elements.flatMap((element) => {
    const child = firstPrinted(element);
    const parent = child ? parentOf(child) : [...findAll(element, "td,th"), element].find(isLaidOut);
    return parent ? [{ element, parent, child, isFlat: !child && boxOf(parent).height === 0 }] : [];
  });
}

function tooMany(elements: number): string {
  return `${counted(elements, "element")} set a page value, but at most ${maxElements} are allowed. Split the document into several documents.`;
}

function firstPrinted(element: Element): Node | null {
  if (isPrinted(element)) return element;
  for (const node of descendantsOf(element)) if (isPrinted(node)) return node;
  return null;
}

/** Returns whether the node is text or an image. */
function isPrinted(node: Node): boolean {
  if (node instanceof Element) return /^(img|svg)$/i.test(node.tagName) && isLaidOut(node);
  const parent = parentOf(node);
  return textOf(node).trim() !== "" && parent instanceof HTMLElement && isLaidOut(parent);
}

/**
 * Marks the elements. Chromium 127 reports the wrong page for most elements of a table that continues over several pages, but the
 * right page for boxes outside the flow. So the mark is a box of this kind, without a size, before the first printed content. Its
 * margin keeps it off the edges of the page: otherwise, a mark at the top would belong to the previous page, and a mark at the
 * right to no page. The mark does not change the layout, and its role keeps it out of the tag tree.
 */
export function markValues(elements: readonly ValueElement[], keys: readonly string[]): SetValue[] {
  return elements.flatMap(({ element, parent, child, isFlat }, index) => {
    const name = temporaryName(index);
    const mark = createElement("span");
    setAttribute(mark, "id", name);
    setAttribute(mark, "role", "none");
    // Below an empty element at the end of the document, the margin would add a page.
    const outOfFlow = isFlat ? "" : ";position:absolute!important;margin:1px!important";
    setAttribute(mark, "style", `all:initial!important${outOfFlow}`);
    if (child) Node.prototype.insertBefore.call(parent, mark, child);
    else insertInside(parent, mark, "start");
    linkTo(name);
    return keys.flatMap((key) => {
      const value = attributeOf(element, valueAttribute + key);
      return value === null ? [] : [{ key, value, name }];
    });
  });
}
