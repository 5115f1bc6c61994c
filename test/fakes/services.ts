// Fakes of all services. They keep their state in memory, so tests can run whole operations and inspect the state. A test may
// replace single methods: `fakeServices({ files: { remove: failing("R2 is down") } })`.
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { Account, KeyRights } from "../../src/core/accounts/account.ts";
import { hasValidChecksum, newApiKey, secretMatches } from "../../src/core/accounts/api-key.ts";
import type { Plan } from "../../src/core/accounts/plans.ts";
import { scopes } from "../../src/core/accounts/scopes.ts";
import { secretCipher } from "../../src/core/webhooks/secret-encryption.ts";
import type { KeyDirectory, RateLimits } from "../../src/ports/accounts.ts";
import type { SharedImages } from "../../src/ports/batches.ts";
import type { HealthParts, Services } from "../../src/ports/services.ts";
import { checksumSecret } from "../fixtures/api-keys.ts";
import { renderer } from "./renderer.ts";
import { emptyState, type FakeState } from "./state.ts";
import { documentStore, fileStore, quota, templateCatalog } from "./stores.ts";

type PortName =
  | "keys"
  | "templates"
  | "documents"
  | "files"
  | "quota"
  | "renderer"
  | "memory"
  | "slices"
  | "webhookQueue"
  | "images"
  | "fonts";

export type Overrides = { [Port in PortName]?: Partial<Services[Port]> } & {
  health?: { parts?: Partial<HealthParts> };
  settings?: Partial<Services["settings"]>;
  rateLimits?: RateLimits;
  /** The initial time in ms since the epoch; a test changes the time through `state.nowMs`. */
  now?: number;
};

export type FakeServices = Services & {
  images: SharedImages;
  state: FakeState;
  /** Resolves when all background work has ended, successfully or not. */
  idle(): Promise<void>;
};

const ownHosts = new Set(["colophon.test", "files.test"]);

const healthyParts: HealthParts = {
  worker: async () => "version-of-the-worker",
  pool: async () => "version-of-the-pool",
  database: async () => {},
  files: async () => {},
  privateFiles: async () => {},
  templates: async () => {},
  webhookQueue: async () => {},
  browser: async () => "HeadlessChrome/128.0.6613.84",
};

const encryptionKeys = () => ({ current: new Uint8Array(32).fill(1), previous: null });

export const fakeNow = Date.parse("2026-11-21T09:30:00.000Z");

export function fakeServices(overrides: Overrides = {}): FakeServices {
  const state = emptyState(overrides.now ?? fakeNow);
  let ids = 0;
  return {
    keys: { ...keyDirectory(state), ...overrides.keys },
    rateLimits: overrides.rateLimits ?? null,
    templates: { ...templateCatalog(state), ...overrides.templates },
    documents: { ...documentStore(state), ...overrides.documents },
    downloads: {} as Services["downloads"],
    files: { ...fileStore(state), ...overrides.files },
    quota: { ...quota(state), ...overrides.quota },
    earlyRenders: { begin: () => false, reserved() {}, refused() {}, ended() {} },
    batches: {} as Services["batches"],
    batchFiles: {} as Services["batchFiles"],
    origin: { origin: "https://colophon.test", region: "weur" },
    renderer: { ...renderer(state), ...overrides.renderer },
    memory: { acquire: async () => ({ resize() {}, release() {} }), ...overrides.memory },
    slices: { pause: async () => {}, ...overrides.slices },
    webhookQueue: { send: async (event) => void state.queued.push(event), ...overrides.webhookQueue },
    images: {
      fetch: async () => ({ status: "failed", reason: "the fake fetches no images" }),
      connect: async () => ({ release() {} }),
      ...overrides.images,
    },
    fonts: { facesFor: async () => [], ...overrides.fonts },
    health: { parts: { ...healthyParts, ...overrides.health?.parts } },
    settings: {
      baseUrl: "https://colophon.test/api/v1",
      cdnUrl: "https://files.test/files",
      leaseMs: 90_000,
      renderBudgetMs: 25_000,
      rendersInFlight: { free: 2, starter: 4, pro: 8, enterprise: 32 },
      webhookUrls: { allowedOrigins: new Set(), ownHosts },
      imageUrls: { allowedOrigins: new Set(), ownHosts },
      healthSecret: null,
      operatorKey: null,
      batchLimits: { items: 100, openBatches: 2, waitingItems: 150 },
      batchRetentionMs: 30 * 24 * 3_600_000,
      ...overrides.settings,
    },
    encryptionKeys,
    passwords: secretCipher(encryptionKeys, "passwords"),
    now: () => state.nowMs,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    log: (level, entry) => void state.log.push({ level, ...entry }),
    measure: (_stage, work) => work(),
    background: (what, work) => {
      // Like the real service, this logs the failure of background work, so that no rejection is unhandled.
      const logged = work.catch((cause: unknown) =>
        state.log.push({ level: "error", event: "background.failed", what, cause }),
      );
      state.background.push({ what, work: logged });
    },
    state,
    idle: async () => {
      for (const { work } of state.background) await work;
    },
  };
}

/** Returns a port method that rejects with this message. */
export function failing(message: string): () => Promise<never> {
  return () => Promise.reject(new Error(message));
}

/** Returns a port method whose promise never settles. */
export function hanging(): () => Promise<never> {
  return () => new Promise<never>(() => {});
}

/** Adds an account with a key that may do everything. */
export async function fakeAccount(
  { state }: FakeServices,
  plan: Partial<Plan> = {},
): Promise<{ account: Account; key: string; keyId: string }> {
  const account: Account = {
    id: crypto.randomUUID(),
    name: "Test",
    plan: { name: "pro", monthlyRenders: 500, apiAccess: true, retentionDays: "keep", ...plan },
    retentionDays: plan.retentionDays ?? "keep",
    access: "public",
    recordDownloads: false,
  };
  const { id: keyId, key, secretHash } = await newApiKey(checksumSecret);
  const rights: KeyRights = { id: keyId, scopes: [...scopes], isTest: false, expiresAt: null };
  state.keys.set(keyId, { account, key: rights, secretHash });
  return { account, key, keyId };
}

/** Adds a template to the account's catalog. */
export function fakeTemplate({ state }: FakeServices, account: Account, content: TemplateContent): Template {
  const template: Template = {
    id: crypto.randomUUID(),
    accountId: account.id,
    version: 1,
    contentHash: "0".repeat(64),
    manifest: content.manifest,
    pagesCount: content.pages.length,
    createdAt: state.nowMs,
    updatedAt: state.nowMs,
  };
  state.templates.set(template.id, { template, content, folder: template.id });
  return template;
}

function keyDirectory(state: FakeState): KeyDirectory {
  return {
    async findCaller(parts) {
      const known = state.keys.get(parts.id);
      if (!known || !hasValidChecksum(parts, checksumSecret)) return { status: "unknown" };
      const { account, key, secretHash, isRevoked } = known;
      if (!(await secretMatches(parts.secret, secretHash))) return { status: "unknown" };
      return isRevoked ? { status: "revoked" } : { status: "valid", caller: { account, key } };
    },
    recordUse: async () => {},
  };
}
