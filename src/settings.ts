// The variables of the Worker with their defaults, and its bindings. If one is invalid or a binding is missing, the error names
// it. `wrangler.toml` explains each variable.
import { dayMs } from "colophon-base/calendar-day";
import { CodedError } from "colophon-base/loggable-error";
import { parseOrigins, type UrlRules } from "colophon-base/public-url";
import { basePath } from "./core/api-paths.ts";
import type { BatchLimits } from "./core/batches/batch.ts";
import { isRegion, jurisdictions, regions, type Jurisdiction, type Region } from "./core/region.ts";
import type { Settings } from "./ports/services.ts";

const numberDefaults = {
  LEASE_SECONDS: 30,
  RENDER_BUDGET_MS: 25_000,
  RENDERS_IN_FLIGHT_FREE: 2,
  RENDERS_IN_FLIGHT_STARTER: 4,
  RENDERS_IN_FLIGHT_PRO: 8,
  RENDERS_IN_FLIGHT_ENTERPRISE: 32,
  CALL_TIMEOUT_MS: 5000,
  WEBHOOK_TIMEOUT_MS: 15_000,
  WEBHOOKS_IN_FLIGHT: 5,
  DELIVERED_RETENTION_DAYS: 7,
  BROWSER_POOLS: 1,
  BATCH_POOLS: 4,
  POOL_CONCURRENT_PAGES: 8,
  POOL_MAX_PAGES: 10,
  POOL_QUEUE_LENGTH: 256,
  SESSION_MAX_RENDERS: 5000,
  SESSION_MAX_AGE_MS: 3_600_000,
  SESSION_IDLE_MS: 60_000,
  BATCH_ITEMS: 10_000,
  BATCHES_OPEN: 20,
  BATCH_ITEMS_WAITING: 50_000,
  BATCH_RETENTION_DAYS: 30,
};

const textDefaults = {
  RATE_LIMITS: "on",
  WEBHOOK_ALLOWED_ORIGINS: "",
  IMAGE_ALLOWED_ORIGINS: "",
  DB_LOCATION: "",
  JURISDICTION: "",
  BROWSER_POOL_REGIONS: "wnam,enam,weur,eeur,apac,oc",
  BROWSER_CDP_URL: "",
};

export const variableDefaults = { ...numberDefaults, ...textDefaults };

type NumberName = keyof typeof numberDefaults;
type TextName = keyof typeof textDefaults;
type AddressName = "BASE_URL" | "CDN_URL";

/** Returns the value of a variable that is set. `Env` lists only bindings, because `wrangler.toml` sets no variable. */
function valueOf(env: Env, name: NumberName | TextName | AddressName): string | undefined {
  return (env as { [variable in typeof name]?: string })[name];
}

/** `origin` is the origin of the request's URL. */
export function readSettings(env: Env, origin: string): Settings {
  const baseUrl = readUrl(env, "BASE_URL") ?? origin + basePath;
  const cdnUrl = readUrl(env, "CDN_URL") ?? `${new URL(baseUrl).origin}/files`;
  const ownHosts = new Set([baseUrl, cdnUrl].map((url) => new URL(url).hostname));
  return {
    baseUrl,
    cdnUrl,
    leaseMs: readLeaseMs(env),
    renderBudgetMs: readNumber(env, "RENDER_BUDGET_MS"),
    rendersInFlight: {
      free: readNumber(env, "RENDERS_IN_FLIGHT_FREE"),
      starter: readNumber(env, "RENDERS_IN_FLIGHT_STARTER"),
      pro: readNumber(env, "RENDERS_IN_FLIGHT_PRO"),
      enterprise: readNumber(env, "RENDERS_IN_FLIGHT_ENTERPRISE"),
    },
    batchLimits: readBatchLimits(env),
    batchRetentionMs: readNumber(env, "BATCH_RETENTION_DAYS") * dayMs,
    webhookUrls: { allowedOrigins: readOrigins(env, "WEBHOOK_ALLOWED_ORIGINS"), ownHosts },
    imageUrls: { allowedOrigins: readOrigins(env, "IMAGE_ALLOWED_ORIGINS"), ownHosts },
    healthSecret: readSecret(env, "HEALTH_SECRET"),
    operatorKey: readSecret(env, "OPERATOR_KEY"),
  };
}

