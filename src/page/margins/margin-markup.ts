// Prepares the headers and footers that read `page`. Their markup arrives after the document has been printed, and gets
// the same treatment as the rest of the document.
import { resolveFiles } from "../../core/rendering/resolve-files.ts";
import type { MarginMarkups } from "../../core/rendering/page-margins.ts";
import type { PrepareInput } from "../../core/rendering/prepared-page.ts";
import { parseContent } from "../content/parse-content.ts";
import { documentFonts } from "../dom.ts";
import { findMissingGlyphs } from "../fonts/find-missing-glyphs.ts";
import { prepareImages } from "../images/prepare-images.ts";
import { removeUnsafeLinks } from "../remove-unsafe-links.ts";
import { showSharedImages } from "./share-images.ts";
import { attachHost, type Edge, type MarginHost } from "./margin-hosts.ts";

/** The host of each page; an edge is null if it does not read `page`. */
export type HostsOfPages = { ofPage: Record<Edge, MarginHost[] | null>; hosts: MarginHost[]; warnings: string[] };

export const noMarkup: HostsOfPages = { ofPage: { header: null, footer: null }, hosts: [], warnings: [] };

/** Adds the headers and footers to the body. Pages with the same markup share a host. */
export async function prepareMarkup(
  { markups, headerOfPage, footerOfPage, files }: MarginMarkups,
  { limits }: PrepareInput,
): Promise<HostsOfPages> {
  const hosts: MarginHost[] = [];
  let animatedLinks = 0;
  const warnings = new Set<string>();
  const hostsOf = (edge: Edge, markupOfPage: number[] | null): MarginHost[] | null => {
    if (!markupOfPage) return null;
    const known = new Map<number, MarginHost>();
    return markupOfPage.map((number) => {
      const host = known.get(number) ?? attach(edge, markups[number] ?? "");
      known.set(number, host);
      return host;
    });
  };
  const attach = (edge: Edge, markup: string): MarginHost => {
    const content = parseContent(`<!doctype html><body>${resolveFiles(markup, files)}`);
    animatedLinks += content.animatedLinks;
    for (const warning of content.warnings) warnings.add(warning);
    const fragment = new DocumentFragment();
    fragment.append(...content.parsed.body.childNodes);
    const host = attachHost(edge, fragment);
    hosts.push(host);
    return host;
  };
  const ofPage = { header: hostsOf("header", headerOfPage), footer: hostsOf("footer", footerOfPage) };
  const roots = hosts.map(({ host }) => host);
  const linkWarnings = removeUnsafeLinks(roots, animatedLinks);
  await documentFonts().ready;
  const glyphWarnings = await findMissingGlyphs(roots, documentFonts());
  const imageWarnings = await prepareImages(roots, [], limits);
  await showSharedImages(roots, "page");
  return { ofPage, hosts, warnings: [...linkWarnings, ...glyphWarnings, ...imageWarnings, ...warnings] };
}
