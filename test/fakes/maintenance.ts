// Fakes of the maintenance services. They keep documents, files and events in memory, and record calls that change something.
// Methods that only the operator's commands call are missing.
import type { LogEntry } from "colophon-base/log";
import type { StoredDocument } from "../../src/core/documents/document.ts";
import type { Repair, RepairPosition } from "../../src/core/maintenance/repair.ts";
import type { PassName, PassState, ShardArchives } from "../../src/ports/maintenance.ts";
import type { MaintenanceServices } from "../../src/ports/services.ts";
import { completedDocument } from "../fixtures/documents.ts";
import { fakeNow } from "./services.ts";
import { fakeDispatch } from "./webhooks.ts";

export const leaseMs = 90_000;
export const deliveredRetentionMs = 604_800_000;

export type FakeMaintenance = ReturnType<typeof fakeMaintenance>;

/** `unreachable` lists the accounts whose objects fail. */
export function fakeMaintenance(unreachable: string[] = []) {
  const { state: outbox, events: outboxEvents, senders } = fakeDispatch(unreachable);
  const state = {
    nowMs: fakeNow,
    documents: [] as StoredDocument[],
    /** The times at which files were stored, by key. */
    files: new Map<string, number>(),
    /** The ids of the events that may be removed. */
    events: [] as string[],
    /** When accounts were marked as deleted, by id; null for the others. */
    accounts: new Map<string, number | null>(),
    /** What the object `WebhookSender` of each account repairs. */
    repairs: [] as Repair[],
    unsettled: 0,
    databaseBytes: 0,
    pass: { position: null, finishedAt: null } as PassState,
    eventPosition: null as RepairPosition | null,
    calls: [] as string[],
    log: [] as (LogEntry & { level: string })[],
  };
  const called = async (call: string) => void state.calls.push(call);
  const reached = async (accountId: string, call: string) => {
    if (unreachable.includes(accountId)) throw new Error("the object is away");
    state.calls.push(call);
  };
  const fakes = {
    documents: {
      expired: async (nowMs: number, except: string[], limit: number) => {
        return state.documents
          .filter(({ accountId, expiresAt }) => (expiresAt ?? Infinity) <= nowMs && !except.includes(accountId))
          .map((document) => ({ completedAt: null, ...document }))
          .slice(0, limit);
      },
      byFileKey: async (after: string, limit: number) =>
        state.documents
          .filter(({ fileKey }) => fileKey > after)
          .toSorted((a, b) => (a.fileKey < b.fileKey ? -1 : 1))
          .slice(0, limit),
      ofAccount: async (_accountId: string, limit: number) => state.documents.slice(0, limit),
      remove: async (ids: string[]) => {
        const removed = new Set(ids);
        state.documents = state.documents.filter(({ id }) => !removed.has(id));
        await called(`remove ${ids.length} documents`);
      },
      markFileLost: (_accountId: string, id: string) => called(`file lost ${id}`),
      removeDownloads: async () => 0,
      databaseBytes: async () => state.databaseBytes,
    },
    files: {
      list: async (after: string, limit: number) => {
        const rest = [...state.files].filter(([key]) => key > after).toSorted();
        const files = rest.slice(0, limit).map(([key, storedAt]) => ({ key, storedAt, batch: null }));
        return { files, isLast: rest.length <= limit };
      },
      exists: async (key: string) => state.files.has(key),
      remove: async (keys: string[]) => {
        for (const key of keys) state.files.delete(key);
        await called(`remove ${keys.length} files`);
      },
    },
    events: {
      ...outboxEvents,
      ended: async (before: { delivered: number; dead: number }, after: number, limit: number) => {
        await called(`events before ${before.delivered} and ${before.dead} after ${after}`);
        const events = state.events.slice(0, limit).map((id) => ({ id, accountId: "a" }));
        return { events, next: state.events.length > limit ? 7 : null };
      },
      ofAccount: async (accountId: string, after: string, limit: number) =>
        (state.accounts.has(accountId) ? state.events : [])
          .filter((id) => id > after)
          .slice(0, limit)
          .map((id) => ({ id })),
      remove: async (removed: { id: string }[]) => {
        state.events = state.events.filter((id) => !removed.some((event) => event.id === id));
        await called(`remove ${removed.length} events`);
      },
    },
    accounts: {
      ids: async (after: string, limit: number) => {
        await called(`accounts after ${after}`);
        return [...state.accounts.keys()].filter((id) => id > after).slice(0, limit);
      },
      deletedAt: async (id: string) => state.accounts.get(id) ?? null,
      deleted: async (limit: number) =>
        [...state.accounts].flatMap(([id, deletedAt]) => (deletedAt === null ? [] : [id])).slice(0, limit),
      remove: async (id: string) => {
        state.accounts.delete(id);
        await called(`remove account ${id}`);
      },
    },
    templates: {
      removeAll: (accountId: string) => called(`remove templates of ${accountId}`),
      list: async () => ({ contents: [], isLast: true }),
      unused: async () => [],
      removeContents: async () => {},
    },
    objects: {
      repair: async (accountId: string, object: string) => {
        await reached(accountId, `repair ${object} of ${accountId}`);
        return object === "WebhookSender" ? state.repairs : [];
      },
      stopBatches: (accountId: string) => reached(accountId, `stop the batches of ${accountId}`),
      unsettled: async () => state.unsettled,
      destroy: (accountId: string) => reached(accountId, `destroy the objects of ${accountId}`),
    },
    passes: {
      read: async (name: PassName) =>
        name === "events" ? { position: state.eventPosition, finishedAt: null } : state.pass,
      save: async (name: PassName, pass: PassState) => {
        if (name === "events") state.eventPosition = pass.position;
        else state.pass = pass;
      },
    },
  };
  const log: MaintenanceServices["log"] = (level, entry) => void state.log.push({ level, ...entry });
  const { documents, events } = fakes as unknown as ShardArchives;
  const shard = { number: 0, documents, events };
  const ports = { ...fakes, senders } as unknown as MaintenanceServices;
  return {
    ...ports,
    ...shard,
    shards: [shard],
    shardOf: async () => shard,
    log,
    now: () => state.nowMs,
    settings: { leaseMs, deliveredRetentionMs },
    state,
    outbox,
  };
}

/** Adds a completed document with its file, so old that no request from that time can still be running. */
export function storeDocument(
  { state }: FakeMaintenance,
  { hasFile = true, ...rest }: Parameters<typeof completedDocument>[0] & { hasFile?: boolean } = {},
) {
  const document = completedDocument({ completedAt: 0, ...rest });
  state.documents.push(document);
  if (hasFile) state.files.set(document.fileKey, document.completedAt);
  return document;
}
