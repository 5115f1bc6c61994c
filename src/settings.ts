// Reads and validates the variables and bindings of `wrangler.toml`. If one is missing or invalid, the error names it.
import { parseOrigins, type UrlRules } from "./core/public-url.ts";
import { hostRegions, isHostRegion, type HostRegion } from "./core/region.ts";
import { parseEncryptionKey, type EncryptionKeys } from "./core/webhooks/secret-encryption.ts";
import type { Settings } from "./ports/services.ts";

export function readSettings(env: Env): Settings {
  return {
    baseUrl: readUrl(env, "BASE_URL"),
    cdnUrl: readUrl(env, "CDN_URL"),
    leaseMs: readNumber(env, "LEASE_SECONDS") * 1000,
    renderBudgetMs: readNumber(env, "RENDER_BUDGET_MS"),
    rendersInFlight: {
      free: readNumber(env, "RENDERS_IN_FLIGHT_FREE"),
      starter: readNumber(env, "RENDERS_IN_FLIGHT_STARTER"),
      pro: readNumber(env, "RENDERS_IN_FLIGHT_PRO"),
      enterprise: readNumber(env, "RENDERS_IN_FLIGHT_ENTERPRISE"),
    },
    webhookUrls: readUrlRules(env, "WEBHOOK_ALLOWED_ORIGINS"),
    imageUrls: readUrlRules(env, "IMAGE_ALLOWED_ORIGINS"),
    healthSecret: readHealthSecret(env),
  };
}

/** Returns the secret of the deep health check, or null if it is not set. */
function readHealthSecret({ HEALTH_SECRET: secret }: Env & { HEALTH_SECRET?: string }): string | null {
  if (!secret) return null;
  if (!/^[!-~]{16,}$/.test(secret))
    throw new Error("the secret HEALTH_SECRET must have at least 16 characters, all of them visible ASCII characters");
  return secret;
}

/** The keys that encrypt webhook secrets, as texts. They are secrets, so `wrangler.toml` does not list them. */
export type EncryptionKeyTexts = {
  WEBHOOK_SECRETS_KEY?: string | undefined;
  /** The key before the current one. It is needed until `webhook-secret re-encrypt` has run. */
  WEBHOOK_SECRETS_KEY_PREVIOUS?: string | undefined;
};

/** Returns the keys that encrypt webhook secrets. The previous key is optional, and an empty one counts as absent. */
export function readEncryptionKeys(texts: EncryptionKeyTexts): EncryptionKeys {
  const { WEBHOOK_SECRETS_KEY: current, WEBHOOK_SECRETS_KEY_PREVIOUS: previous } = texts;
  if (!current?.trim()) {
    throw new Error(
      "WEBHOOK_SECRETS_KEY is missing: set it as a secret of the Worker and, for the operator's command with --remote, as an environment variable; npm start creates it for local use",
    );
  }
  return {
    current: readEncryptionKey("WEBHOOK_SECRETS_KEY", current),
    previous: previous?.trim() ? readEncryptionKey("WEBHOOK_SECRETS_KEY_PREVIOUS", previous) : null,
  };
}

function readEncryptionKey(name: keyof EncryptionKeyTexts, text: string): Uint8Array<ArrayBuffer> {
  const key = parseEncryptionKey(text.trim());
  if (!key) throw new Error(`${name} must be 32 random bytes in base64, as \`openssl rand -base64 32\` prints them`);
  return key;
}

/** Returns the dataset that metrics are written to, or null if they are off. */
export function readMetricsDataset(
  env: Env & { METRICS_DATASET?: AnalyticsEngineDataset },
): AnalyticsEngineDataset | null {
  const { METRICS: metrics, METRICS_DATASET: dataset } = env;
  if (!metrics || metrics === "off") return null;
  if (metrics !== "analytics-engine") throw new Error("the variable METRICS must be off or analytics-engine");
  if (!dataset) throw new Error("the binding METRICS_DATASET is missing, which METRICS = analytics-engine requires");
  return dataset;
}

