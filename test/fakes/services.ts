// Working services in memory: each port keeps what it is given, so a story can run and its traces be looked at. A single
// method is replaced by `fakeServices({ files: { remove: failing("R2 is down") } })`; time passes when a test says so.
import { newApiKey } from "../../src/core/accounts/api-key.ts";
import type { WebhookEvent } from "../../src/core/webhooks/webhook-event.ts";
import { compileTemplate } from "../../src/core/templates/compile-template.ts";
import type { DocumentFormat, StoredDocument } from "../../src/core/documents/document.ts";
import { sha256Hex } from "../../src/core/encoding.ts";
import type { Plan } from "../../src/core/accounts/plans.ts";
import type { Template, TemplateContent } from "../../src/core/templates/template.ts";
import type { Account } from "../../src/core/accounts/account.ts";
import type { Deletion, Hold, IdempotencyKey, KnownKey } from "../../src/core/accounts/quota.ts";
import type { EventAddress } from "../../src/core/webhooks/webhook-event.ts";
import type {
  DocumentStore,
  FileStore,
  KeyDirectory,
  LogEntry,
  Quota,
  Renderer,
  Services,
  TemplateCatalog,
  TemplateStore,
} from "../../src/ports.ts";
import type { FileMetadata } from "../../src/core/documents/document.ts";
import type { RenderJob, RenderOutcome } from "../../src/core/rendering/render-job.ts";

export type FakeHold = { hold: Hold; state: "held" | "committed" | "released" };

/** What an idempotency key was first used for. */
export type FakeKey = { bodyHash: string; documentId: string; createdAt: number };

/** What the fakes hold, for tests to prepare and to look at. */
export type FakeState = {
  /** The clock, ms since the epoch. */
  nowMs: number;
  documents: Map<string, StoredDocument>;
  /** Ids of documents that were there; they do not come back. */
  deletedDocuments: Set<string>;
  files: Map<string, FileMetadata>;
  /** By document id. */
  holds: Map<string, FakeHold>;
  /** By account and key. */
  idempotencyKeys: Map<string, FakeKey>;
  /** The outbox, by event id. */
  events: Map<string, WebhookEvent>;
  /** Events that the queue was given, in order. */
  queued: EventAddress[];
  /** Deletes that have begun; the alarm ends them. */
  deletions: (Deletion & { accountId: string })[];
  templates: Map<string, { template: Template; content: TemplateContent; folder: string }>;
  keys: Map<string, { account: Account; secretHash: string }>;
  /** What the renderer was asked, in order. */
  jobs: RenderJob[];
  /** What the renderer answers next, in order; when none is left it renders. */
  outcomes: RenderOutcome[];
  log: (LogEntry & { level: string })[];
  background: { what: string; work: Promise<unknown> }[];
};

type PortName =
  | "keys"
  | "templates"
  | "documents"
  | "files"
  | "quota"
  | "renderer"
  | "webhookQueue"
  | "images"
  | "health";

export type Overrides = { [Port in PortName]?: Partial<Services[Port]> } & {
  settings?: Partial<Services["settings"]>;
  /** Where the clock stands; `state.nowMs` moves it. */
  now?: number;
};

export type FakeServices = Services & {
  state: FakeState;
  /** Resolves when everything handed to `background` is over, failed or not. */
  idle(): Promise<void>;
};

const ownHosts = new Set(["colophon.test", "files.test"]);

export const fakeNow = Date.parse("2026-11-21T09:30:00.000Z");

export function fakeServices(overrides: Overrides = {}): FakeServices {
  const state = emptyState(overrides.now ?? fakeNow);
  let ids = 0;
  return {
    keys: { ...keyDirectory(state), ...overrides.keys },
    templates: { ...templateCatalog(state), ...overrides.templates },
    documents: { ...documentStore(state), ...overrides.documents },
    files: { ...fileStore(state), ...overrides.files },
    quota: { ...quota(state), ...overrides.quota },
    renderer: { ...renderer(state), ...overrides.renderer },
    webhookQueue: { send: async (event) => void state.queued.push(event), ...overrides.webhookQueue },
    images: { fetch: async () => ({ status: "failed", reason: "there is no web here" }), ...overrides.images },
    health: { check: async () => {}, ...overrides.health },
    settings: {
      baseUrl: "https://colophon.test/api/v1",
      cdnUrl: "https://files.test/files",
      leaseMs: 90_000,
      renderBudgetMs: 25_000,
      rendersInFlight: { free: 2, starter: 4, pro: 8, enterprise: 32 },
      webhookUrls: { allowedOrigins: new Set(), ownHosts },
      imageUrls: { allowedOrigins: new Set(), ownHosts },
      ...overrides.settings,
    },
    now: () => state.nowMs,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    log: (level, entry) => void state.log.push({ level, ...entry }),
    background: (what, work) => {
      // As the real one: a failure of background work is noted, never unhandled.
      const noted = work.catch((cause: unknown) =>
        state.log.push({ level: "error", event: "background.failed", what, cause }),
      );
      state.background.push({ what, work: noted });
    },
    state,
    idle: async () => {
      for (const { work } of state.background) await work;
    },
  };
}

