// Ends a batch whose items have all ended: settles its hold, creates the merged files, one per call, and stores the event for its
// webhook. Each step may be repeated after a crash.
import { batchRecord, type BatchState } from "../../core/batches/batch.ts";
import { mergedFileKey } from "../../core/batches/item-ids.ts";
import { batchEventOf } from "../../core/webhooks/webhook-event.ts";
import type { BatchServices } from "../../ports/services.ts";
import { maxBatchMs, openMs, type BatchLedger } from "./batch-ledger.ts";
import type { RemovableBatch } from "./batch-records.ts";
import { mergeNext, type Finishing } from "./merge-files.ts";

/** Returns whether the batch needs merged files, which take longer than other tasks. */
export function isMerging({ batch, endedAt }: BatchState): boolean {
  return endedAt === null && batch.output.includes("merged");
}

/** Call it again until the batch has ended, even if it rejects because a part of the service fails. */
export async function finishBatch(finishing: Finishing, finished: BatchState): Promise<void> {
  const { services, ledger } = finishing;
  const { batch, endedAt } = finished;
  const { id, accountId, webhookUrl } = batch;
  await services.quota.settleBatch(accountId, id, ledger.progress(id));
  if (isMerging(finished) && !(await mergeNext(finishing, batch))) return;
  if (endedAt === null) ledger.markEnded(id, services.now());
  const state = ledger.find(id);
  if (webhookUrl !== null && state) {
    const record = batchRecord({ ...state, status: "ended" });
    const nowMs = state.endedAt ?? services.now();
    const event = batchEventOf(record, { accountId, url: webhookUrl, nowMs, baseUrl: batch.baseUrl });
    await services.webhooks.insert(event);
    services.background("send the event to the queue", services.webhookQueue.send({ accountId, eventId: event.id }));
  }
  ledger.end(id);
}

/**
 * Removes the merged files of all batches. A file that was merged just before a crash may not be recorded, so the next keys are
 * also removed.
 */
export async function removeMergedFiles({ mergedFiles }: BatchServices, ledger: BatchLedger): Promise<void> {
  for (const { batch, files } of ledger.merging()) {
    await mergedFiles.remove(files);
    for (let number = files.length; ; number++) {
      const fileKey = mergedFileKey(batch, number);
      if (!(await mergedFiles.exists(fileKey))) break;
      await mergedFiles.remove([fileKey]);
    }
  }
}

/** Removes the stored data of a batch, and then its records. */
async function removeBatch(services: BatchServices, ledger: BatchLedger, removable: RemovableBatch): Promise<void> {
  const { accountId, batchId, files } = removable;
  // A batch that was not accepted may have a hold, which ends here.
  const { completed } = ledger.progress(batchId);
  await services.quota.settleBatch(accountId, batchId, { completed, ended: Number.MAX_SAFE_INTEGER });
  await services.mergedFiles.remove(files);
  await services.batchFiles.remove(accountId, batchId);
  ledger.purge(batchId, services.now());
}

/** Cancels overdue batches and removes expired ones. Returns false if something could not be removed. */
export async function removeExpiredBatches(services: BatchServices, ledger: BatchLedger): Promise<boolean> {
  const nowMs = services.now();
  let areRemoved = true;
  for (const batch of ledger.cancelOverdue({ nowMs, beganBefore: nowMs - maxBatchMs, openedBefore: nowMs - openMs })) {
    await removeBatch(services, ledger, batch).catch((cause: unknown) => {
      services.log("warn", { event: "batch.not_removed", batchId: batch.batchId, cause });
      areRemoved = false;
    });
  }
  return areRemoved;
}
