// Creates the services of the object with an account's batches.
import { quotaClient } from "../platform/accounts/quota-client.ts";
import { homeRegions } from "../platform/accounts/home-regions.ts";
import { batchFiles } from "../platform/batches/batch-files.ts";
import { mergedFiles } from "../platform/batches/merged-files.ts";
import { d1Client } from "../platform/d1/d1-client.ts";
import { documentStore } from "../platform/documents/document-store.ts";
import { fileStore } from "../platform/documents/file-store.ts";
import { jsonLog, logFailure } from "../platform/json-log.ts";
import { webhookQueue } from "../platform/webhooks/webhook-queue.ts";
import { webhookStore } from "../platform/webhooks/webhook-store.ts";
import type { BatchServices } from "../ports/services.ts";
import { readBatchLimits, readBinding, readLeaseMs, readNumber } from "../settings.ts";
import { servicesAt } from "./request-services.ts";

/** `waitUntil` gets work that nothing waits for. */
export function batchServices(env: Env, waitUntil: (work: Promise<unknown>) => void): BatchServices {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  const d1 = d1Client(readBinding(env, "DB"), callTimeoutMs);
  const files = readBinding(env, "FILES");
  return {
    quota: quotaClient(readBinding(env, "ACCOUNT_QUOTA"), {
      tryTimeoutMs: callTimeoutMs,
      homeOf: homeRegions(d1, null),
    }),
    documents: documentStore(d1),
    files: fileStore(files, callTimeoutMs),
    batchFiles: batchFiles(readBinding(env, "TEMPLATES")),
    mergedFiles: mergedFiles(files),
    webhooks: webhookStore(d1),
    webhookQueue: webhookQueue(readBinding(env, "WEBHOOKS"), callTimeoutMs),
    settings: {
      leaseMs: readLeaseMs(env),
      renderBudgetMs: readNumber(env, "RENDER_BUDGET_MS"),
      batchLimits: readBatchLimits(env),
    },
    rendersAtOnce: readNumber(env, "POOL_CONCURRENT_PAGES"),
    at: (origin) => servicesAt(env, waitUntil, origin),
    log: jsonLog,
    now: () => Date.now(),
    background: (what, work) => waitUntil(logFailure(what, work)),
  };
}