/** A port method whose outside is broken. */
export function failing(message: string): () => Promise<never> {
  return () => Promise.reject(new Error(message));
}

/** A port method whose outside never answers. */
export function hanging(): () => Promise<never> {
  return () => new Promise<never>(() => {});
}

/** An account that is known to the services, with a key. */
export async function fakeAccount(
  { state }: FakeServices,
  plan: Partial<Plan> = {},
): Promise<{ account: Account; key: string; keyId: string }> {
  const account: Account = {
    id: crypto.randomUUID(),
    name: "Test",
    plan: { name: "pro", monthlyRenders: 500, apiAccess: true, ...plan },
  };
  const { id: keyId, key, secretHash } = await newApiKey();
  state.keys.set(keyId, { account, secretHash });
  return { account, key, keyId };
}

/** A template in the account's catalog. */
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

/** The operator's side of the same templates. */
export function fakeTemplateStore({ state }: Pick<FakeServices, "state">): TemplateStore {
  const contents = new Map<string, TemplateContent>();
  const versionKey = ({ id, version }: Template) => `${id}/${version}`;
  const store = (template: Template, folder: string) => {
    const content = contents.get(versionKey(template));
    if (!content) throw new Error(`a row names version ${template.version}, whose content was never put`);
    state.templates.set(template.id, { template, content, folder });
  };
  return {
    findById: async (id) => state.templates.get(id)?.template ?? null,
    findByFolder: async (accountId, folder) =>
      [...state.templates.values()].find((entry) => entry.folder === folder && entry.template.accountId === accountId)
        ?.template ?? null,
    listAll: async (accountId) =>
      [...state.templates.values()]
        .map(({ template }) => template)
        .filter((template) => template.accountId === accountId),
    putContent: async (template, content) => void contents.set(versionKey(template), structuredClone(content)),
    insert: async (template, folder) => {
      const isTaken = [...state.templates.values()].some(
        (entry) => entry.folder === folder && entry.template.accountId === template.accountId,
      );
      if (!isTaken) store(template, folder);
      return !isTaken;
    },
    update: async (template) => {
      const known = state.templates.get(template.id);
      if (!known || known.template.version >= template.version) return false;
      store(template, known.folder);
      return true;
    },
    remove: async (id) => state.templates.delete(id),
  };
}

function emptyState(nowMs: number): FakeState {
  return {
    nowMs,
    documents: new Map(),
    deletedDocuments: new Set(),
    files: new Map(),
    holds: new Map(),
    idempotencyKeys: new Map(),
    events: new Map(),
    queued: [],
    deletions: [],
    templates: new Map(),
    keys: new Map(),
    jobs: [],
    outcomes: [],
    log: [],
    background: [],
  };
}

function keyDirectory(state: FakeState): KeyDirectory {
  return { find: async (keyId) => state.keys.get(keyId) ?? null };
}

function templateCatalog(state: FakeState): TemplateCatalog {
  const entry = (template: Template) => {
    const known = state.templates.get(template.id);
    if (!known) throw new Error("the template is gone");
    return known;
  };
  return {
    find: async (accountId, id) => {
      const template = state.templates.get(id)?.template;
      return template?.accountId === accountId ? template : null;
    },
    list: async (accountId, { limit, offset }) => {
      const mine = [...state.templates.values()]
        .map(({ template }) => template)
        .filter((template) => template.accountId === accountId)
        .sort(newestFirst);
      return { templates: mine.slice(offset, offset + limit), total: mine.length };
    },
    content: async (template) => entry(template).content,
    compiled: async (template) => {
      const result = compileTemplate(entry(template).content);
      if (result.status === "compiled") return result.template;
      throw new Error(result.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join("; "));
    },
  };
}

function documentStore({ documents, deletedDocuments, events }: FakeState): DocumentStore {
  return {
    insert: async (document, event) => {
      const existing = documents.get(document.id);
      if (existing) return { status: "existing", document: structuredClone(existing) };
      if (deletedDocuments.has(document.id)) return { status: "deleted" };
      documents.set(document.id, structuredClone(document));
      if (event) events.set(event.id, event);
      return { status: "inserted" };
    },
    find: async (accountId, id) => {
      const document = documents.get(id);
      return document?.accountId === accountId ? structuredClone(document) : null;
    },
    list: async (accountId, filter, { limit, offset }) => {
      const selected = [...documents.values()]
        .filter(
          (document) =>
            document.accountId === accountId &&
            (filter.status ?? document.status) === document.status &&
            (filter.format ?? document.format) === document.format &&
            (filter.templateId ?? document.templateId) === document.templateId,
        )
        .sort(newestFirst);
      return { documents: structuredClone(selected.slice(offset, offset + limit)), total: selected.length };
    },
    remove: async (accountId, id) => {
      if (documents.get(id)?.accountId !== accountId) return false;
      deletedDocuments.add(id);
      return documents.delete(id);
    },
  };
}

