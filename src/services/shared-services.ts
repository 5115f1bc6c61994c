// Creates the parts that several groups of services share.
import type { Region } from "../core/region.ts";
import { homeRegions } from "../platform/home-regions.ts";
import { d1Client } from "../platform/d1/d1-client.ts";
import { documentStore } from "../platform/documents/document-store.ts";
import { fileStore } from "../platform/documents/file-store.ts";
import { jsonLog } from "../platform/json-log.ts";
import { webhookQueue } from "../platform/webhooks/webhook-queue.ts";
import type { SettlementServices } from "../ports/services.ts";
import { readBinding, readNumber } from "../settings.ts";

/**
 * Returns the database and the settings for calling objects: each try has the time limit, and objects of accounts without a
 * home region are created in `region`.
 */
export function connect(env: Env, region: Region | null = null, tryTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS")) {
  const d1 = d1Client(readBinding(env, "DB"), tryTimeoutMs);
  return { d1, calls: { tryTimeoutMs, homeOf: homeRegions(d1, region) } };
}

/** Returns the services that record documents. */
export function recordServices(
  env: Env,
  { d1, calls: { tryTimeoutMs } }: ReturnType<typeof connect>,
): Omit<SettlementServices, "background"> {
  return {
    documents: documentStore(d1),
    files: fileStore(readBinding(env, "FILES"), tryTimeoutMs),
    webhookQueue: webhookQueue(readBinding(env, "WEBHOOKS"), tryTimeoutMs),
    log: jsonLog,
    now: () => Date.now(),
  };
}
