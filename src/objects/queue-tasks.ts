// The tasks that render an account's queued documents and items. A fault of the service counts only for the document or item it occurred
// in, unless the whole service is failing.
import { agedCache } from "colophon-base/aged-cache";
import { CodedError } from "colophon-base/loggable-error";
import type { Batch, BatchItem } from "../core/batches/batch.ts";
import { afterFault, isGivenUp, type Faults } from "../core/batches/render-faults.ts";
import { internalError } from "../core/errors.ts";
import { isStorageAvailable } from "../operations/batches/check-storage.ts";
import { failedItem, renderItem, renderQueuedDocument } from "../operations/batches/render-items.ts";
import type { ClaimedDocument, ClaimedItem } from "../ports/batches.ts";
import type { BatchServices } from "../ports/services.ts";
import type { BatchLedger } from "./batches/batch-ledger.ts";
import type { TaskEnd } from "./batches/task-loop.ts";

/** Items in progress may be in two parts of their batches, and two batches may be in progress. */
const keptLines = { maxEntries: 4, maxAgeMs: 60_000, weight: { max: 8_000_000, of: charsOf } };

function charsOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

/** `before` are the faults of the task before this one. */
type Fault = { accountId: string; cause: unknown; before: Faults };
type Parts = { ledger(): BatchLedger; isStopped(): boolean };

export class QueueTasks {
  readonly #services: BatchServices;
  readonly #parts: Parts;
  /** The lines of the parts that were read last, because items are rendered in order. */
  readonly #lines = agedCache<string[]>(keptLines);

  constructor(services: BatchServices, parts: Parts) {
    this.#services = services;
    this.#parts = parts;
  }

  async runDocument(claimed: ClaimedDocument, waiting: number): Promise<TaskEnd> {
    const { hold, at } = claimed.document;
    const { id } = hold.draft;
    const { quota, servicesFor } = this.#services;
    try {
      const retryAfterSeconds = await renderQueuedDocument(quota, servicesFor(at), claimed, waiting);
      if (retryAfterSeconds === null) this.#parts.ledger().endDocument(id);
      else this.#parts.ledger().returnDocument(id, claimed);
      return retryAfterSeconds === null ? "done" : { retryAfterSeconds };
    } catch (cause) {
      // If a document cannot be ended, its hold is settled when its lease ends.
      const fault = { accountId: hold.draft.accountId, cause, before: claimed };
      return this.retryLater(fault, (faults) => this.#parts.ledger().returnDocument(id, faults));
    }
  }

  async runItem(claimed: ClaimedItem, waiting: number): Promise<TaskEnd> {
    const { batchId, index } = claimed;
    const batch = this.#parts.ledger().batch(batchId);
    try {
      const item = await this.#readItem(batch, index);
      const render = await renderItem(this.#services.servicesFor(batch.at), batch, { item, waiting }, claimed);
      if (render.status !== "ended") {
        this.#parts.ledger().returnItem(claimed, claimed, render.status === "crashed");
        return render.status === "postponed" ? render : { retryAfterSeconds: 0 };
      }
      this.#parts.ledger().endItem(batchId, index, render.outcome);
      await this.settle(batch.accountId, batchId);
      return "done";
    } catch (cause) {
      return this.retryLater({ accountId: batch.accountId, cause, before: claimed }, (faults) => {
        const isCounted = faults.faults > claimed.faults;
        if (isCounted && isGivenUp(claimed))
          this.#parts.ledger().endItem(batchId, index, failedItem(internalError(cause)));
        else this.#parts.ledger().returnItem(claimed, faults);
      });
    }
  }

  async #readItem({ accountId, id }: Batch, index: number): Promise<BatchItem> {
    const chunk = this.#parts.ledger().chunkOf(id, index);
    const lines = await this.#lines.get(`${id} ${chunk.firstIndex}`, async () => {
      const text = await this.#services.batchFiles.readItems(accountId, id, chunk);
      return text.split("\n").filter((line) => line.trim() !== "");
    });
    const line = lines[index - chunk.firstIndex];
    if (line === undefined) throw new CodedError("batch.item_missing", `item ${index} of batch ${id} is missing`);
    // It was validated when it was stored.
    return JSON.parse(line) as BatchItem;
  }

  /**
   * Schedules the next try of a task after a fault. If the service works otherwise, only this task waits, so that it does not delay others.
   * If the whole service is failing, the fault is not counted, and the loop pauses.
   */
  async retryLater({ accountId, cause, before }: Fault, wait: (faults: Faults) => void): Promise<TaskEnd> {
    const isWorking = await isStorageAvailable(this.#services, accountId);
    if (this.#parts.isStopped()) return "done";
    wait(isWorking ? afterFault(before, this.#services.now()) : before);
    if (!isWorking) throw cause;
    this.#services.log("error", { event: "batch.task_failed", faults: before.faults + 1, cause });
    return "done";
  }

  /** Reports the batch's progress to the quota. If that fails, the end of the batch reports everything. */
  async settle(accountId: string, batchId: string): Promise<void> {
    const { quota, log } = this.#services;
    const settled = quota.settleBatch(accountId, batchId, this.#parts.ledger().progress(batchId));
    await settled.catch((cause: unknown) => log("warn", { event: "batch.not_settled", batchId, cause }));
  }
}
