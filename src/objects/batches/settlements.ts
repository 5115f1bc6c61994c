// Tells the quota how far batches have got, one call at a time: what has changed during a call is in the next one.
import type { BatchProgress } from "../../core/accounts/quota.ts";
import type { BatchQuota } from "../../ports/accounts.ts";
import type { Log } from "colophon-base/log";

export type Settlements = {
  /** Does not wait. If the call fails, the next one, or the end of the batch, makes up for it. */
  settle(accountId: string, batchId: string): void;
};

type Parts = { quota: Pick<BatchQuota, "settleBatch">; progress(batchId: string): BatchProgress; log: Log };

export function settlements({ quota, progress, log }: Parts): Settlements {
  const unsettled = new Set<string>();
  let isSettling = false;
  const settleAll = async (accountId: string) => {
    isSettling = true;
    try {
      // A batch that is added during the loop is visited too.
      for (const batchId of unsettled) {
        unsettled.delete(batchId);
        await quota.settleBatch(accountId, batchId, progress(batchId));
      }
    } catch (cause) {
      log("warn", { event: "batch.not_settled", cause });
    } finally {
      isSettling = false;
    }
  };
  return {
    settle(accountId, batchId) {
      unsettled.add(batchId);
      if (!isSettling) void settleAll(accountId);
    },
  };
}
