// Creates the services of the operator's commands.
import { secretCipher } from "../core/webhooks/secret-encryption.ts";
import { accountStore } from "../platform/accounts/account-store.ts";
import { webhookStore } from "../platform/webhooks/webhook-store.ts";
import { d1Client } from "../platform/d1/d1-client.ts";
import { accountArchive } from "../platform/maintenance/account-archive.ts";
import { maintenanceClient } from "../platform/maintenance/maintenance-client.ts";
import { templateStore } from "../platform/templates/template-store.ts";
import { webhookSecretStore } from "../platform/webhooks/webhook-secret-store.ts";
import type { OperatorServices } from "../ports/services.ts";
import { readBinding, readEncryptionKeys, type EncryptionKeyTexts } from "../settings.ts";
import { operatorTimeoutMs } from "./maintenance-services.ts";

/** The bindings of the operator's commands. `MAINTENANCE` is the entry point of that name of the running service. */
export type OperatorBindings = Pick<Env, "DB" | "TEMPLATES" | "FILES"> &
  EncryptionKeyTexts & { MAINTENANCE?: Pick<Fetcher, "fetch"> };

/**
 * Returns the services that the operator's commands need. D1 calls are retried more often than in a request, because
 * the running service may have locked the local database. The keys of webhook secrets are read only by the commands that need
 * them.
 */
export function operatorServices(bindings: OperatorBindings): OperatorServices {
  const d1 = d1Client(readBinding(bindings, "DB"), operatorTimeoutMs, 10);
  const cipher = secretCipher(() => readEncryptionKeys(bindings));
  return {
    accounts: accountStore(d1, cipher),
    templates: templateStore(d1, readBinding(bindings, "TEMPLATES")),
    webhooks: webhookStore(d1),
    secrets: webhookSecretStore(d1, cipher),
    service: maintenanceClient(bindings.MAINTENANCE),
    archive: accountArchive(d1),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  };
}
