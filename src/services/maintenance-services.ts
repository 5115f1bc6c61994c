// Creates the services of maintenance and of the queue's consumer.
import { runnerClient } from "../platform/batches/runner-client.ts";
import { jsonLog } from "../platform/json-log.ts";
import { accountObjects } from "../platform/maintenance/account-objects.ts";
import { fileArchive, templateArchive } from "../platform/maintenance/object-archives.ts";
import { accountArchive, passStore, shardArchives } from "../platform/maintenance/row-archives.ts";
import { senderClient } from "../platform/webhooks/webhook-queue.ts";
import type { DispatchServices, MaintenanceServices } from "../ports/services.ts";
import { inJurisdiction, readBinding, readDeliveredRetentionMs, readLeaseMs } from "../settings.ts";
import { connect, filesOf } from "./shared-services.ts";

/** The time limit of each D1 try in maintenance. It is long, because no customer's request is waiting. */
const operatorTimeoutMs = 15_000;

/** Returns the services that the queue consumer and the scheduled run need to dispatch events. */
export function dispatchServices(env: Env): DispatchServices {
  const { calls } = connect(env);
  return {
    senders: senderClient(inJurisdiction(env, readBinding(env, "WEBHOOK_SENDER")), calls),
    log: jsonLog,
    now: () => Date.now(),
  };
}

/** Returns the services that the scheduled run and the operator's maintenance commands need. */
export function maintenanceServices(env: Env): MaintenanceServices {
  const { databases, calls } = connect(env, null, operatorTimeoutMs);
  const { directory, shards } = databases;
  return {
    ...dispatchServices(env),
    shards: [...shards].map(([number, d1]) => ({ number, ...shardArchives(d1, directory) })),
    shardOf: async (accountId) => shardArchives(await databases.of(accountId), directory),
    files: fileArchive(filesOf(env)),
    accounts: accountArchive(databases),
    templates: templateArchive(directory, readBinding(env, "TEMPLATES")),
    objects: accountObjects(
      inJurisdiction(env, readBinding(env, "ACCOUNT_QUOTA")),
      inJurisdiction(env, readBinding(env, "WEBHOOK_SENDER")),
      inJurisdiction(env, readBinding(env, "BATCH_RUNNER")),
      calls.homeOf,
    ),
    batches: runnerClient(inJurisdiction(env, readBinding(env, "BATCH_RUNNER")), calls),
    passes: passStore(directory),
    settings: { leaseMs: readLeaseMs(env), deliveredRetentionMs: readDeliveredRetentionMs(env) },
  };
}
