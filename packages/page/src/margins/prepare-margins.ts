// Prepares the headers and footers that read `page`. Their markup arrives after the document has been printed, and gets
// the same treatment as the rest of the document.
import { resolveFiles } from "../content/resolve-files.ts";
import type { MarginContent } from "./margin-markups.ts";
import type { PrepareInput, SentMargins } from "../prepared-page.ts";
import { keptDocumentFiles, takeFiles } from "../content/received-files.ts";
import { documentFonts } from "../dom.ts";
import { findMissingGlyphs } from "../fonts/find-missing-glyphs.ts";
import { prepareImages } from "../images/prepare-images.ts";
import { removeUnsafeLinks } from "../remove-unsafe-links.ts";
import { showSharedImages } from "./share-images.ts";
import { attachMargins, type Edge, type MarginHost } from "./margin-hosts.ts";

/** The host of each page; an edge is null if it does not read `page`. */
export type HostsOfPages = {
  ofPage: Record<Edge, (MarginHost | null)[] | null>;
  hosts: MarginHost[];
  warnings: string[];
};

export const noMarkup: HostsOfPages = { ofPage: { header: null, footer: null }, hosts: [], warnings: [] };

/** Adds the headers and footers to the body. Pages with the same markup share a host. */
export async function prepareMarkup(
  { markups, headerOfPage, footerOfPage, files: sentFiles }: SentMargins,
  input: PrepareInput,
): Promise<HostsOfPages> {
  const files = [...keptDocumentFiles(), ...takeFiles(sentFiles)];
  const contents: MarginContent[] = [];
  // Gives the index of each page's host.
  const hostsOf = (edge: Edge, markupOfPage: number[] | null): number[] | null => {
    if (!markupOfPage) return null;
    const known = new Map<number, number>();
    return markupOfPage.map((number) => {
      const index =
        known.get(number) ?? contents.push({ edge, markup: resolveFiles(markups[number] ?? "", files) }) - 1;
      known.set(number, index);
      return index;
    });
  };
  const indexes = { header: hostsOf("header", headerOfPage), footer: hostsOf("footer", footerOfPage) };
  const { hosts, animatedLinks, warnings } = attachMargins(contents);
  const at = (index: number) => hosts[index] ?? null;
  const ofPage = { header: indexes.header?.map(at) ?? null, footer: indexes.footer?.map(at) ?? null };
  const elements = hosts.map(({ host }) => host);
  const linkWarnings = removeUnsafeLinks(elements, animatedLinks);
  await documentFonts().ready;
  const glyphWarnings = await findMissingGlyphs(elements, documentFonts());
  const imageWarnings = await prepareImages(elements, [], input);
  await showSharedImages(elements, "page");
  return { ofPage, hosts, warnings: [...linkWarnings, ...glyphWarnings, ...imageWarnings, ...warnings] };
}
