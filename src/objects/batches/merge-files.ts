// Makes the merged files of a batch: the PDFs of its completed items in their order, each with a bookmark.
import type { Batch, ItemOutcome, MergedFile } from "../../core/batches/batch.ts";
import { mergedFileKey } from "../../core/batches/item-ids.ts";
import type { BatchServices } from "../../ports/services.ts";
import { withDeadline } from "colophon-base/deadline";
import type { BatchLedger } from "./batch-ledger.ts";
import { pdfMerger } from "colophon-pdf/merge-pdfs";
import { PdfError } from "colophon-pdf/pdf-error";

/** The most pages and bytes of one merged file, counted before streams that are the same are stored once. */
const maxPages = 2_000;
const maxBytes = 100_000_000;
const readTimeoutMs = 30_000;
const itemsPerRead = 500;

type Part = { title: string; fileKey: string };
type Group = { parts: Part[]; lastIndex: number };

/** Returns the files. Rejects if a part of the service fails; the next call makes the same files anew. */
export async function mergeFiles(services: BatchServices, ledger: BatchLedger, batch: Batch): Promise<MergedFile[]> {
  const files: MergedFile[] = [];
  try {
    for (let group = nextGroup(ledger, batch.id, 0); group; group = nextGroup(ledger, batch.id, group.lastIndex + 1)) {
      const fileKey = await mergedFileKey(batch.secret, files.length);
      const merged = { pageCount: 0 };
      const fileSize = await services.mergedFiles.put(fileKey, mergedParts(services, batch, group.parts, merged), {
        accountId: batch.accountId,
        batchId: batch.id,
      });
      if (fileSize > 0) files.push({ fileKey, fileSize, ...merged });
    }
  } catch (cause) {
    if (!(cause instanceof PdfError)) throw cause;
    // A second try would fail too. The batch ends without the file, and its documents are complete.
    services.log("error", { event: "batch.not_merged", batchId: batch.id, cause });
  }
  return files;
}

/** Returns the completed items from `from` on that fit into one file; null if there are none. */
function nextGroup(ledger: BatchLedger, batchId: string, from: number): Group | null {
  const group: Group = { parts: [], lastIndex: -1 };
  const size = { pages: 0, bytes: 0 };
  for (let next = from; ; next += itemsPerRead) {
    const items = ledger.results(batchId, next, itemsPerRead);
    for (const { index, customId, outcome } of items) {
      if (outcome.status !== "completed") continue;
      size.pages += outcome.pageCount;
      size.bytes += outcome.fileSize;
      if (group.parts.length > 0 && (size.pages > maxPages || size.bytes > maxBytes)) return group;
      group.parts.push({ title: titleOf(customId, outcome, index), fileKey: outcome.fileKey });
      group.lastIndex = index;
    }
    if (items.length < itemsPerRead) return group.parts.length > 0 ? group : null;
  }
}

function titleOf(
  customId: string | null,
  { filename }: Extract<ItemOutcome, { status: "completed" }>,
  index: number,
): string {
  return customId ?? filename ?? `Document ${index + 1}`;
}

/** Returns the bytes of the merged file, and counts its pages. One file after the other is read. Deleted ones are left out. */
async function* mergedParts(
  { files }: BatchServices,
  { template, options, createdAt }: Batch,
  parts: Part[],
  merged: { pageCount: number },
): AsyncGenerator<Uint8Array> {
  const { title, locale } = template.manifest;
  const merger = pdfMerger({ title, language: options.locale ?? locale, createdAt });
  for (const { fileKey, title: bookmark } of parts) {
    const stored = await files.get(fileKey);
    if (!stored) continue;
    const read = new Response(stored.body).arrayBuffer();
    const { bytes, pageCount } = merger.add(
      new Uint8Array(await withDeadline("R2 get", readTimeoutMs, read)),
      bookmark,
    );
    merged.pageCount += pageCount;
    yield bytes;
  }
  if (merged.pageCount > 0) yield merger.finish();
}
