// Headers and footers in the body of the page, where their fonts load, their images are prepared and their heights are
// measured. Afterwards, copies of them are placed on the sheets.
import { bodyOfMargins } from "../boxes/page-boxes.ts";
import { parseContent, type ParsedContent } from "../content/parse-content.ts";
import type { InlinedFile } from "../content/resolve-files.ts";
import { attributeOf, createElement, findAll, insertInside, parentOf, rootElement } from "../dom.ts";
import { resolveUpright } from "../images/upright-webps.ts";
import type { MarginContent } from "./margin-markups.ts";

export type Edge = "header" | "footer";

/** A header or footer with the elements for all pages. */
export type MarginHost = { edge: Edge; host: HTMLElement; readsPage?: boolean };

const counters = ".pageNumber, .totalPages";

/** The warnings and animations are as in `ParsedContent`. */
export type AttachedMargins = Omit<ParsedContent, "parsed"> & { hosts: MarginHost[] };

/** Returns the contents with their files. */
export function resolvedMargins<Content extends MarginContent>(
  contents: readonly Content[],
  files: readonly InlinedFile[],
): Promise<Content[]> {
  return Promise.all(
    contents.map(async (content) => ({ ...content, markup: await resolveUpright(content.markup, files) })),
  );
}

/**
 * Adds headers and footers to the document, without moving its content. An edge that reads `page` may have several: examples, which show
 * how high it may become, or one for each page.
 */
export function attachMargins(contents: readonly MarginContent[]): AttachedMargins {
  const attached: AttachedMargins = { hosts: [], animatedLinks: 0, warnings: [] };
  for (const { edge, markup, readsPage } of contents) {
    const { parsed, animatedLinks, warnings } = parseContent(`<!doctype html><body>${markup}`);
    attached.hosts.push({ ...attachHost(edge, [...parsed.body.childNodes]), readsPage });
    attached.animatedLinks += animatedLinks;
    attached.warnings.push(...warnings.filter((warning) => !attached.warnings.includes(warning)));
  }
  return attached;
}

/** As wide as a page number in a long document. */
const widestNumber = "000";

/** Sets the counters to their widest text. */
function attachHost(edge: Edge, content: Node[]): MarginHost {
  const host = createElement("div");
  host.className = `page-${edge}`;
  host.style.cssText = "position:absolute;left:0;top:0";
  host.append(...content);
  fillCounters(host, widestNumber, widestNumber);
  // The body may be the box of a page file. Its styles must not apply to headers and footers, and its rules must not count them among its
  // children.
  const around = bodyOfMargins();
  around.style.setProperty("display", "contents", "important");
  around.append(host);
  insertInside(rootElement(), around, "end");
  return { edge, host };
}

/** Removes headers and footers from the document, and returns their elements. */
export function detachMargins(hosts: readonly MarginHost[]): HTMLElement[] {
  for (const { host } of hosts) parentOf(host)?.remove();
  return hosts.map(({ host }) => host);
}

export function hasCounters(host: Element): boolean {
  return findAll(host, counters).length > 0;
}

/** Returns the fragments of links to places in the document. */
export function innerFragments(host: Element): string[] {
  return findAll(host, 'a[href^="#"]').map((link) => attributeOf(link, "href")?.slice(1) ?? "");
}

/** Replaces the content of the page counters. */
export function fillCounters(host: Element, number: string, total: string): void {
  for (const counter of findAll(host, counters)) {
    counter.textContent = counter.classList.contains("pageNumber") ? number : total;
  }
}

const pictures = "img, svg, canvas, video, object, embed, input, progress, meter, hr";

/**
 * Returns whether a header or footer shows nothing on a page. A blank one gets no space, so that a full-bleed cover is possible. `host`
 * must be in the document, without the elements that are not displayed.
 */
export function isBlank(host: HTMLElement): boolean {
  if (host.textContent?.trim() || findAll(host, pictures).length > 0) return false;
  return ![host, ...findAll(host, "*")].some(isPainted);
}

function isPainted(element: Element): boolean {
  return paints(getComputedStyle(element)) || hasContent(element, "::before") || hasContent(element, "::after");
}

function paints(style: CSSStyleDeclaration): boolean {
  const hasBorder = [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].some(
    (width) => parseFloat(width) > 0,
  );
  const hasBackground = style.backgroundImage !== "none" || !/, 0\)$|^transparent$/.test(style.backgroundColor);
  return hasBorder || hasBackground || style.boxShadow !== "none";
}

function hasContent(element: Element, pseudo: string): boolean {
  return !["none", "normal"].includes(getComputedStyle(element, pseudo).content);
}
