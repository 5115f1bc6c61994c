// Compares the files in the bucket with the documents in D1, both in the order of their file keys. Removes files that belong to
// no completed document, and marks completed documents whose file is gone.
import { CodedError } from "colophon-base/loggable-error";
import pMap from "p-map";
import { formatOfFileKey } from "../../core/documents/document.ts";
import type { Repair, PhaseBatch, RepairOptions } from "../../core/maintenance/repair.ts";
import type { DocumentFile, ListedFile } from "../../ports/maintenance.ts";
import type { MaintenanceServices } from "../../ports/services.ts";

const filesPerBatch = 500;
/** Failed documents have no file, so a range of keys has more documents than files. */
const documentsPerBatch = 1_000;
/** The platform opens six connections at a time. More look-ups would wait for one while their deadline is running. */
const looksAtOnce = 6;

/**
 * The maximum number of files, and of documents, that a batch repairs unless it is forced. Accidents leave a few. Hundreds in one
 * batch mean that the bucket and the database do not belong together, for example after one of them was restored from a backup;
 * repairing would then destroy what a second restore could still save.
 */
export const maxRepairs = 50;

type Found = { files: ListedFile[]; documents: DocumentFile[]; after: string | null };

export async function repairFiles(
  services: MaintenanceServices,
  after: string,
  { isForced }: RepairOptions,
): Promise<PhaseBatch> {
  const found = await readBatch(services, after);
  const strayFiles = [...filesWithoutDocument(services, found), ...(await filesWithoutBatch(services, found))];
  const lost = await documentsWithoutFile(services, found);
  const strayRepairs = strayFiles.map((fileKey): Repair => ({ kind: "file_without_document", fileKey }));
  const lostRepairs = lost.map(({ accountId, id }): Repair => ({
    kind: "document_without_file",
    accountId,
    documentId: id,
  }));
  const isAllowed = (repairs: Repair[]) => isForced || repairs.length <= maxRepairs;
  if (isAllowed(strayRepairs)) await services.files.remove(strayFiles);
  if (isAllowed(lostRepairs)) {
    for (const { accountId, id } of lost) await services.documents.markFileLost(accountId, id);
  }
  const groups = [strayRepairs, lostRepairs];
  return {
    repairs: groups.filter(isAllowed).flat(),
    refused: groups.filter((repairs) => !isAllowed(repairs)).flat(),
    after: found.after,
  };
}

/**
 * Reads files and documents up to the same key. The files are listed first: a file whose document is inserted in between then has
 * its document, and a document whose file is stored in between is too young to be marked.
 */
async function readBatch({ files, documents }: MaintenanceServices, after: string): Promise<Found> {
  const listed = await files.list(after, filesPerBatch);
  const rows = await documents.byFileKey(after, documentsPerBatch);
  const lastKeys = [
    ...(listed.isLast ? [] : [listed.files.at(-1)?.key ?? after]),
    ...(rows.length < documentsPerBatch ? [] : [rows.at(-1)?.fileKey ?? after]),
  ];
  const end = lastKeys.toSorted()[0] ?? null;
  if (end === after) throw new CodedError("the bucket listed no files, but says that there are more");
  const isInBatch = (key: string) => end === null || key <= end;
  return {
    files: listed.files.filter(({ key }) => isInBatch(key)),
    documents: rows.filter(({ fileKey }) => isInBatch(fileKey)),
    after: end,
  };
}

/** Returns the keys of files that belong to no completed document. Objects that are not rendered files are left alone. */
function filesWithoutDocument(services: MaintenanceServices, { files, documents }: Found): string[] {
  const completed = new Set(documents.flatMap(({ status, fileKey }) => (status === "completed" ? [fileKey] : [])));
  const isOld = olderThanAnyCreate(services);
  return files.flatMap(({ key, storedAt }) =>
    formatOfFileKey(key) !== null && !completed.has(key) && isOld(storedAt) ? [key] : [],
  );
}

/** Returns the keys of merged files whose batch is removed, or was never recorded with them. */
async function filesWithoutBatch(services: MaintenanceServices, { files }: Found): Promise<string[]> {
  const isOld = olderThanAnyCreate(services);
  const merged = files.flatMap(({ key, storedAt, batch }) => (batch && isOld(storedAt) ? [{ key, ...batch }] : []));
  const states = await pMap(merged, ({ accountId, batchId }) => services.batches.find(accountId, batchId), {
    concurrency: looksAtOnce,
  });
  return merged.flatMap(({ key }, index) => (states[index] ? [] : [key]));
}

/** Returns the completed documents without a file. Expired documents are left to their removal, which begins with the file. */
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
  // A second look, because marking cannot be undone.
  const isStored = await pMap(suspects, ({ fileKey }) => services.files.exists(fileKey), { concurrency: looksAtOnce });
  return suspects.filter((_, index) => !isStored[index]);
}

/**
 * Returns whether a time is so long ago that no create or delete of that time can still be running. A lease is longer than a
 * create may take, so two leases and a minute for the difference between clocks are enough.
 */
function olderThanAnyCreate({ settings, now }: MaintenanceServices): (ms: number) => boolean {
  const limit = now() - 2 * settings.leaseMs - 60_000;
  return (ms) => ms < limit;
}