export function readBatchLimits(env: Env): BatchLimits {
  return {
    items: readNumber(env, "BATCH_ITEMS"),
    openBatches: readNumber(env, "BATCHES_OPEN"),
    waitingItems: readNumber(env, "BATCH_ITEMS_WAITING"),
  };
}

export function readLeaseMs(env: Env): number {
  return readNumber(env, "LEASE_SECONDS") * 1000;
}

export function readDeliveredRetentionMs(env: Env): number {
  return readNumber(env, "DELIVERED_RETENTION_DAYS") * dayMs;
}

/** Returns a secret that callers send as a token, or null if it is not set. */
function readSecret(env: Env, name: "HEALTH_SECRET" | "OPERATOR_KEY"): string | null {
  const secret = (env as { [secret in typeof name]?: string })[name];
  if (!secret) return null;
  if (!/^[!-~]{16,}$/.test(secret))
    throw new CodedError(`the secret ${name} must have at least 16 characters, all of them visible ASCII characters`);
  return secret;
}

/**
 * Returns the rules for webhook URLs at delivery time. The service's hosts come from its variables; URLs of a request's
 * own host were refused when the document was created.
 */
export function readDeliveryRules(env: Env): UrlRules {
  const urls = [readUrl(env, "BASE_URL"), readUrl(env, "CDN_URL")].filter((url) => url !== null);
  const ownHosts = new Set(urls.map((url) => new URL(url).hostname));
  return { allowedOrigins: readOrigins(env, "WEBHOOK_ALLOWED_ORIGINS"), ownHosts };
}

/** Returns the value of a variable that must be a positive number. */
export function readNumber(env: Env, name: NumberName): number {
  const value = Number(valueOf(env, name) ?? numberDefaults[name]);
  if (!Number.isFinite(value) || value <= 0) throw new CodedError(`the variable ${name} must be a positive number`);
  return value;
}

function readText(env: Env, name: TextName): string {
  return valueOf(env, name) ?? textDefaults[name];
}

export function areRateLimitsOn(env: Env): boolean {
  const value = readText(env, "RATE_LIMITS");
  if (value !== "on" && value !== "off") throw new CodedError("the variable RATE_LIMITS must be on or off");
  return value === "on";
}

export function readPoolPlan(env: Env) {
  readCdpUrl(env); // So that the health check finds an invalid one.
  const names = readText(env, "BROWSER_POOL_REGIONS")
    .split(",")
    .map((name) => name.trim());
  const validNames = names.filter(isRegion);
  if (validNames.length < names.length) {
    throw new CodedError(
      `the variable BROWSER_POOL_REGIONS must be a comma-separated list of regions; the regions are ${regions.join(", ")}`,
    );
  }
  const perRegion = readNumber(env, "BROWSER_POOLS");
  if (!Number.isInteger(perRegion)) throw new CodedError("the variable BROWSER_POOLS must be a whole number");
  const { pagesPerAccount: pages } = readPoolSettings(env, false);
  return { regions: [...new Set(validNames)], perRegion, batchPools: readBatchPools(env), pages };
}

/** Returns the address of a browser's DevTools, which may contain a token, or null if the binding BROWSER starts the browsers. */
export function readCdpUrl(env: Env): URL | null {
  const value = readText(env, "BROWSER_CDP_URL");
  if (value === "") return null;
  if (/^(https?|wss?):/.test(value) && URL.canParse(value)) return new URL(value);
  throw new CodedError("the variable BROWSER_CDP_URL must be an absolute http, https, ws or wss URL");
}

/** Returns the maximum number of pools in a region that are only for batches; 0 if batches share the other renders' pools. */
export function readBatchPools(env: Env): number {
  const value = Number(valueOf(env, "BATCH_POOLS") ?? numberDefaults.BATCH_POOLS);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new CodedError("the variable BATCH_POOLS must be a whole number, 0 or more");
}

/**
 * The share of the pages that one account may use at the same time, so that its slow renders leave pages for others.
 */
