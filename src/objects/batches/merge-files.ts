// Creates the merged files of a batch one by one: the PDFs of its completed items in order, each with a bookmark.
import { withDeadline } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import { pdfMerger } from "colophon-pdf/merge-pdfs";
import { PdfError } from "colophon-pdf/pdf-error";
import type { Batch, MergedFile } from "../../core/batches/batch.ts";
import { mergedFileKey } from "../../core/batches/item-ids.ts";
import type { BatchServices } from "../../ports/services.ts";
import type { BatchLedger } from "./batch-ledger.ts";
import { maxMergeTries, stoppedMergeTries } from "./batch-storage.ts";

/** The maximum number of pages and bytes of a merged file, counted before identical streams are merged. */
const maxPages = 2_000;
const maxBytes = 100_000_000;
const readTimeoutMs = 30_000;
/** The platform ends an alarm after 15 minutes. */
const fileTimeoutMs = 600_000;
const itemsPerRead = 500;
/** At most this many documents, with at most this many bytes in total, are read ahead. */
const ahead = { documents: 4, bytes: 10_000_000 };

const withoutMerged = {
  failed: "The documents could not be merged, so the batch has no merged files.",
  stopped: "The batch was canceled or ran out of time before its documents were merged, so it has no merged files.",
  empty: "No document was completed, so the batch has no merged files.",
};

/** `isStopped` returns true when the account is removed. */
export type Finishing = { services: BatchServices; ledger: BatchLedger; isStopped(): boolean };

type Part = { title: string; fileKey: string; fileSize: number };
type Group = { parts: Part[]; lastIndex: number };

/**
 * Creates and records the next file. Resolves with true when all files have been created, or the batch is to end without them. Rejects
 * if a part of the service fails, or if `isStopped` becomes true; the next call creates the same file again.
 */
export async function mergeNext({ services, ledger, isStopped }: Finishing, batch: Batch): Promise<boolean> {
  const { id, accountId } = batch;
  const { files, until, tries } = ledger.merged(id);
  if (tries >= maxMergeTries) {
    await services.mergedFiles.remove(files.map(({ fileKey }) => fileKey));
    ledger.endWithoutMerged(id, tries >= stoppedMergeTries ? withoutMerged.stopped : withoutMerged.failed);
    return true;
  }
  const startsOdd = batch.merged.startOn === "odd";
  const group = nextGroup(ledger, { batchId: id, from: until, startsOdd });
  if (!group) {
    if (until === 0) ledger.endWithoutMerged(id, withoutMerged.empty);
    return true;
  }
  ledger.countMergeTries(id, 1);
  const fileKey = mergedFileKey(batch, files.length);
  const endsAt = services.now() + fileTimeoutMs;
  const check = () => {
    const isGivenUp = ledger.merged(id).tries > maxMergeTries;
    if (isStopped() || isGivenUp || services.now() > endsAt) throw new CodedError("batch.merge_stopped");
  };
  const merged = { pageCount: 0, missing: 0 };
  try {
    const parts = mergedParts(services, batch, { parts: group.parts, merged, check });
    const fileSize = await services.mergedFiles.put(fileKey, parts, { accountId, batchId: id });
    const { pageCount, missing } = merged;
    const file: MergedFile | null = fileSize > 0 ? { fileKey, fileSize, pageCount } : null;
    ledger.addMerged(id, file, { until: group.lastIndex + 1, missing });
  } catch (cause) {
    // Merging a malformed document would fail again.
    ledger.countMergeTries(id, cause instanceof PdfError ? maxMergeTries : 1);
    if (!(cause instanceof PdfError)) throw cause;
    services.log("error", { event: "batch.not_merged", batchId: id, cause });
  }
  return false;
}

/** Returns the completed items from `from` on that fit into one file; null if there are none. */
function nextGroup(
  ledger: BatchLedger,
  { batchId, from, startsOdd }: { batchId: string; from: number; startsOdd: boolean },
): Group | null {
  const group: Group = { parts: [], lastIndex: -1 };
  const size = { pages: 0, bytes: 0 };
  for (let next = from; ; next += itemsPerRead) {
    const items = ledger.results(batchId, next, itemsPerRead);
    for (const { index, customId, outcome } of items) {
      if (outcome.status !== "completed") continue;
      const { pageCount, fileSize, fileKey, filename } = outcome;
      size.pages += pageCount + (startsOdd ? size.pages % 2 : 0);
      size.bytes += fileSize;
      if (group.parts.length > 0 && (size.pages > maxPages || size.bytes > maxBytes)) return group;
      group.parts.push({ title: customId ?? filename ?? `Document ${index + 1}`, fileKey, fileSize });
      group.lastIndex = index;
    }
    if (items.length < itemsPerRead) return group.parts.length > 0 ? group : null;
  }
}

/**
 * Returns the bytes of the merged file, and counts its pages and the documents whose file is missing. `check` is called before
 * each document.
 */
async function* mergedParts(
  services: BatchServices,
  { template, options, merged: { startOn }, createdAt }: Batch,
  { parts, merged, check }: { parts: Part[]; merged: { pageCount: number; missing: number }; check: () => void },
): AsyncGenerator<Uint8Array> {
  const { title, locale, viewer } = template.manifest;
  const { conformance = template.manifest.conformance } = options;
  const about = { title, language: options.locale ?? locale, createdAt, viewer, conformance };
  const merger = pdfMerger({ ...about, startsOdd: startOn === "odd" });
  for await (const { title: bookmark, content } of readAhead(services, parts)) {
    check();
    if (!content) {
      merged.missing++;
      continue;
    }
    const { bytes, pageCount } = merger.add(content, bookmark);
    merged.pageCount += pageCount;
    yield bytes;
  }
  if (merged.pageCount > 0) yield merger.finish();
}

/** Returns the parts with their bytes in order, or with null if the file was deleted. */
async function* readAhead({ files }: BatchServices, parts: Part[]) {
  const read = async (fileKey: string): Promise<Uint8Array | null> => {
    const stored = await files.get(fileKey);
    const bytes = stored && new Response(stored.body).arrayBuffer();
    return bytes && new Uint8Array(await withDeadline("R2 get", readTimeoutMs, bytes));
  };
  const reading: Promise<Uint8Array | null>[] = [];
  let bytes = 0;
  for (const [index, { title, fileSize }] of parts.entries()) {
    for (const next of parts.slice(index + reading.length, index + ahead.documents)) {
      if (reading.length > 0 && bytes + next.fileSize > ahead.bytes) break;
      const content = read(next.fileKey);
      content.catch(() => {}); // The rejection is handled below, unless an earlier part fails first.
      reading.push(content);
      bytes += next.fileSize;
    }
    yield { title, content: (await reading.shift()) ?? null };
    bytes -= fileSize;
  }
}
