// Creates the services that change accounts, keys, templates and webhooks.
import { secretCipher } from "../core/webhooks/secret-encryption.ts";
import { accountStore, owners } from "../platform/accounts/account-store.ts";
import { auditLog } from "../platform/d1/audit-log.ts";
import { usageDays } from "../platform/documents/document-lists.ts";
import { accountTransfer } from "../platform/maintenance/account-transfer.ts";
import { accountArchive } from "../platform/maintenance/row-archives.ts";
import { templateStore } from "../platform/templates/template-store.ts";
import { webhookSecretStore } from "../platform/webhooks/webhook-secret-store.ts";
import { webhookStore } from "../platform/webhooks/webhook-store.ts";
import type { OperatorServices } from "../ports/services.ts";
import { readBinding } from "../settings.ts";
import { readEncryptionKeys, type EncryptionKeyTexts } from "./encryption-keys.ts";
import { connect, filesOf } from "./shared-services.ts";

/** The keys of webhook secrets are read only when needed. */
export function operatorServices(env: Env & EncryptionKeyTexts): OperatorServices {
  const { databases, locations } = connect(env);
  const { directory } = databases;
  const cipher = secretCipher(() => readEncryptionKeys(env));
  return {
    accounts: accountStore(databases, cipher, locations),
    audit: auditLog(directory),
    templates: templateStore(directory, readBinding(env, "TEMPLATES")),
    webhooks: webhookStore(databases),
    secrets: webhookSecretStore(directory, cipher),
    archive: accountArchive(databases),
    usageDays: usageDays(databases),
    transfer: accountTransfer(databases, { files: filesOf(env), templates: readBinding(env, "TEMPLATES") }),
    owners: owners(databases),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  };
}
