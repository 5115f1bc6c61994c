// Measures the headers and footers of a document, reserves their space in the margins, and keeps them for the sheets.
import type { PrepareInput } from "../../core/rendering/prepared-page.ts";
import { attributeOf, createElement, headElement } from "../dom.ts";
import { keepMargins } from "./current-margins.ts";
import { innerLinks, type MarginHost } from "./margin-hosts.ts";
import { measureHeights, reserveMargins } from "./reserve-margins.ts";
import { showSharedImages } from "./share-images.ts";

/** Takes the hosts out of the document. Returns whether the document has headers or footers. */
export async function measureMargins(hosts: readonly MarginHost[], input: PrepareInput): Promise<boolean> {
  const reserved = { header: measureHeights(hosts, "header"), footer: measureHeights(hosts, "footer") };
  reserveMargins(input, reserved);
  keepDestinations(hosts);
  await showSharedImages(
    hosts.map(({ host }) => host),
    "document",
  );
  for (const { host } of hosts) host.remove();
  keepMargins({ input, hosts, reserved });
  return hosts.length > 0;
}

/**
 * Repeats the inner links of headers and footers in the head, because Chromium writes a destination into the PDF only
 * for elements to which a link of the same document points.
 */
function keepDestinations(hosts: readonly MarginHost[]): void {
  const targets = hosts.flatMap(({ host }) => innerLinks(host).map((link) => attributeOf(link, "href")));
  for (const target of new Set(targets)) {
    const link = createElement("a");
    link.setAttribute("href", target ?? "");
    headElement().append(link);
  }
}
