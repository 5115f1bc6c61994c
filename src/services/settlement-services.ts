// Creates the services of the Durable Object with an account's quota. It renders nothing, so it loads little code.
import { completedByMonth } from "../platform/documents/document-lists.ts";
import { logFailure } from "../platform/json-log.ts";
import type { QuotaServices } from "../ports/services.ts";
import { connect, recordServices } from "./shared-services.ts";

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
