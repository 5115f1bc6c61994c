// Adds headers and footers to the page, so that their sizes can be measured and their fonts load. They are positioned
// absolutely, so they do not move the content of the page.
import { attributeOf, bodyElement, createElement, findAll, findInDocument } from "../dom.ts";

export type Edge = "header" | "footer";

/**
 * A header or footer. `selector` is the page selector of its `@page` rule, for example `:first`; empty for all pages.
 */
export type LaidOutMargin = { edge: Edge; selector: string; host: HTMLElement };

export function layOutMargins(): LaidOutMargin[] {
  return [...marginsOf("header"), ...marginsOf("footer")];
}

function marginsOf(edge: Edge): LaidOutMargin[] {
  const content = templateContent(`colophon-${edge}`);
  if (!content) return [];
  const later = { edge, selector: "", host: layOut(edge, content, ".first-page") };
  if (findAll(content, ".first-page, .later-pages").length === 0) return [later];
  return [later, { edge, selector: ":first", host: layOut(edge, content, ".later-pages") }];
}

function templateContent(id: string): DocumentFragment | null {
  const template = findInDocument("head > template").find((candidate) => attributeOf(candidate, "id") === id);
  return template instanceof HTMLTemplateElement ? template.content : null;
}

/**
 * Adds a header or footer to the body. Leaves out the elements that match the selector `hidden`, because they are meant
 * for other pages.
 */
function layOut(edge: Edge, content: DocumentFragment, hidden: string): HTMLElement {
  const host = createElement("div");
  host.className = `page-${edge}`;
  host.style.cssText = "position:absolute;left:0;top:0";
  host.append(content.cloneNode(true));
  for (const element of findAll(host, hidden)) element.remove();
  for (const counter of findAll(host, ".pageNumber, .totalPages")) counter.textContent = "00";
  bodyElement().append(host);
  return host;
}
