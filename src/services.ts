// Composition: bindings in, services out. The one place that knows which adapter stands behind which port.
import { accountStore, keyDirectory } from "./platform/account-store.ts";
import { callbackQueue } from "./platform/callback-queue.ts";
import { callbackStore } from "./platform/callback-store.ts";
import { callbackTransport } from "./platform/callback-transport.ts";
import { d1Client } from "./platform/d1-client.ts";
import { documentStore } from "./platform/document-store.ts";
import { fileStore } from "./platform/file-store.ts";
import { imageSource } from "./platform/image-source.ts";
import { jsonLog } from "./platform/json-log.ts";
import { poolClient } from "./platform/pool-client.ts";
import { quotaClient } from "./platform/quota-client.ts";
import { senderClient } from "./platform/sender-client.ts";
import { templateCatalog, templateStore } from "./platform/template-store.ts";
import { webhookSecretStore } from "./platform/webhook-secret-store.ts";
import type {
  AccountStore,
  CallbackStore,
  DeliveryServices,
  HandOverServices,
  Services,
  SettlementServices,
  TemplateStore,
  WebhookSecretStore,
} from "./ports.ts";
import { readBinding, readNumber, readSettings, readUrlRules } from "./settings.ts";

/** What requests use. `waitUntil` keeps work alive after the answer. */
export function requestServices(env: Env, waitUntil: (work: Promise<unknown>) => void): Services {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  const d1 = d1Client(readBinding(env, "DB"), callTimeoutMs);
  return {
    keys: keyDirectory(d1),
    templates: templateCatalog(d1, readBinding(env, "TEMPLATES")),
    documents: documentStore(d1),
    files: fileStore(readBinding(env, "FILES"), callTimeoutMs),
    quota: quotaClient(readBinding(env, "ACCOUNT_QUOTA"), callTimeoutMs),
    renderer: poolClient(readBinding(env, "BROWSER_POOL"), readNumber(env, "BROWSER_POOLS")),
    callbackQueue: callbackQueue(readBinding(env, "CALLBACKS"), callTimeoutMs),
    images: imageSource,
    health: { check: () => d1.run(async (db) => void (await db.run("SELECT 1"))) },
    settings: readSettings(env),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    log: jsonLog,
    background: (what, work) => waitUntil(logged(what, work)),
  };
}

/** What an account's object uses to settle what others left. */
export function settlementServices(env: Env): SettlementServices {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  return {
    documents: documentStore(d1Client(readBinding(env, "DB"), callTimeoutMs)),
    files: fileStore(readBinding(env, "FILES"), callTimeoutMs),
    callbackQueue: callbackQueue(readBinding(env, "CALLBACKS"), callTimeoutMs),
    settings: readSettings(env),
    log: jsonLog,
    now: () => Date.now(),
    // An object stays while work of its own is under way.
    background: (what, work) => void logged(what, work),
  };
}

/** What an account's sender uses to deliver callbacks. */
export function deliveryServices(env: Env): DeliveryServices {
  const d1 = d1Client(readBinding(env, "DB"), readNumber(env, "CALL_TIMEOUT_MS"));
  return {
    callbacks: callbackStore(d1),
    secrets: webhookSecretStore(d1),
    transport: callbackTransport(readNumber(env, "CALLBACK_TIMEOUT_MS")),
    callbackUrls: readUrlRules(env, "CALLBACK_ALLOWED_ORIGINS"),
    log: jsonLog,
    now: () => Date.now(),
    random: () => Math.random(),
  };
}

/** What the queue and the clock use. */
export function handOverServices(env: Env): HandOverServices {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  return {
    callbacks: callbackStore(d1Client(readBinding(env, "DB"), callTimeoutMs)),
    senders: senderClient(readBinding(env, "CALLBACK_SENDER"), callTimeoutMs),
    log: jsonLog,
    now: () => Date.now(),
  };
}

function logged(what: string, work: Promise<unknown>): Promise<unknown> {
  return work.catch((cause: unknown) => jsonLog("error", { event: "background.failed", what, cause }));
}

/** A try of the operator's; it has no caller waiting, ms. */
const operatorTimeoutMs = 15_000;

/** What the operator's command uses; patient, because it shares a local database with the running service. */
export function operatorServices(bindings: Pick<Env, "DB" | "TEMPLATES">): {
  accounts: AccountStore;
  templates: TemplateStore;
  callbacks: CallbackStore;
  secrets: WebhookSecretStore;
  now(): number;
  newId(): string;
} {
  const d1 = d1Client(readBinding(bindings, "DB"), operatorTimeoutMs, 10);
  return {
    accounts: accountStore(d1),
    templates: templateStore(d1, readBinding(bindings, "TEMPLATES")),
    callbacks: callbackStore(d1),
    secrets: webhookSecretStore(d1),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  };
}
