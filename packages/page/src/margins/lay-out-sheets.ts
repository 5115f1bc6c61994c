// Lays out the headers and footers of a document that has been printed. Their sheets replace the content of the page and
// are printed next. A sheet has the size of the pages that it is for, so it can be put onto them as it is.
import type { PrintedPages, SheetsOutcome } from "../prepared-page.ts";
import { TooExpensiveError } from "../cost/too-expensive.ts";
import { bodyElement } from "../dom.ts";
import { currentMargins, keepMargins, type CurrentMargins } from "./current-margins.ts";
import type { Edge, MarginHost } from "./margin-hosts.ts";
import { noMarkup, prepareMarkup, type HostsOfPages } from "./prepare-margins.ts";
import { pageKind } from "./page-variants.ts";
import { planSheets } from "./plan-sheets.ts";
import { groupOf, heightOn, reserveMargins, type MarginHeights } from "./reserve-margins.ts";
import { showSheets } from "./show-sheets.ts";
import { sheetPlaces, singleSheet, stackSheets } from "./stack-sheets.ts";

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
