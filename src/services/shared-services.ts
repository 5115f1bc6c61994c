// Creates the parts that several groups of services share, and the services of the object with an account's quota. They load little code,
// because that object renders nothing.
import type { Region } from "../core/region.ts";
import { databases as openDatabases } from "../platform/d1/databases.ts";
import { completedByMonth } from "../platform/documents/document-lists.ts";
import { documentStore } from "../platform/documents/document-store.ts";
import { fileBucket, fileStore, type FileBucket } from "../platform/documents/file-store.ts";
import { jsonLog, logFailure } from "../platform/json-log.ts";
import { homeRegions } from "../platform/placements.ts";
import { webhookQueue } from "../platform/webhooks/webhook-queue.ts";
import type { QuotaServices, SettlementServices } from "../ports/services.ts";
import { readBinding, readJurisdiction, readLocations, readNumber, readShards } from "../settings.ts";

/**
 * Returns the databases and the settings for calling objects: each try has the time limit, and objects of accounts without a
 * home region are created in `region`.
 */
export function connect(env: Env, region: Region | null = null, tryTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS")) {
  const bindings = readShards(env);
  const locations = readLocations(env, bindings);
  const databases = openDatabases(bindings, tryTimeoutMs, readJurisdiction(env));
  return { databases, locations, calls: { tryTimeoutMs, homeOf: homeRegions(databases, region) } };
}

export function filesOf(env: Env): FileBucket {
  return fileBucket(readBinding(env, "FILES"), readBinding(env, "PRIVATE_FILES"));
}

export function recordServices(
  env: Env,
  { databases, calls: { tryTimeoutMs } }: ReturnType<typeof connect>,
): Omit<SettlementServices, "background"> {
  return {
    documents: documentStore(databases),
    files: fileStore(filesOf(env), tryTimeoutMs),
    webhookQueue: webhookQueue(readBinding(env, "WEBHOOKS"), tryTimeoutMs),
    log: jsonLog,
    now: () => Date.now(),
  };
}

/** Returns the services that an account's quota object needs to settle expired holds and interrupted deletes. */
export function settlementServices(env: Env): QuotaServices {
  const connections = connect(env);
  return {
    ...recordServices(env, connections),
    completedByMonth: (accountId) => completedByMonth(connections.databases, accountId),
    // No `waitUntil` is needed, because a Durable Object stays in memory while its own work is running.
    background: (what, work) => void logFailure(what, work),
  };
}
