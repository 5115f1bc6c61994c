// The boxes of the page files. The body is the box of the only page file, unless the height is "auto"; see `bodyPageMark`.
import { bodyElement, findAll, findInDocument } from "../dom.ts";
import { bodyPageMark } from "../prepared-page.ts";

const classes = ["page", "page-1"];

let isBody = false;

/**
 * Gives the body the classes of a page file if it is the box of one. If the content has elements of these classes, the template's rules are
 * for them.
 */
export function markBodyPage(body: HTMLElement): void {
  const first = body.firstChild;
  isBody = first instanceof Comment && first.data === bodyPageMark;
  if (!isBody) return;
  first?.remove();
  if (findAll(body, ".page,.page-1").length === 0) body.classList.add(...classes);
}

/** Headers and footers inherit the styles of the body, but not the styles of a page file. */
export function unmarkBodyPage(): void {
  if (isBody) bodyElement().classList.remove(...classes);
}

/** Returns an empty body with the attributes of the document's body, in which headers and footers look as they are printed. */
export function bodyOfMargins(): HTMLElement {
  const body = Node.prototype.cloneNode.call(bodyElement(), false) as HTMLElement;
  if (isBody) body.classList.remove(...classes);
  return body;
}

export function isBodyPage(): boolean {
  return isBody;
}

export function pageBoxes(): Element[] {
  return isBody ? [bodyElement()] : findInDocument("body > .page");
}
