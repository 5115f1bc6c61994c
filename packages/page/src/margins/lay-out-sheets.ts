// Lays out the headers and footers of a document that has been printed. Their sheets replace the content of the page and
// are printed next. A sheet has the size of its pages, so it can be placed on them directly.
import { setPageHeights } from "../boxes/fill-pages.ts";
import { keptDocumentFiles, takeFiles } from "../content/received-files.ts";
import { orImpossible } from "../cost/too-expensive.ts";
import { bodyElement, documentFonts, findAll, headElement } from "../dom.ts";
import { findMissingGlyphs } from "../fonts/find-missing-glyphs.ts";
import { prepareImages } from "../images/prepare-images.ts";
import type { PrintedPage, PrintedPages, SheetsOutcome, PrepareInput, SentMargins } from "../prepared-page.ts";
import { removeUnsafeLinks } from "../remove-unsafe-links.ts";
import { type Edge, type MarginHost, attachMargins, detachMargins, resolvedMargins } from "./margin-hosts.ts";
import { textOutsideSheets } from "./outside-sheets.ts";
import { pageKind } from "./page-variants.ts";
import { planSheets } from "./plan-sheets.ts";
import {
  currentMargins,
  keepMargins,
  type CurrentMargins,
  groupOf,
  heightOn,
  reserveMargins,
  type MarginHeights,
} from "./reserve-margins.ts";
import { showSharedImages } from "./share-images.ts";
import { showSheets } from "./show-sheets.ts";
import { sheetPlaces, singleSheet, stackSheets } from "./stack-sheets.ts";

export function layOutSheets(printed: PrintedPages): Promise<SheetsOutcome> {
  return orImpossible(() => layOut(printed, currentMargins()));
}

async function layOut({ pages, margins, isStacked }: PrintedPages, current: CurrentMargins): Promise<SheetsOutcome> {
  const perPage = margins ? await prepareMarkup(margins, current.input) : noMarkup;
  const grown = grownMargins(perPage, current, pages);
  if (grown) {
    detachMargins(perPage.hosts);
    reserveMargins(current.input, grown);
    keepMargins({ ...current, reserved: grown });
    setPageHeights();
    return { status: "margins_grew" };
  }
  // Chromium would search the page for the target of each link.
  for (const link of findAll(headElement(), "a")) link.remove();
  // The browser computes the styles of the hosts faster if the body does not contain the document.
  bodyElement().replaceChildren(...current.hosts.map(({ host }) => host), ...detachMargins(perPage.hosts));
  const common = { header: hostOf(current.hosts, "header"), footer: hostOf(current.hosts, "footer") };
  const { sheets, sheetOfPage } = planSheets(pages, (edge, index) => {
    const ofPage = perPage.ofPage[edge];
    return ofPage ? (ofPage[index]?.host ?? null) : common[edge];
  });
  const stacks = isStacked ? stackSheets(sheets) : sheets.map(singleSheet);
  await showSheets(stacks);
  const places = sheetPlaces(sheets, stacks);
  const shown = stacks.flatMap((stack) => stack.sheets);
  const outside = textOutsideSheets(shown, (sheet) => sheetOfPage.indexOf(sheets.indexOf(sheet)) + 1);
  const warnings = [...perPage.warnings, ...outside];
  return { status: "laid_out", sheetOfPage, places, pageCount: stacks.length, warnings };
}

function hostOf(hosts: readonly MarginHost[], edge: Edge): HTMLElement | null {
  return hosts.find((margin) => margin.edge === edge)?.host ?? null;
}

/**
 * Returns the heights that the margins need, or null if they have enough space. Only headers and footers that read `page` can be higher
 * than expected.
 */
function grownMargins(
  { ofPage }: HostsOfPages,
  { input, reserved }: CurrentMargins,
  pages: readonly PrintedPage[],
): Record<Edge, MarginHeights> | null {
  const grown = { header: { ...reserved.header }, footer: { ...reserved.footer } };
  let isTooLow = false;
  for (const edge of ["header", "footer"] as const) {
    const available = edge === "header" ? input.margin.top : input.margin.bottom;
    for (const [index, margin] of (ofPage[edge] ?? []).entries()) {
      const kind = pageKind(index, pages);
      if (!margin || kind.isBlank) continue;
      const group = groupOf(kind);
      const height = heightOn(margin.host, kind);
      const isOnCover = index === 0 && reserved[edge].first === 0 && reserved[edge].odd > available;
      if (height <= Math.max(isOnCover ? 0 : available, grown[edge][group])) continue;
      grown[edge][group] = height;
      isTooLow = true;
    }
    if (!pages.some(({ isBlank }) => isBlank)) continue;
    // Chromium does not count blank pages, so it confuses odd pages with even ones.
    const highest = Math.max(grown[edge].odd, grown[edge].even);
    grown[edge] = { ...grown[edge], odd: highest, even: highest };
  }
  return isTooLow ? grown : null;
}

type HostsOfPages = Awaited<ReturnType<typeof prepareMarkup>>;

const noMarkup: HostsOfPages = { ofPage: { header: null, footer: null }, hosts: [], warnings: [] };

/**
 * Adds the headers and footers that read `page` to the document, and prepares them like the document. Returns the host of each page, by edge; an
 * edge is null if it does not read `page`. Pages with the same markup share a host.
 */
async function prepareMarkup(
  { markups, headerOfPage, footerOfPage, files: sentFiles }: SentMargins,
  input: PrepareInput,
) {
  const files = [...keptDocumentFiles(), ...takeFiles(sentFiles)];
  const numbersOf = { header: headerOfPage, footer: footerOfPage };
  const contents = (["header", "footer"] as const).flatMap((edge) =>
    Array.from(new Set(numbersOf[edge]), (number) => {
      return { edge, number, markup: markups[number] ?? "" };
    }),
  );
  const { hosts, animatedLinks, warnings } = attachMargins(await resolvedMargins(contents, files));
  const hostsOf = (edge: Edge) => {
    const ofMarkup = new Map(
      hosts.flatMap((host, index) => (host.edge === edge ? [[contents[index]?.number, host]] : [])),
    );
    return numbersOf[edge]?.map((number) => ofMarkup.get(number) ?? null) ?? null;
  };
  const ofPage = { header: hostsOf("header"), footer: hostsOf("footer") };
  const elements = hosts.map(({ host }) => host);
  const linkWarnings = removeUnsafeLinks(elements, animatedLinks);
  await documentFonts().ready;
  const glyphWarnings = await findMissingGlyphs(elements, documentFonts());
  const imageWarnings = await prepareImages(elements, [], input);
  await showSharedImages(elements, "page");
  return { ofPage, hosts, warnings: [...linkWarnings, ...glyphWarnings, ...imageWarnings, ...warnings] };
}
