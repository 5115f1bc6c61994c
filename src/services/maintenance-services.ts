// Creates the services of maintenance.
import { homeRegions } from "../platform/accounts/home-regions.ts";
import { runnerClient } from "../platform/batches/runner-client.ts";
import { d1Client } from "../platform/d1/d1-client.ts";
import { accountArchive } from "../platform/maintenance/account-archive.ts";
import { accountObjects } from "../platform/maintenance/account-objects.ts";
import { documentArchive } from "../platform/maintenance/document-archive.ts";
import { eventArchive } from "../platform/maintenance/event-archive.ts";
import { fileArchive } from "../platform/maintenance/file-archive.ts";
import { passStore } from "../platform/maintenance/pass-store.ts";
import { templateArchive } from "../platform/maintenance/template-archive.ts";
import type { MaintenanceServices } from "../ports/services.ts";
import { readBinding, readLeaseMs } from "../settings.ts";
import { dispatchServices } from "./webhook-services.ts";

/** The time limit for each try when maintenance calls D1. It is long, because no request of a customer is waiting. */
export const operatorTimeoutMs = 15_000;

/** Returns the services that the scheduled run and the operator's maintenance commands need. */
export function maintenanceServices(env: Env): MaintenanceServices {
  const d1 = d1Client(readBinding(env, "DB"), operatorTimeoutMs);
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
      homeRegions(d1, null),
    ),
    batches: runnerClient(readBinding(env, "BATCH_RUNNER"), {
      tryTimeoutMs: operatorTimeoutMs,
      homeOf: homeRegions(d1, null),
    }),
    passes: passStore(d1),
    settings: { leaseMs: readLeaseMs(env) },
  };
}
