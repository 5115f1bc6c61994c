// Rows of all accounts in D1, for maintenance.
import { and, asc, eq, gt, inArray, isNotNull, lte, not, sql } from "drizzle-orm";
import { testAccountId } from "../../core/accounts/account.ts";
import type { RepairPosition } from "../../core/maintenance/repair.ts";
import { eventIdsByAccount } from "../../core/webhooks/webhook-event.ts";
import type {
  AccountArchive,
  DocumentArchive,
  EventArchive,
  PassStore,
  ShardArchives,
} from "../../ports/maintenance.ts";
import { isOneOf, type D1Client } from "../d1/d1-client.ts";
import { databaseBytes, type Databases } from "../d1/databases.ts";
import { documentCounts, documentDownloads, documents, webhookEvents } from "../d1/document-tables.ts";
import { accounts, apiKeys, auditEvents, repairPasses, webhookSecrets } from "../d1/schema.ts";
import { noFile } from "../documents/document-store.ts";
import { rememberHomes, rememberPlacement } from "../placements.ts";
import { fromRow } from "../webhooks/webhook-store.ts";

export function accountArchive({ directory: d1, shards, of }: Databases): AccountArchive {
  return {
    async ids(after, limit) {
      const { id, shard } = accounts;
      const rows = await d1.run((db) =>
        db.select({ id, shard }).from(accounts).where(gt(id, after)).orderBy(asc(id)).limit(limit).all(),
      );
      const groups = Map.groupBy(rows, (row) => row.shard);
      const tests = await Promise.all([...groups].map(([number, inShard]) => testIds(shards.get(number), inShard)));
      return [...rows.map((row) => row.id), ...tests.flat()].toSorted();
    },
    async markDeleted(id, nowMs) {
      const first = { deletedAt: sql`coalesce(${accounts.deletedAt}, ${nowMs})` };
      const [row] = await d1.run((db) => db.update(accounts).set(first).where(eq(accounts.id, id)).returning().all());
      if (row) rememberPlacement(row);
      return row?.deletedAt ?? null;
    },
    async deletedAt(id) {
      const row = await d1.run((db) => db.select().from(accounts).where(eq(accounts.id, id)).get());
      return row?.deletedAt ?? null;
    },
    async deleted(limit, last) {
      const { id, shard, deletedAt } = accounts;
      const isLast = inArray(shard, last);
      const rows = await d1.run((db) =>
        db.select({ id }).from(accounts).where(isNotNull(deletedAt)).orderBy(isLast, deletedAt).limit(limit).all(),
      );
      return rows.map((row) => row.id);
    },
    async remove(id) {
      const isDeleted = and(eq(accounts.id, id), isNotNull(accounts.deletedAt));
      const isCount = inArray(documentCounts.accountId, [id, testAccountId(id)]);
      const shard = await of(id);
      await shard.run((db) => db.delete(documentCounts).where(isCount).run());
      await d1.run((db) =>
        db.batch([
          db.delete(apiKeys).where(eq(apiKeys.accountId, id)),
          db.delete(webhookSecrets).where(eq(webhookSecrets.accountId, id)),
          db.delete(auditEvents).where(eq(auditEvents.accountId, id)),
          db.delete(accounts).where(isDeleted),
        ]),
      );
    },
  };
}

/** Returns which of these accounts, all in this shard, have test documents. If the shard does not respond, returns all of them. */
async function testIds(shard: D1Client | undefined, inShard: { id: string }[]): Promise<string[]> {
  const ids = inShard.map(({ id }) => testAccountId(id));
  const { accountId } = documentCounts;
  const find = () =>
    shard?.run((db) => db.selectDistinct({ accountId }).from(documentCounts).where(isOneOf(accountId, ids)).all());
  const rows = await find()?.catch(() => null);
  return rows ? rows.map((row) => row.accountId) : ids;
}

/** D1 handles one query at a time, so requests wait until a delete ends. */
const rowsPerDelete = 200;

/** The failure that is recorded for a document whose file was lost after it completed. */
const fileLost = JSON.stringify({
  code: "RENDER_FAILED",
  message: "The file of this document was lost after it completed. Create the document again.",
});

export function shardArchives(d1: D1Client, directory: D1Client): ShardArchives {
  return { documents: documentArchive(d1), events: eventArchive(d1, directory) };
}