type OriginsName = "WEBHOOK_ALLOWED_ORIGINS" | "IMAGE_ALLOWED_ORIGINS";

/**
 * Returns the rules that a caller's URL must satisfy before the service calls it. `name` is the variable that lists
 * extra allowed origins.
 */
export function readUrlRules(env: Env, name: OriginsName): UrlRules {
  const ownHosts = new Set([readUrl(env, "BASE_URL"), readUrl(env, "CDN_URL")].map((url) => new URL(url).hostname));
  return { allowedOrigins: readOrigins(env, name), ownHosts };
}

type NumberName =
  | "LEASE_SECONDS"
  | "RENDER_BUDGET_MS"
  | "RENDERS_IN_FLIGHT_FREE"
  | "RENDERS_IN_FLIGHT_STARTER"
  | "RENDERS_IN_FLIGHT_PRO"
  | "RENDERS_IN_FLIGHT_ENTERPRISE"
  | "IN_FLIGHT_WAIT_MS"
  | "CALL_TIMEOUT_MS"
  | "WEBHOOK_TIMEOUT_MS"
  | "WEBHOOKS_IN_FLIGHT"
  | "BROWSER_POOLS"
  | "POOL_CONCURRENT_PAGES"
  | "POOL_MAX_PAGES"
  | "POOL_QUEUE_LENGTH"
  | "SESSION_MAX_RENDERS"
  | "SESSION_MAX_AGE_MS"
  | "SESSION_IDLE_MS";

/** Returns the value of a variable that must be a positive number. */
export function readNumber(env: Env, name: NumberName): number {
  const value = Number(env[name]);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`the variable ${name} must be a positive number`);
  return value;
}

/** Returns whether the limits on callers are on. */
export function areRateLimitsOn({ RATE_LIMITS: value }: Env): boolean {
  if (value !== "on" && value !== "off") throw new Error("the variable RATE_LIMITS must be on or off");
  return value === "on";
}

/** Returns where the browser pools are. */
export function readPoolPlan(env: Env): { regions: HostRegion[]; perRegion: number } {
  const names = (env.BROWSER_POOL_REGIONS ?? "").split(",").map((name) => name.trim());
  const known = names.filter(isHostRegion);
  if (known.length < names.length) {
    throw new Error(
      `the variable BROWSER_POOL_REGIONS must be a comma-separated list of regions; the regions are ${hostRegions.join(", ")}`,
    );
  }
  const perRegion = readNumber(env, "BROWSER_POOLS");
  if (!Number.isInteger(perRegion)) throw new Error("the variable BROWSER_POOLS must be a whole number");
  return { regions: [...new Set(known)], perRegion };
}

type BindingName =
  | "DB"
  | "FILES"
  | "TEMPLATES"
  | "BROWSER"
  | "ASSETS"
  | "WEBHOOKS"
  | "ACCOUNT_QUOTA"
  | "BROWSER_POOL"
  | "WEBHOOK_SENDER"
  | "FAILED_AUTHENTICATION_LIMIT"
  | "REQUEST_LIMIT";

export function readBinding<N extends BindingName>(env: Pick<Env, N>, name: N): Env[N] {
  const binding: Env[N] | undefined = env[name];
  if (!binding) throw new Error(`the binding ${name} is missing`);
  return binding;
}

function readUrl(env: Env, name: "BASE_URL" | "CDN_URL"): string {
  const value = env[name];
  if (!value || !URL.canParse(value)) throw new Error(`the variable ${name} must be an absolute URL`);
  return value.replace(/\/+$/, "");
}

/** Returns the origins in a comma-separated list of extra allowed origins. An empty variable adds none. */
function readOrigins(env: Env, name: OriginsName): Set<string> {
  const origins = parseOrigins(env[name] ?? "");
  if (!origins)
    throw new Error(`the variable ${name} must be a comma-separated list of origins, e.g. http://127.0.0.1:9900`);
  return origins;
}
