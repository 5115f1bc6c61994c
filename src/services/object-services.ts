// Creates the services of the Durable Objects that render an account's batches and deliver its webhooks.
import { imageSource } from "colophon-render/image-source";
import { secretCipher } from "../core/webhooks/secret-encryption.ts";
import { quotaClient } from "../platform/accounts/quota-client.ts";
import { batchFiles } from "../platform/batches/batch-files.ts";
import { mergedFiles } from "../platform/batches/merged-files.ts";
import { runnerClient } from "../platform/batches/runner-client.ts";
import { documentStore } from "../platform/documents/document-store.ts";
import { jsonLog, logFailure } from "../platform/json-log.ts";
import { poolsFor } from "../platform/rendering/pool-choice.ts";
import { sharedImages } from "../platform/rendering/shared-images.ts";
import { webhookSecretStore } from "../platform/webhooks/webhook-secret-store.ts";
import { webhookStore } from "../platform/webhooks/webhook-store.ts";
import { webhookTransport } from "../platform/webhooks/webhook-transport.ts";
import type { BatchServices, DeliveryServices } from "../ports/services.ts";
import {
  inJurisdiction,
  readBatchLimits,
  readBatchPools,
  readBinding,
  readDeliveryRules,
  readLeaseMs,
  readNumber,
} from "../settings.ts";
import { readEncryptionKeys, type EncryptionKeyTexts } from "./encryption-keys.ts";
import { servicesAt } from "./request-services.ts";
import { connect, filesOf, recordServices } from "./shared-services.ts";

/**
 * Returns the services of the object with an account's batches. Work that nothing waits for is passed to `waitUntil`.
 */
export function batchServices(env: Env, waitUntil: (work: Promise<unknown>) => void): BatchServices {
  const connections = connect(env);
  const images = sharedImages(imageSource);
  return {
    ...recordServices(env, connections),
    quota: quotaClient(inJurisdiction(env, readBinding(env, "ACCOUNT_QUOTA")), connections.calls),
    batchFiles: batchFiles(readBinding(env, "TEMPLATES")),
    mergedFiles: mergedFiles(filesOf(env)),
    webhooks: webhookStore(connections.databases),
    settings: {
      leaseMs: readLeaseMs(env),
      renderBudgetMs: readNumber(env, "RENDER_BUDGET_MS"),
      batchLimits: readBatchLimits(env),
    },
    rendersAtOnce: (waiting) => readNumber(env, "POOL_CONCURRENT_PAGES") * poolsFor(waiting, readBatchPools(env)),
    servicesFor: (origin) => ({ ...servicesAt(env, waitUntil, origin), images }),
    background: (what, work) => waitUntil(logFailure(what, work)),
  };
}

export function deliveryServices(env: Env & EncryptionKeyTexts): DeliveryServices {
  const { databases, calls } = connect(env);
  const keys = readEncryptionKeys(env);
  const cipher = secretCipher(() => keys);
  return {
    webhooks: webhookStore(databases),
    documents: documentStore(databases),
    batches: runnerClient(inJurisdiction(env, readBinding(env, "BATCH_RUNNER")), calls),
    encryptionKeys: () => keys,
    secrets: webhookSecretStore(databases.directory, cipher),
    transport: webhookTransport(readNumber(env, "WEBHOOK_TIMEOUT_MS")),
    webhookUrls: readDeliveryRules(env),
    log: jsonLog,
    now: () => Date.now(),
    random: () => Math.random(),
  };
}