const shareOfAccount = 3 / 4;

/** A batch may use all pages of a batch pool. */
export function readPoolSettings(env: Env, isBatchPool: boolean) {
  const concurrentPages = readNumber(env, "POOL_CONCURRENT_PAGES");
  return {
    concurrentPages,
    pagesPerAccount: isBatchPool ? concurrentPages : Math.ceil(shareOfAccount * concurrentPages),
    maxPages: readNumber(env, "POOL_MAX_PAGES"),
    queueLength: readNumber(env, "POOL_QUEUE_LENGTH"),
    maxRendersPerSession: readNumber(env, "SESSION_MAX_RENDERS"),
    maxSessionAgeMs: readNumber(env, "SESSION_MAX_AGE_MS"),
  };
}

export function readBinding<N extends keyof Env>(env: Pick<Env, N>, name: N): Env[N] {
  const binding: Env[N] | undefined = env[name];
  if (!binding) throw new CodedError(`the binding ${name} is missing`);
  return binding;
}

/** Returns the jurisdiction of the deployment, or null if its data may be anywhere. */
export function readJurisdiction(env: Env): Jurisdiction | null {
  const value = readText(env, "JURISDICTION");
  const jurisdiction = jurisdictions.find((name) => name === value);
  if (jurisdiction || value === "") return jurisdiction ?? null;
  throw new CodedError(`the variable JURISDICTION must be empty or one of ${jurisdictions.join(", ")}`);
}

/**
 * Returns the objects of a class, which are created in the jurisdiction of the deployment if it has one. The platform does not say what
 * a location hint means there, so it gets none.
 */
export function inJurisdiction<T extends Rpc.DurableObjectBranded | undefined>(
  env: Env,
  namespace: DurableObjectNamespace<T>,
): Pick<DurableObjectNamespace<T>, "idFromName" | "get"> {
  const jurisdiction = readJurisdiction(env);
  if (jurisdiction === null) return namespace;
  const objects = namespace.jurisdiction(jurisdiction);
  return { idFromName: (name) => objects.idFromName(name), get: (id) => objects.get(id) };
}

/** Returns the databases with documents, by their number: `DB`, which is number 0, `DB_1` and so on. There may be gaps. */
export function readShards(env: Env): Map<number, D1Database> {
  const shards = new Map([[0, readBinding(env, "DB")]]);
  for (const [name, binding] of Object.entries(env) as [string, unknown][]) {
    const [, number] = /^DB_([1-9]\d{0,3})$/.exec(name) ?? [];
    if (number !== undefined) shards.set(Number(number), binding as D1Database);
  }
  return shards;
}

/** Returns where these shards are. A shard without a location is for accounts of all regions. */
export function readLocations(env: Env, shards: Map<number, unknown>): Map<number, Region | null> {
  const variables = env as unknown as Record<string, unknown>;
  const locationOf = (number: number) => {
    const name = number === 0 ? "DB_LOCATION" : `DB_${number}_LOCATION`;
    const { [name]: location = textDefaults.DB_LOCATION } = variables;
    if (location === "") return null;
    if (isRegion(location)) return location;
    throw new CodedError(`the variable ${name} must be one of ${regions.join(", ")}`);
  };
  return new Map([...shards.keys()].map((number) => [number, locationOf(number)]));
}

/** Returns the URL without trailing slashes, or null if the variable is not set. */
function readUrl(env: Env, name: AddressName): string | null {
  const value = valueOf(env, name);
  if (value === undefined) return null;
  if (!URL.canParse(value)) throw new CodedError(`the variable ${name} must be an absolute URL`);
  return value.replace(/\/+$/, "");
}

/** Returns the origins in a comma-separated list of extra allowed origins. An empty variable adds none. */
function readOrigins(env: Env, name: "WEBHOOK_ALLOWED_ORIGINS" | "IMAGE_ALLOWED_ORIGINS"): Set<string> {
  const origins = parseOrigins(readText(env, name));
  if (!origins)
    throw new CodedError(`the variable ${name} must be a comma-separated list of origins, e.g. http://127.0.0.1:9900`);
  return origins;
}
