// Compares the buckets with D1 and the batches. Removes unreferenced objects, and marks completed documents whose file is missing.
import pMap, { pMapSkip } from "p-map";
import { dayMs } from "colophon-base/calendar-day";
import { CodedError } from "colophon-base/loggable-error";
import { formatOfFileKey } from "../../core/documents/document.ts";
import type { Repair, PhaseBatch, RepairOptions } from "../../core/maintenance/repair.ts";
import type { BatchOwner } from "../../ports/batches.ts";
import type { DocumentFile, ListedFile, StoredContent } from "../../ports/maintenance.ts";
import type { MaintenanceServices } from "../../ports/services.ts";

const filesPerBatch = 500;
/** In all shards. Failed documents have no file, so a range of keys has more documents than files. */
const documentsPerBatch = 1_000;
const contentsPerBatch = 500;
/** An import stores contents before the rows that refer to them. */
const minContentAgeMs = dayMs;
/** The keys of batch data in the private bucket. */
const batchKey = /^([^/]+)\/batches\/([^/]+)\//;
/** The platform opens at most six connections at a time. Additional look-ups would wait for one while their deadline passes. */
const looksAtOnce = 6;

/**
 * The maximum number of files, and of documents, that a batch repairs unless it is forced. Crashes leave a few. Hundreds in one batch
 * mean that the bucket and the database do not match, for example after one of them was restored from a backup; repairing would then
 * destroy data that a second restore could still save.
 */
const maxRepairs = 50;

type Found = { files: ListedFile[]; documents: DocumentFile[]; after: string | null };

/** Compares files with documents, both in the order of file keys. */
export async function repairFiles(
  services: MaintenanceServices,
  after: string,
  { isForced }: RepairOptions,
): Promise<PhaseBatch> {
  const batch = await readBatch(services, after);
  const strayFiles = [...filesWithoutDocument(services, batch), ...(await filesWithoutBatch(services, batch))];
  const lost = await documentsWithoutFile(services, batch);
  const strayRepairs = strayFiles.map((fileKey): Repair => ({ kind: "file_without_document", fileKey }));
  const lostRepairs = lost.map(({ accountId, id }): Repair => ({
    kind: "document_without_file",
    accountId,
    documentId: id,
  }));
  const isAllowed = (repairs: Repair[]) => isForced || repairs.length <= maxRepairs;
  if (isAllowed(strayRepairs)) await services.files.remove(strayFiles);
  if (isAllowed(lostRepairs)) {
    for (const { accountId, id } of lost)
      await (await services.shardOf(accountId)).documents.markFileLost(accountId, id);
  }
  const groups = [strayRepairs, lostRepairs];
  return {
    repairs: groups.filter(isAllowed).flat(),
    refused: groups.filter((repairs) => !isAllowed(repairs)).flat(),
    after: batch.after,
  };
}

/**
 * Reads files and documents up to the same key. The files are listed first: if a document is inserted in between, its file then
 * has a document, and if a file is stored in between, its document is too young to be marked.
 */
async function readBatch({ files, shards }: MaintenanceServices, after: string): Promise<Found> {
  const listed = await files.list(after, filesPerBatch);
  const perShard = Math.ceil(documentsPerBatch / shards.length);
  // If one shard is down, it is unknown which files have a document.
  const read = await pMap(shards, ({ documents }) => documents.byFileKey(after, perShard), {
    concurrency: looksAtOnce,
  });
  const lastKeys = [
    ...(listed.isLast ? [] : [listed.files.at(-1)?.key ?? after]),
    ...read.flatMap((rows) => (rows.length < perShard ? [] : [rows.at(-1)?.fileKey ?? after])),
  ];
  const end = lastKeys.toSorted()[0] ?? null;
  if (end === after) throw new CodedError("the bucket listed no files, but says that there are more");
  const isInBatch = (key: string) => end === null || key <= end;
  return {
    files: listed.files.filter(({ key }) => isInBatch(key)),
    documents: read.flat().filter(({ fileKey }) => isInBatch(fileKey)),
    after: end,
  };
}