function documentArchive(d1: D1Client): DocumentArchive {
  const { id, accountId, fileKey, status, completedAt, expiresAt } = documents;
  const fileColumns = { id, accountId, fileKey, status, completedAt, expiresAt };
  return {
    async expired(nowMs, except, limit) {
      const wanted = and(lte(expiresAt, nowMs), not(isOneOf(accountId, except)));
      return d1.run((db) =>
        db.select(fileColumns).from(documents).where(wanted).orderBy(asc(expiresAt), asc(id)).limit(limit).all(),
      );
    },
    async byFileKey(after, limit) {
      return d1.run((db) =>
        db.select(fileColumns).from(documents).where(gt(fileKey, after)).orderBy(asc(fileKey)).limit(limit).all(),
      );
    },
    ofAccount: (account, limit) =>
      d1.run((db) => db.select(fileColumns).from(documents).where(eq(accountId, account)).limit(limit).all()),
    async remove(ids) {
      for (let from = 0; from < ids.length; from += rowsPerDelete) {
        const some = ids.slice(from, from + rowsPerDelete);
        await d1.run((db) => db.delete(documents).where(isOneOf(id, some)).run());
      }
    },
    async markFileLost(account, document) {
      const lost = { ...noFile, status: "failed" as const, error: fileLost };
      const completed = and(eq(accountId, account), eq(id, document), eq(status, "completed"));
      await d1.run((db) => db.update(documents).set(lost).where(completed).run());
    },
    async removeDownloads(before, limit) {
      const key = sql`account_id, document_id, created_at, id`;
      const old = sql`SELECT ${key} FROM ${documentDownloads} WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`;
      const { meta } = await d1.run((db) => db.run(sql`DELETE FROM ${documentDownloads} WHERE (${key}) IN (${old})`));
      return meta.changes;
    },
    databaseBytes: () => databaseBytes(d1),
  };
}

function eventArchive(d1: D1Client, directory: D1Client): EventArchive {
  const { id, accountId, createdAt, status, dispatchAt } = webhookEvents;
  const rowId = sql<number>`rowid`;
  return {
    async overdue(nowMs, limit) {
      const [isDue, columns] = [lte(dispatchAt, nowMs), { eventId: id, accountId }];
      const rows = await d1.run((db) =>
        db.select(columns).from(webhookEvents).where(isDue).orderBy(asc(dispatchAt)).limit(limit).all(),
      );
      const accountIds = rows.map((row) => row.accountId);
      await rememberHomes(directory, accountIds);
      return eventIdsByAccount(rows);
    },
    async ended(before, after, limit) {
      const columns = { rowId, id, accountId, createdAt, status };
      const rows = await d1.run((db) =>
        db.select(columns).from(webhookEvents).where(gt(rowId, after)).orderBy(asc(rowId)).limit(limit).all(),
      );
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        events: rows.filter((row) => row.status !== "pending" && row.createdAt < before[row.status]),
        next: last && last.createdAt < Math.max(before.delivered, before.dead) ? last.rowId : null,
      };
    },
    async ofAccount(account, after, limit) {
      const wanted = and(eq(accountId, account), gt(id, after));
      const rows = await d1.run((db) =>
        db.select().from(webhookEvents).where(wanted).orderBy(asc(id)).limit(limit).all(),
      );
      return rows.map((row) => ({ ...fromRow(row), payload: row.payload }));
    },
    async remove(events) {
      // All keys are bound as one parameter, because D1 allows at most 100 parameters.
      const keys = JSON.stringify(events.map((event) => [event.accountId, event.id]));
      const isOne = sql`(${accountId}, ${id}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`;
      await d1.run((db) => db.delete(webhookEvents).where(isOne).run());
    },
  };
}

export function passStore(d1: D1Client): PassStore {
  return {
    async read(name) {
      const row = await d1.run((db) => db.select().from(repairPasses).where(eq(repairPasses.name, name)).get());
      const position = row?.position ? (JSON.parse(row.position) as RepairPosition) : null;
      return { position, finishedAt: row?.finishedAt ?? null };
    },
    async save(name, { position, finishedAt }) {
      const state = { position: position && JSON.stringify(position), finishedAt };
      const row = { name, ...state };
      await d1.run((db) =>
        db.insert(repairPasses).values(row).onConflictDoUpdate({ target: repairPasses.name, set: state }).run(),
      );
    },
  };
}
