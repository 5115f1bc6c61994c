// Creates the services of maintenance and of the queue's consumer.
import { runnerClient } from "../platform/batches/runner-client.ts";
import { jsonLog } from "../platform/json-log.ts";
import { accountObjects } from "../platform/maintenance/account-objects.ts";
import { fileArchive, templateArchive } from "../platform/maintenance/object-archives.ts";
import { accountArchive, documentArchive, eventArchive, passStore } from "../platform/maintenance/row-archives.ts";
import { senderClient } from "../platform/webhooks/webhook-queue.ts";
import { webhookStore } from "../platform/webhooks/webhook-store.ts";
import type { DispatchServices, MaintenanceServices } from "../ports/services.ts";
import { readBinding, readDeliveredRetentionMs, readLeaseMs } from "../settings.ts";
import { connect } from "./shared-services.ts";

/** The time limit of each D1 try in maintenance. It is long, because no customer's request is waiting. */
const operatorTimeoutMs = 15_000;

/** Returns the services that the queue consumer and the scheduled run need to dispatch events. */
export function dispatchServices(env: Env): DispatchServices {
  const { d1, calls } = connect(env);
  return {
    webhooks: webhookStore(d1),
    senders: senderClient(readBinding(env, "WEBHOOK_SENDER"), calls),
    log: jsonLog,
    now: () => Date.now(),
  };
}

/** Returns the services that the scheduled run and the operator's maintenance commands need. */
export function maintenanceServices(env: Env): MaintenanceServices {
  const { d1, calls } = connect(env, null, operatorTimeoutMs);
  return {
    ...dispatchServices(env),
    documents: documentArchive(d1),
    files: fileArchive(readBinding(env, "FILES")),
    events: eventArchive(d1),
    accounts: accountArchive(d1),
    templates: templateArchive(d1, readBinding(env, "TEMPLATES")),
    objects: accountObjects(
      readBinding(env, "ACCOUNT_QUOTA"),
      readBinding(env, "WEBHOOK_SENDER"),
      readBinding(env, "BATCH_RUNNER"),
      calls.homeOf,
    ),
    batches: runnerClient(readBinding(env, "BATCH_RUNNER"), calls),
    passes: passStore(d1),
    settings: { leaseMs: readLeaseMs(env), deliveredRetentionMs: readDeliveredRetentionMs(env) },
  };
}
