// The classes that restrict an element of a header or footer to certain pages. An element with several of these classes is shown only on
// pages to which all of them apply.
import { descendantsOf, findAll, isInside, replaceNode } from "../dom.ts";
import type { PrintedPage } from "../prepared-page.ts";

/** The position of a page. The first page is odd, and may also be the last. `isBlank` is as in `PrintedPage`. */
export type PageKind = { isFirst: boolean; isOdd: boolean; isLast: boolean; isBlank: boolean };

type VariantClass = "first-page" | "later-pages" | "odd-page" | "even-page" | "last-page" | "blank-page";

const applies: Record<VariantClass, (kind: PageKind) => boolean> = {
  "first-page": ({ isFirst }) => isFirst,
  "later-pages": ({ isFirst }) => !isFirst,
  "odd-page": ({ isOdd }) => isOdd,
  "even-page": ({ isOdd }) => !isOdd,
  "last-page": ({ isLast }) => isLast,
  "blank-page": ({ isBlank }) => isBlank,
};
const variantClasses = Object.keys(applies) as VariantClass[];

/** All positions that a document's pages can have, except blank ones, which need no space for their headers and footers. */
export const pageKinds: readonly PageKind[] = [true, false].flatMap((isLast) => [
  { isFirst: true, isOdd: true, isLast, isBlank: false },
  { isFirst: false, isOdd: false, isLast, isBlank: false },
  { isFirst: false, isOdd: true, isLast, isBlank: false },
]);

/** `index` counts from 0. */
export function pageKind(index: number, pages: readonly PrintedPage[]): PageKind {
  const isBlank = pages[index]?.isBlank === true;
  return { isFirst: index === 0, isOdd: index % 2 === 0, isLast: index === pages.length - 1, isBlank };
}

/**
 * Returns a function that returns the same key for two kinds of pages if both show the same elements of `host`. The elements
 * are searched only once, because a long document asks for the key of each page.
 */
export function variantKeyOf(host: Element): (kind: PageKind) => string {
  const names = variantClasses.filter((name) => findAll(host, `.${name}`).length > 0);
  return (kind) => names.map((name) => (applies[name](kind) ? "1" : "0")).join("");
}

/** Returns the nodes of `host` that are not shown on pages of this kind. */
export function hiddenNodes(host: Element, kind: PageKind): ChildNode[] {
  const ofOtherPages = variantClasses
    .filter((name) => !applies[name](kind))
    .flatMap((name) => findAll(host, `.${name}`));
  return kind.isBlank ? [...ofOtherPages, ...nodesWithoutClass(host)] : ofOtherPages;
}

/** Returns whether a header or footer shows anything on a blank page, which shows only elements with the class `blank-page`. */
export function isForBlankPages(host: Element): boolean {
  return findAll(host, ".blank-page").length > 0;
}

/** Returns the nodes that neither have the class of blank pages nor are inside or around an element with it. */
function nodesWithoutClass(host: Element): ChildNode[] {
  const shown = findAll(host, ".blank-page,style");
  const isHidden = (node: Node): node is ChildNode =>
    !shown.some((element) => isInside(element, node) || Node.prototype.contains.call(node, element));
  return [...descendantsOf(host)].filter(isHidden);
}

/** Calls `work` while the nodes that are not displayed on pages of this kind are removed from the document. */
export function withVariant<T>(host: Element, kind: PageKind, work: () => T): T {
  const replaced = hiddenNodes(host, kind).map((node) => {
    const mark = new Comment();
    replaceNode(node, mark);
    return { node, mark };
  });
  try {
    return work();
  } finally {
    for (const { node, mark } of replaced.toReversed()) mark.replaceWith(node);
  }
}
