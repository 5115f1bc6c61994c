// Lays out the headers and footers of a document that has been printed. Their sheets replace the content of the page and
// are printed next. A sheet has the size of the pages that it is for, so it can be put onto them as it is.
import type { PrintedPages, SheetsOutcome, PrepareInput, SentMargins } from "../prepared-page.ts";
import { TooExpensiveError } from "../cost/too-expensive.ts";
import { bodyElement, documentFonts } from "../dom.ts";
import {
  currentMargins,
  keepMargins,
  type CurrentMargins,
  groupOf,
  heightOn,
  reserveMargins,
  type MarginHeights,
} from "./reserve-margins.ts";
import { type Edge, type MarginHost, attachMargins } from "./margin-hosts.ts";
import { pageKind } from "./page-variants.ts";
import { planSheets } from "./plan-sheets.ts";
import { showSheets } from "./show-sheets.ts";
import { sheetPlaces, singleSheet, stackSheets } from "./stack-sheets.ts";
import { resolveFiles } from "../content/resolve-files.ts";
import type { MarginContent } from "./margin-markups.ts";
import { keptDocumentFiles, takeFiles } from "../content/received-files.ts";
import { findMissingGlyphs } from "../fonts/find-missing-glyphs.ts";
import { prepareImages } from "../images/prepare-images.ts";
import { removeUnsafeLinks } from "../remove-unsafe-links.ts";
import { showSharedImages } from "./share-images.ts";

export async function layOutSheets(printed: PrintedPages): Promise<SheetsOutcome> {
  try {
    return await layOut(printed, currentMargins());
  } catch (error) {
    if (error instanceof TooExpensiveError) {
      bodyElement().replaceChildren(); // The browser prints the page next, so there should not be much on it.
      return { status: "impossible", message: error.message };
    }
    throw error;
  }
}

async function layOut({ pages, margins, isStacked }: PrintedPages, current: CurrentMargins): Promise<SheetsOutcome> {
  const own = margins ? await prepareMarkup(margins, current.input) : noMarkup;
  const grown = grownMargins(own, current, pages.length);
  if (grown) {
    for (const { host } of own.hosts) host.remove();
    reserveMargins(current.input, grown);
    keepMargins({ ...current, reserved: grown });
    return { status: "margins_grew" };
  }
  // Without the document, the styles of the hosts are known sooner.
  bodyElement().replaceChildren(...[...current.hosts, ...own.hosts].map(({ host }) => host));
  const common = { header: hostOf(current.hosts, "header"), footer: hostOf(current.hosts, "footer") };
  const { sheets, sheetOfPage } = planSheets(pages, (edge, index) => {
    const ofPage = own.ofPage[edge];
    return ofPage ? (ofPage[index]?.host ?? null) : common[edge];
  });
  const stacks = isStacked ? stackSheets(sheets) : sheets.map(singleSheet);
  await showSheets(stacks);
  const places = sheetPlaces(sheets, stacks);
  return { status: "laid_out", sheetOfPage, places, pageCount: stacks.length, warnings: own.warnings };
}

function hostOf(hosts: readonly MarginHost[], edge: Edge): HTMLElement | null {
  return hosts.find((margin) => margin.edge === edge)?.host ?? null;
}

/**
 * Returns the heights that the margins need, or null if they have enough space. Only headers and footers that read
 * `page` can be higher than was expected.
 */
function grownMargins(
  { ofPage }: HostsOfPages,
  { input, reserved }: CurrentMargins,
  pageCount: number,
): Record<Edge, MarginHeights> | null {
  const grown = { header: { ...reserved.header }, footer: { ...reserved.footer } };
  let isTooLow = false;
  for (const edge of ["header", "footer"] as const) {
    const available = edge === "header" ? input.margin.top : input.margin.bottom;
    for (const [index, margin] of (ofPage[edge] ?? []).entries()) {
      if (!margin) continue;
      const kind = pageKind(index, pageCount);
      const group = groupOf(kind);
      const height = heightOn(margin.host, kind);
      if (height <= Math.max(available, grown[edge][group])) continue;
      grown[edge][group] = height;
      isTooLow = true;
    }
  }
  return isTooLow ? grown : null;
}

/** The host of each page whose header or footer reads `page`. An edge is null if it does not. */
type HostsOfPages = {
  ofPage: Record<Edge, (MarginHost | null)[] | null>;
  hosts: MarginHost[];
  warnings: string[];
};

const noMarkup: HostsOfPages = { ofPage: { header: null, footer: null }, hosts: [], warnings: [] };

/** Adds the headers and footers that read `page` to the body, prepared like the document. Pages with the same markup share a host. */
async function prepareMarkup(
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
