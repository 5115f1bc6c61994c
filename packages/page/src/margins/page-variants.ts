// The classes that restrict an element of a header or footer to certain pages. An element with several of these classes is shown only on
// pages to which all of them apply.
import { findAll } from "../dom.ts";

/** The position of a page. The first page is odd, and may also be the last. */
export type PageKind = { isFirst: boolean; isOdd: boolean; isLast: boolean };

type VariantClass = "first-page" | "later-pages" | "odd-page" | "even-page" | "last-page";

const applies: Record<VariantClass, (kind: PageKind) => boolean> = {
  "first-page": ({ isFirst }) => isFirst,
  "later-pages": ({ isFirst }) => !isFirst,
  "odd-page": ({ isOdd }) => isOdd,
  "even-page": ({ isOdd }) => !isOdd,
  "last-page": ({ isLast }) => isLast,
};
const variantClasses = Object.keys(applies) as VariantClass[];

/** All positions that a document's pages can have. */
export const pageKinds: readonly PageKind[] = [true, false].flatMap((isLast) => [
  { isFirst: true, isOdd: true, isLast },
  { isFirst: false, isOdd: false, isLast },
  { isFirst: false, isOdd: true, isLast },
]);

/** `index` counts from 0. */
export function pageKind(index: number, pageCount: number): PageKind {
  return { isFirst: index === 0, isOdd: index % 2 === 0, isLast: index === pageCount - 1 };
}

/**
 * Returns a function that returns the same key for two kinds of pages if both show the same elements of `host`. The elements
 * are searched only once, because a long document asks for the key of each page.
 */
export function variantKeyOf(host: Element): (kind: PageKind) => string {
  const names = variantClasses.filter((name) => findAll(host, `.${name}`).length > 0);
  return (kind) => names.map((name) => (applies[name](kind) ? "1" : "0")).join("");
}

/** Returns the elements of `host` that are not shown on pages of this kind. */
export function hiddenElements(host: Element, kind: PageKind): Element[] {
  return variantClasses.filter((name) => !applies[name](kind)).flatMap((name) => findAll(host, `.${name}`));
}

/** Calls `work` while the elements that are not displayed on pages of this kind are removed from the document. */
export function withVariant<T>(host: Element, kind: PageKind, work: () => T): T {
  const replaced = hiddenElements(host, kind).map((element) => {
    const mark = new Comment();
    element.replaceWith(mark);
    return { element, mark };
  });
  try {
    return work();
  } finally {
    for (const { element, mark } of replaced.toReversed()) mark.replaceWith(element);
  }
}
