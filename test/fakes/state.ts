// The state that all fakes share; tests prepare it and inspect it.
import type { Account } from "../../src/core/accounts/account.ts";
import type { Deletion, Hold } from "../../src/core/accounts/quota.ts";
import type { FileMetadata, StoredDocument } from "../../src/core/documents/document.ts";
import type { RenderJob, RenderOutcome } from "../../src/core/rendering/render-job.ts";
import type { Template, TemplateContent } from "../../src/core/templates/template.ts";
import type { EventAddress, WebhookEvent } from "../../src/core/webhooks/webhook-event.ts";
import type { LogEntry } from "../../src/ports/services.ts";

export type FakeHold = { hold: Hold; state: "held" | "committed" | "released" };

/** What an idempotency key was first used for. */
export type FakeKey = { bodyHash: string; documentId: string; createdAt: number };

export type FakeState = {
  /** The clock, ms since the epoch. */
  nowMs: number;
  documents: Map<string, StoredDocument>;
  /** Ids of deleted documents, which cannot be inserted again. */
  deletedDocuments: Set<string>;
  files: Map<string, FileMetadata>;
  /** By document id. */
  holds: Map<string, FakeHold>;
  /** By account and key. */
  idempotencyKeys: Map<string, FakeKey>;
  /** The outbox, by event id. */
  events: Map<string, WebhookEvent>;
  /** Messages sent to the queue, in order. */
  queued: EventAddress[];
  /** Deletes that have begun; the fakes never complete them. */
  deletions: (Deletion & { accountId: string })[];
  templates: Map<string, { template: Template; content: TemplateContent; folder: string }>;
  /** By template id and content hash: the content of every version. */
  templateContents: Map<string, TemplateContent>;
  keys: Map<string, { account: Account; secretHash: string }>;
  /** Jobs that the renderer received, in order. */
  jobs: RenderJob[];
  /** Outcomes of the next jobs, in order; when none is left, jobs succeed. */
  outcomes: RenderOutcome[];
  log: (LogEntry & { level: string })[];
  background: { what: string; work: Promise<unknown> }[];
};

export function emptyState(nowMs: number): FakeState {
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
    templateContents: new Map(),
    keys: new Map(),
    jobs: [],
    outcomes: [],
    log: [],
    background: [],
  };
}

/** The order of every list: the newest first, then by id. */
export function newestFirst(a: { createdAt: number; id: string }, b: { createdAt: number; id: string }): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}
