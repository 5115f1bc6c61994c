// Measures the headers and footers of a document, reserves their space in the margins, and keeps them for the sheets.
import type { PrepareInput } from "../prepared-page.ts";
import { linkTo } from "../link-to.ts";
import { keepMargins } from "./current-margins.ts";
import { innerFragments, type MarginHost } from "./margin-hosts.ts";
import { measureHeights, reserveMargins } from "./reserve-margins.ts";
import { showSharedImages } from "./share-images.ts";

/** Takes the hosts out of the document. Returns whether the document has headers or footers. */
export async function measureMargins(hosts: readonly MarginHost[], input: PrepareInput): Promise<boolean> {
  const reserved = { header: measureHeights(hosts, "header"), footer: measureHeights(hosts, "footer") };
  reserveMargins(input, reserved);
  // The inner links are repeated in the head, because headers and footers will not be in the document when it is printed.
  for (const fragment of new Set(hosts.flatMap(({ host }) => innerFragments(host)))) linkTo(fragment);
  await showSharedImages(
    hosts.map(({ host }) => host),
    "document",
  );
  for (const { host } of hosts) host.remove();
  keepMargins({ input, hosts, reserved });
  return hosts.length > 0;
}
