// The state that all fakes share. Tests may prepare it and inspect it.
import type { LogEntry } from "colophon-base/log";
import type { FileMetadata } from "colophon-render/file-metadata";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { Account, KeyRights } from "../../src/core/accounts/account.ts";
import type { Hold } from "../../src/core/accounts/quota.ts";
import type { StoredDocument } from "../../src/core/documents/document.ts";
import { cutPage, newestFirst, type Page, type Position } from "../../src/core/pagination.ts";
import type { EventAddress, WebhookEvent } from "../../src/core/webhooks/webhook-event.ts";

export type FakeHold = { hold: Hold; state: "held" | "committed" | "released" };

export type FakeState = {
  /** The current time in ms since the epoch. */
  nowMs: number;
  documents: Map<string, StoredDocument>;
  /** Ids of deleted documents, which cannot be inserted again. */
  /** Whether each deleted document was completed. */
  deletedDocuments: Map<string, boolean>;
  files: Map<string, FileMetadata>;
  /** Holds, by document id. */
  holds: Map<string, FakeHold>;
  /** The outbox, by event id. */
  events: Map<string, WebhookEvent>;
  /** Messages that were sent to the queue, oldest first. */
  queued: EventAddress[];
  templates: Map<string, { template: Template; content: TemplateContent; folder: string }>;
  keys: Map<string, { account: Account; key: KeyRights; secretHash: string; isRevoked?: boolean }>;
  /** Jobs that the renderer received, oldest first. */
  jobs: RenderJob[];
  /** The planned outcomes of the next jobs. Each job removes the first outcome. When the list is empty, jobs succeed. */
  outcomes: RenderOutcome[];
  log: (LogEntry & { level: string })[];
  background: { what: string; work: Promise<unknown> }[];
};

export function emptyState(nowMs: number): FakeState {
  return {
    nowMs,
    documents: new Map(),
    deletedDocuments: new Map(),
    files: new Map(),
    holds: new Map(),
    events: new Map(),
    queued: [],
    templates: new Map(),
    keys: new Map(),
    jobs: [],
    outcomes: [],
    log: [],
    background: [],
  };
}

/** Returns one page of the items, as the stores do. */
export function pageOf<T extends Position>(
  items: T[],
  page: Page,
): { items: T[]; more: Position | null; total: number } {
  const { cursor, offset, limit } = page;
  const after = items.toSorted(newestFirst).filter((item) => !cursor || newestFirst(cursor, item) < 0);
  return { ...cutPage(page, after.slice(offset, offset + limit + 1)), total: items.length };
}
