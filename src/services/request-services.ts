// Creates the services of an API request, and decides which adapter implements each port.
import { isolateFonts } from "colophon-render/font-library";
import { imageSource } from "colophon-render/image-source";
import type { Origin } from "../core/batches/batch.ts";
import { regionOf } from "../core/region.ts";
import { secretCipher } from "../core/webhooks/secret-encryption.ts";
import { inFlightOf, isolateEarlyRenders } from "../platform/accounts/early-renders.ts";
import { keyDirectory } from "../platform/accounts/key-directory.ts";
import { quotaClient } from "../platform/accounts/quota-client.ts";
import { rateLimits, type RateLimitBindings } from "../platform/accounts/rate-limits.ts";
import { batchFiles } from "../platform/batches/batch-files.ts";
import { runnerClient } from "../platform/batches/runner-client.ts";
import { downloadLog } from "../platform/documents/download-log.ts";
import { healthChecks } from "../platform/health.ts";
import { jsonLog, logFailure } from "../platform/json-log.ts";
import { poolClient } from "../platform/rendering/pool-client.ts";
import { isolateMemory } from "../platform/rendering/render-memory.ts";
import { isolateSlices } from "../platform/rendering/slice-scheduler.ts";
import { templateCatalog } from "../platform/templates/template-catalog.ts";
import type { Services } from "../ports/services.ts";
import { areRateLimitsOn, inJurisdiction, readBinding, readPoolPlan, readSettings } from "../settings.ts";
import { readEncryptionKeys, type EncryptionKeyTexts } from "./encryption-keys.ts";
import { connect, recordServices } from "./shared-services.ts";

/**
 * Returns the services for one API request. `waitUntil` keeps the Worker running after the response until the given
 * work has finished. A request without `cf` is assigned to the default region.
 */
export function requestServices(
  env: Env,
  waitUntil: (work: Promise<unknown>) => void,
  { url, cf }: { url: string; cf?: object | undefined } = { url: "http://localhost" },
): Services {
  return servicesAt(env, waitUntil, { region: regionOf(cf), origin: new URL(url).origin });
}

export function servicesAt(env: Env, waitUntil: (work: Promise<unknown>) => void, at: Origin): Services {
  return { ...isolateServices(env, at), background: (what, work) => waitUntil(logFailure(what, work)) };
}

type IsolateServices = Omit<Services, "background">;

/**
 * The services of each environment, by the region and origin of a request. In production, there is only one environment.
 */
const assembled = new WeakMap<Env, Map<string, IsolateServices>>();

/** A caller of a local service can send any host name, so the number of services per environment is bounded. */
const maxAssembled = 100;

/** Returns the services that an isolate's requests share: assembling them takes as long as a database query. */
function isolateServices(env: Env, at: Origin): IsolateServices {
  const byOrigin = assembled.get(env) ?? new Map<string, IsolateServices>();
  const key = `${at.region} ${at.origin}`;
  const cached = byOrigin.get(key);
  if (cached) return cached;
  const services = assemble(env, at);
  if (byOrigin.size >= maxAssembled) byOrigin.clear();
  assembled.set(env, byOrigin.set(key, services));
  return services;
}

function assemble(env: Env & EncryptionKeyTexts, at: Origin): IsolateServices {
  const { region, origin } = at;
  const connections = connect(env, region);
  const { databases, calls } = connections;
  const { directory } = databases;
  const poolPlan = readPoolPlan(env);
  return {
    ...recordServices(env, connections),
    keys: keyDirectory(databases),
    downloads: downloadLog(databases),
    rateLimits: areRateLimitsOn(env) ? rateLimits(rateLimitBindings(env), jsonLog) : null,
    templates: templateCatalog(directory, readBinding(env, "TEMPLATES")),
    quota: quotaClient(inJurisdiction(env, readBinding(env, "ACCOUNT_QUOTA")), calls),
    earlyRenders: isolateEarlyRenders,
    batches: runnerClient(inJurisdiction(env, readBinding(env, "BATCH_RUNNER")), calls),
    batchFiles: batchFiles(readBinding(env, "TEMPLATES")),
    origin: at,
    renderer: poolClient(inJurisdiction(env, readBinding(env, "BROWSER_POOL")), poolPlan, region, {
      log: jsonLog,
      inFlightOf,
    }),
    memory: isolateMemory,
    slices: isolateSlices,
    images: imageSource,
    fonts: isolateFonts(readBinding(env, "ASSETS"), jsonLog),
    health: healthChecks({
      databases,
      files: readBinding(env, "FILES"),
      privateFiles: readBinding(env, "PRIVATE_FILES"),
      templates: readBinding(env, "TEMPLATES"),
      webhookQueue: readBinding(env, "WEBHOOKS"),
      version: readBinding(env, "VERSION"),
      browserPools: inJurisdiction(env, readBinding(env, "BROWSER_POOL")),
      poolPlan,
      region,
    }),
    settings: readSettings(env, origin),
    encryptionKeys: () => readEncryptionKeys(env),
    passwords: secretCipher(() => readEncryptionKeys(env), "passwords"),
    newId: () => crypto.randomUUID(),
    measure: (_stage, work) => work(),
  };
}

function rateLimitBindings(env: Env): RateLimitBindings {
  return { failures: readBinding(env, "FAILED_AUTHENTICATION_LIMIT"), requests: readBinding(env, "REQUEST_LIMIT") };
}
