// Finds the elements that set values for headers and footers, and makes Chromium write a destination for each.
import { counted } from "colophon-base/text";
import { temporaryName, temporaryUrl } from "colophon-pdf/destination-names";
import { TooExpensiveError } from "./cost/too-expensive.ts";
import {
  attributeOf,
  boxOf,
  createElement,
  descendantsOf,
  findAll,
  headElement,
  insertInside,
  isLaidOut,
  parentOf,
  setAttribute,
  textOf,
  linkTo,
} from "./dom.ts";
import { valueAttribute, type SetValue } from "./prepared-page.ts";

const maxElements = 20_000;

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
 *
 * Chromium compares each destination with each page, but writes a link while it paints the page. So many elements get links as marks, which
 * must have a size. In a tagged file, the tags would contain them.
 */
export function markValues(
  elements: readonly ValueElement[],
  keys: readonly string[],
  marks: "destinations" | "links",
): SetValue[] {
  if (marks === "links" && elements.length > 0) addLinkStyle();
  return elements.flatMap(({ element, parent, child, isFlat }, index) => {
    const name = temporaryName(index);
    const isLink = marks === "links" && !isFlat;
    const mark = createElement(isLink ? "a" : "span");
    setAttribute(mark, isLink ? "href" : "id", isLink ? temporaryUrl(name) : name);
    setAttribute(mark, "role", "none");
    // Below an empty element at the end of the document, the margin would add a page.
    const outOfFlow = isFlat ? "" : ";position:absolute!important;margin:1px!important";
    const size = isLink ? ";width:1px!important;height:1px!important" : "";
    setAttribute(mark, "style", `all:initial!important${outOfFlow}${size}`);
    if (child) Node.prototype.insertBefore.call(parent, mark, child);
    else insertInside(parent, mark, "start");
    if (!isLink) linkTo(name);
    return keys.flatMap((key) => {
      const value = attributeOf(element, valueAttribute + key);
      return value === null ? [] : [{ key, value, name }];
    });
  });
}

/** Styles of a template may print the addresses of links behind them. */
function addLinkStyle(): void {
  const style = createElement("style");
  const links = `a[href^="${temporaryUrl("")}"]`;
  style.textContent = `${links}::before,${links}::after{content:none!important}`;
  headElement().append(style);
}
