// Creates the services that operations use, and decides which adapter implements each port.
import { regionOf, type Region, type RequestOrigin } from "./core/region.ts";
import { secretCipher } from "./core/webhooks/secret-encryption.ts";
import { accountStore } from "./platform/accounts/account-store.ts";
import { homeRegions } from "./platform/accounts/home-regions.ts";
import { keyDirectory } from "./platform/accounts/key-directory.ts";
import { webhookQueue } from "./platform/webhooks/webhook-queue.ts";
import { webhookStore } from "./platform/webhooks/webhook-store.ts";
import { webhookTransport } from "./platform/webhooks/webhook-transport.ts";
import { d1Client } from "./platform/d1/d1-client.ts";
import { documentStore } from "./platform/documents/document-store.ts";
import { fileStore } from "./platform/documents/file-store.ts";
import { accountArchive } from "./platform/maintenance/account-archive.ts";
import { accountObjects } from "./platform/maintenance/account-objects.ts";
import { documentArchive } from "./platform/maintenance/document-archive.ts";
import { eventArchive } from "./platform/maintenance/event-archive.ts";
import { fileArchive } from "./platform/maintenance/file-archive.ts";
import { maintenanceClient } from "./platform/maintenance/maintenance-client.ts";
import { passStore } from "./platform/maintenance/pass-store.ts";
import { templateArchive } from "./platform/maintenance/template-archive.ts";
import { healthChecks } from "./platform/health.ts";
import { imageSource } from "./platform/images/image-source.ts";
import { jsonLog } from "./platform/json-log.ts";
import { assetReader, fontLibrary } from "./platform/rendering/font-library.ts";
import { poolClient } from "./platform/rendering/pool-client.ts";
import { isolateMemory } from "./platform/rendering/render-memory.ts";
import { isolateSlices } from "./platform/rendering/slice-scheduler.ts";
import { rateLimits, type RateLimitBindings } from "./platform/accounts/rate-limits.ts";
import { quotaClient } from "./platform/accounts/quota-client.ts";
import { senderClient } from "./platform/webhooks/sender-client.ts";
import { templateCatalog } from "./platform/templates/template-catalog.ts";
import { templateStore } from "./platform/templates/template-store.ts";
import { webhookSecretStore } from "./platform/webhooks/webhook-secret-store.ts";
import type {
  DeliveryServices,
  DispatchServices,
  MaintenanceServices,
  OperatorServices,
  QuotaServices,
  Services,
} from "./ports/services.ts";
import {
  areRateLimitsOn,
  readBinding,
  readDeliveryRules,
  readEncryptionKeys,
  readLeaseMs,
  readNumber,
  readPoolPlan,
  readSettings,
  type EncryptionKeyTexts,
} from "./settings.ts";

/**
 * Returns the services for one API request. `waitUntil` keeps the Worker running after the response until the given
 * work has finished. A request without `cf` counts as one from the default region.
 */
export function requestServices(
  env: Env,
  waitUntil: (work: Promise<unknown>) => void,
  { url, cf }: { url: string; cf?: RequestOrigin | undefined } = { url: "http://localhost" },
): Services {
  return {
    ...isolateServices(env, regionOf(cf), new URL(url).origin),
    background: (what, work) => waitUntil(logged(what, work)),
  };
}

type IsolateServices = Omit<Services, "background">;

/** The services of each environment, by the region and the origin of a request. There is one environment in production. */
const assembled = new WeakMap<Env, Map<string, IsolateServices>>();

/** A caller of a local service may send any host name, so the services of one environment are bounded. */
const maxAssembled = 100;

/** Returns what the requests of an isolate share: assembling it takes as long as a query of the database. */
function isolateServices(env: Env, region: Region, origin: string): IsolateServices {
  const byOrigin = assembled.get(env) ?? new Map<string, IsolateServices>();
  const key = `${region} ${origin}`;
  const known = byOrigin.get(key);
  if (known) return known;
  const services = assemble(env, region, origin);
  if (byOrigin.size >= maxAssembled) byOrigin.clear();
  assembled.set(env, byOrigin.set(key, services));
  return services;
}

