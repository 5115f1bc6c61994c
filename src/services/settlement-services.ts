// Creates the services of an account's quota object.
import { webhookQueue } from "../platform/webhooks/webhook-queue.ts";
import { d1Client } from "../platform/d1/d1-client.ts";
import { completedByMonth } from "../platform/documents/document-lists.ts";
import { documentStore } from "../platform/documents/document-store.ts";
import { fileStore } from "../platform/documents/file-store.ts";
import { jsonLog, logFailure } from "../platform/json-log.ts";
import type { QuotaServices } from "../ports/services.ts";
import { readBinding, readNumber } from "../settings.ts";

/** Returns the services that an account's quota object needs to settle expired holds and interrupted deletes. */
export function settlementServices(env: Env): QuotaServices {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  const d1 = d1Client(readBinding(env, "DB"), callTimeoutMs);
  return {
    documents: documentStore(d1),
    completedByMonth: (accountId) => completedByMonth(d1, accountId),
    files: fileStore(readBinding(env, "FILES"), callTimeoutMs),
    webhookQueue: webhookQueue(readBinding(env, "WEBHOOKS"), callTimeoutMs),
    log: jsonLog,
    now: () => Date.now(),
    // No `waitUntil` is needed, because a Durable Object stays in memory while its own work is running.
    background: (what, work) => void logFailure(what, work),
  };
}