function fileStore({ files }: FakeState): FileStore {
  return {
    metadata: async (key) => files.get(key) ?? null,
    get: async (key, range) => {
      const metadata = files.get(key);
      if (!metadata) return null;
      const bytes = new Uint8Array(range?.length ?? metadata.fileSize);
      return { size: metadata.fileSize, httpEtag: `"${metadata.sha256}"`, body: new Blob([bytes]).stream() };
    },
    remove: async (key) => void files.delete(key),
  };
}

/** How long idempotency keys are kept, ms. */
const keptMs = 24 * 3_600_000;

/** The ledger's rules, without its waiting: who finds too many renders under way is sent away at once. */
function quota(state: FakeState): Quota {
  const { holds, idempotencyKeys, deletions } = state;
  const holdsOf = (accountId: string) => [...holds.values()].filter(({ hold }) => hold.draft.accountId === accountId);
  const count = (accountId: string, month: string, wanted: FakeHold["state"]) =>
    holdsOf(accountId).filter((entry) => entry.hold.draft.month === month && entry.state === wanted).length;
  const settle = (documentId: string, settled: "committed" | "released") => {
    const entry = holds.get(documentId);
    if (entry?.state === "held") entry.state = settled;
  };
  const lookUpKey = (accountId: string, { key, bodyHash }: IdempotencyKey): KnownKey => {
    const known = idempotencyKeys.get(`${accountId} ${key}`);
    const holdState = known && holds.get(known.documentId)?.state;
    if (!holdState || holdState === "released" || known.createdAt <= state.nowMs - keptMs) return { status: "unknown" };
    if (known.bodyHash !== bodyHash) return { status: "other_body" };
    return { status: holdState === "held" ? "in_progress" : "done", documentId: known.documentId };
  };
  return {
    reserve: async ({ hold, limit, inFlightLimit, idempotency }) => {
      const { id, accountId, month } = hold.draft;
      const used = count(accountId, month, "committed") + count(accountId, month, "held");
      if (holds.has(id)) return { status: "reserved", used };
      const known = idempotency ? lookUpKey(accountId, idempotency) : ({ status: "unknown" } as const);
      if (known.status !== "unknown") return known;
      if (used >= limit) return { status: "exhausted", used };
      const inFlight = holdsOf(accountId).filter((entry) => entry.state === "held").length;
      if (inFlight >= inFlightLimit) return { status: "too_many_in_flight", retryAfterSeconds: 1 };
      holds.set(id, { hold: structuredClone(hold), state: "held" });
      if (idempotency) {
        const { key, bodyHash } = idempotency;
        idempotencyKeys.set(`${accountId} ${key}`, { bodyHash, documentId: id, createdAt: state.nowMs });
      }
      return { status: "reserved", used: used + 1 };
    },
    lookUpKey: async (accountId, idempotency) => lookUpKey(accountId, idempotency),
    commit: async (_accountId, documentId) => settle(documentId, "committed"),
    release: async (_accountId, documentId) => settle(documentId, "released"),
    usage: async (accountId, month) => ({
      used: count(accountId, month, "committed"),
      reserved: count(accountId, month, "held"),
    }),
    beginDelete: async (accountId, deletion) => {
      settle(deletion.documentId, deletion.status === "completed" ? "committed" : "released");
      deletions.push({ accountId, ...deletion });
    },
  };
}

/**
 * Puts a file as the pool does, once a key. Of the failures planned in `state.outcomes`, a crash and a timeout are the
 * worst of their kind: the file is there, only the answer was lost.
 */
function renderer(state: FakeState): Renderer {
  return {
    render: async (job) => {
      state.jobs.push(job);
      const planned = state.outcomes.shift();
      if (planned?.status === "no_capacity" || planned?.status === "impossible") return planned;
      const metadata = await putFile(state, job);
      return planned ?? { status: "rendered", ...metadata };
    },
  };
}

/** What a render leaves in the bucket; a file that is there already stays. */
export async function putFile(
  { files }: Pick<FakeState, "files">,
  { fileKey, html, format }: { fileKey: string; html: string; format: DocumentFormat },
): Promise<FileMetadata> {
  const known = files.get(fileKey);
  if (known) return known;
  const metadata = { fileSize: html.length, sha256: await sha256Hex(format + html), pageCount: 1, warnings: [] };
  files.set(fileKey, metadata);
  return metadata;
}

function newestFirst(a: { createdAt: number; id: string }, b: { createdAt: number; id: string }): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}
