// Reads, cancels and removes batches. A batch of another account is reported as not found.
import { CodedError } from "colophon-base/loggable-error";
import type { Account } from "../../core/accounts/account.ts";
import { batchRecord, itemResult, type Batch, type BatchRecord, type BatchState } from "../../core/batches/batch.ts";
import type { ItemResult, ItemState } from "../../core/batches/batch.ts";
import { linkSeconds } from "../../core/documents/links.ts";
import { batchNotEnded, batchNotFound } from "../../core/errors.ts";
import type { Listed, Page } from "../../core/pagination.ts";
import { parseUuid } from "../../core/uuid.ts";
import type { LinkServices, Services } from "../../ports/services.ts";
import { documentLink, newLink } from "../documents/file-links.ts";

export function listBatches({ batches }: Services, account: Account, page: Page): Promise<Listed<BatchState>> {
  return batches.list(account.id, page);
}

/** `id` is the string from the request. */
export async function getBatch({ batches }: Services, account: Account, id: string): Promise<BatchState> {
  return known(await withUuid(id, (uuid) => batches.find(account.id, uuid)));
}

/** Cancels renders that have not begun. An ended batch does not change. */
export async function cancelBatch({ batches }: Services, account: Account, id: string): Promise<BatchState> {
  return known(await withUuid(id, (uuid) => batches.cancel(account.id, uuid)));
}

/** Removes an ended batch, and returns its id. Its documents stay. */
export async function deleteBatch({ batches }: Services, account: Account, id: string): Promise<string> {
  const removal = await withUuid(id, (uuid) => batches.remove(account.id, uuid));
  if (removal === "not_ended") throw batchNotEnded();
  if (removal !== "removed") throw batchNotFound();
  return id.toLowerCase();
}

/** Makes all links to the merged files invalid that exist now. Returns the batch's id. */
export async function endBatchLinks({ batches }: Services, account: Account, id: string): Promise<string> {
  if (!(await withUuid(id, (uuid) => batches.endLinks(account.id, uuid)))) throw batchNotFound();
  return id.toLowerCase();
}

/** Returns the record of a batch; with fresh links to the merged files, if they are private. */
export function batchRecordOf(services: LinkServices, state: BatchState): BatchRecord {
  const { id, accountId, baseUrl, options, expiresAt } = state.batch;
  const { linkExpiresIn: expiresIn = linkSeconds.default } = options;
  if (options.access !== "private") return batchRecord(state);
  const links = state.files.map((_, mergedFile) =>
    newLink(services, baseUrl, { accountId, id, mergedFile, epoch: state.linkEpoch }, { expiresIn, expiresAt }),
  );
  return batchRecord(state, links);
}

const itemsPerRead = 500;

/**
 * Returns the results as NDJSON in the order of the items. They are read as the stream is consumed, so only a part is in
 * memory.
 */
export async function batchResults(services: Services, account: Account, id: string): Promise<ReadableStream> {
  const { batches } = services;
  const { batch } = known(await withUuid(id, (uuid) => batches.find(account.id, uuid)));
  // An error in the stream would have no response of the API.
  if (batch.options.access === "private") services.encryptionKeys();
  const encoder = new TextEncoder();
  let from = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const items = await batches.results(account.id, batch.id, from, itemsPerRead);
      // An error breaks the connection, so that the caller does not mistake partial results for complete ones.
      if (!items) throw new CodedError("batch.deleted_while_read");
      from += items.length;
      const results = await itemResultsOf(services, batch, items);
      const lines = results.map((result) => `${JSON.stringify(result)}\n`);
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (items.length < itemsPerRead) controller.close();
    },
  });
}

/** Returns the results of items; with fresh links, if their documents are private. A document that was deleted has no link. */
async function itemResultsOf(services: Services, batch: Batch, items: ItemState[]): Promise<ItemResult[]> {
  const { accountId, baseUrl, cdnUrl, options } = batch;
  if (options.access !== "private") return items.map((item) => itemResult(item, cdnUrl));
  const ids = items.flatMap(({ outcome }) => (outcome.status === "completed" ? [outcome.documentId] : []));
  const linked = await services.documents.linked(accountId, ids);
  return items.map((item) => {
    const { outcome } = item;
    const document = outcome.status === "completed" ? linked.get(outcome.documentId) : undefined;
    return itemResult(item, cdnUrl, document ? documentLink(services, document, baseUrl) : null);
  });
}

async function withUuid<T>(id: string, read: (uuid: string) => Promise<T | null>): Promise<T | null> {
  const uuid = parseUuid(id);
  return uuid === null ? null : read(uuid);
}

function known(state: BatchState | null): BatchState {
  if (!state) throw batchNotFound();
  return state;
}