function assemble(env: Env, region: Region, origin: string): IsolateServices {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  const d1 = d1Client(readBinding(env, "DB"), callTimeoutMs);
  const poolPlan = readPoolPlan(env);
  return {
    keys: keyDirectory(d1),
    rateLimits: areRateLimitsOn(env) ? rateLimits(rateLimitBindings(env), jsonLog) : null,
    templates: templateCatalog(d1, readBinding(env, "TEMPLATES")),
    documents: documentStore(d1),
    files: fileStore(readBinding(env, "FILES"), callTimeoutMs),
    quota: quotaClient(readBinding(env, "ACCOUNT_QUOTA"), {
      tryTimeoutMs: callTimeoutMs,
      homeOf: homeRegions(d1, region),
    }),
    renderer: poolClient(readBinding(env, "BROWSER_POOL"), poolPlan, region),
    memory: isolateMemory,
    slices: isolateSlices,
    webhookQueue: webhookQueue(readBinding(env, "WEBHOOKS"), callTimeoutMs),
    images: imageSource,
    fonts: fontLibrary(assetReader(readBinding(env, "ASSETS")), jsonLog),
    health: healthChecks({
      d1,
      files: readBinding(env, "FILES"),
      templates: readBinding(env, "TEMPLATES"),
      webhookQueue: readBinding(env, "WEBHOOKS"),
      version: readBinding(env, "VERSION"),
      browserPools: readBinding(env, "BROWSER_POOL"),
      poolPlan,
      region,
    }),
    settings: readSettings(env, origin),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    log: jsonLog,
    measure: (_stage, work) => work(),
  };
}

function rateLimitBindings(env: Env): RateLimitBindings {
  return { failures: readBinding(env, "FAILED_AUTHENTICATION_LIMIT"), requests: readBinding(env, "REQUEST_LIMIT") };
}

/** Returns the services that an account's quota object needs to settle expired holds and interrupted deletes. */
export function settlementServices(env: Env): QuotaServices {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  const d1 = d1Client(readBinding(env, "DB"), callTimeoutMs);
  return {
    documents: documentStore(d1),
    archive: documentArchive(d1),
    files: fileStore(readBinding(env, "FILES"), callTimeoutMs),
    webhookQueue: webhookQueue(readBinding(env, "WEBHOOKS"), callTimeoutMs),
    log: jsonLog,
    now: () => Date.now(),
    // No `waitUntil` is needed, because a Durable Object stays in memory while its own work is running.
    background: (what, work) => void logged(what, work),
  };
}

/** Returns the services that an account's sender needs to deliver webhooks. */
export function deliveryServices(env: Env & EncryptionKeyTexts): DeliveryServices {
  const d1 = d1Client(readBinding(env, "DB"), readNumber(env, "CALL_TIMEOUT_MS"));
  const keys = readEncryptionKeys(env);
  return {
    webhooks: webhookStore(d1),
    secrets: webhookSecretStore(
      d1,
      secretCipher(() => keys),
    ),
    transport: webhookTransport(readNumber(env, "WEBHOOK_TIMEOUT_MS")),
    webhookUrls: readDeliveryRules(env),
    log: jsonLog,
    now: () => Date.now(),
    random: () => Math.random(),
  };
}

/** Returns the services that the queue consumer and the scheduled run need to dispatch events. */
export function dispatchServices(env: Env): DispatchServices {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  const d1 = d1Client(readBinding(env, "DB"), callTimeoutMs);
  return {
    webhooks: webhookStore(d1),
    senders: senderClient(readBinding(env, "WEBHOOK_SENDER"), {
      tryTimeoutMs: callTimeoutMs,
      homeOf: homeRegions(d1, null),
    }),
    log: jsonLog,
    now: () => Date.now(),
  };
}

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
    objects: accountObjects(readBinding(env, "ACCOUNT_QUOTA"), readBinding(env, "WEBHOOK_SENDER")),
    passes: passStore(d1),
    settings: { leaseMs: readLeaseMs(env) },
  };
}

function logged(what: string, work: Promise<unknown>): Promise<unknown> {
  return work.catch((cause: unknown) => jsonLog("error", { event: "background.failed", what, cause }));
}

/** The time limit for each try when an operator's command or maintenance calls D1. It is long, because no request is waiting. */
const operatorTimeoutMs = 15_000;

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
    archive: {
      accounts: accountArchive(d1),
      documents: documentArchive(d1),
      events: eventArchive(d1),
      templates: templateArchive(d1, readBinding(bindings, "TEMPLATES")),
    },
    files: fileStore(readBinding(bindings, "FILES"), operatorTimeoutMs),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  };
}