/** Returns the keys of files that belong to no document, or to a failed one. Objects that are not rendered files are ignored. */
function filesWithoutDocument(services: MaintenanceServices, { files, documents }: Found): string[] {
  // The file of a document that is processing may be recorded at any moment.
  const kept = new Set(documents.flatMap(({ status, fileKey }) => (status === "failed" ? [] : [fileKey])));
  const isOld = olderThanAnyCreate(services);
  return files.flatMap(({ key, storedAt }) =>
    formatOfFileKey(key) !== null && !kept.has(key) && isOld(storedAt) ? [key] : [],
  );
}

/** Returns the keys of merged files whose batch has been removed or does not list them. */
async function filesWithoutBatch(services: MaintenanceServices, { files }: Found): Promise<string[]> {
  const isOld = olderThanAnyCreate(services);
  const merged = files.flatMap(({ key, storedAt, batch }) => (batch && isOld(storedAt) ? [{ key, ...batch }] : []));
  const ifGone = async ({ key, accountId, batchId }: BatchOwner & { key: string }) =>
    (await services.batches.find(accountId, batchId)) ? pMapSkip : key;
  return pMap(merged, ifGone, { concurrency: looksAtOnce });
}

/**
 * Returns the completed documents without a file. Expired documents are skipped, because their removal begins with the file.
 */
async function documentsWithoutFile(
  services: MaintenanceServices,
  { files, documents }: Found,
): Promise<DocumentFile[]> {
  const keys = new Set(files.map(({ key }) => key));
  const isOld = olderThanAnyCreate(services);
  const suspects = documents.filter(
    ({ status, fileKey, completedAt, expiresAt }) =>
      status === "completed" &&
      !keys.has(fileKey) &&
      isOld(completedAt ?? services.now()) &&
      (expiresAt === null || expiresAt > services.now()),
  );
  // Checks again, because marking cannot be undone.
  const ifGone = async (document: DocumentFile) =>
    (await services.files.exists(document.fileKey)) ? pMapSkip : document;
  return pMap(suspects, ifGone, { concurrency: looksAtOnce });
}

/**
 * Returns a function that tells whether every create or delete that began by that time (ms since the epoch) has certainly ended. A lease is
 * longer than a create may take, so two leases and a minute for clock differences are enough.
 */
function olderThanAnyCreate({ settings, now }: MaintenanceServices): (ms: number) => boolean {
  const limit = now() - 2 * settings.leaseMs - 60_000;
  return (ms) => ms < limit;
}

/**
 * Removes unreferenced objects of the private bucket: contents of templates whose removal or push was interrupted, and the data
 * of removed batches.
 */
export async function repairContents(
  services: MaintenanceServices,
  after: string,
  { isForced }: RepairOptions,
): Promise<PhaseBatch> {
  const { templates, now } = services;
  const { contents, isLast } = await templates.list(after, contentsPerBatch);
  const last = contents.at(-1)?.key ?? null;
  if (!isLast && last === null) throw new CodedError("the bucket listed no contents, but says that there are more");
  const old = contents.filter(({ storedAt }) => storedAt < now() - minContentAgeMs);
  const ofTemplates = await templates.unused(old.filter(({ key }) => !batchKey.test(key)));
  const unused = [...ofTemplates, ...(await withoutBatch(services, old))].map(({ key }) => key);
  const repairs = unused.map((contentKey): Repair => ({ kind: "unused_content", contentKey }));
  if (!isForced && repairs.length > maxRepairs) return { repairs: [], refused: repairs, after: isLast ? null : last };
  await templates.removeContents(unused);
  return { repairs, after: isLast ? null : last };
}

async function withoutBatch({ batches }: MaintenanceServices, contents: StoredContent[]): Promise<StoredContent[]> {
  const ifGone = async (content: StoredContent) => {
    const [, accountId, batchId] = batchKey.exec(content.key) ?? [];
    return accountId && batchId && !(await batches.find(accountId, batchId)) ? content : pMapSkip;
  };
  return pMap(contents, ifGone, { concurrency: looksAtOnce });
}
