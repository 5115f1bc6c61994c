// Rows of all accounts in D1, for maintenance.
import { and, asc, eq, gt, inArray, isNotNull, lte, not, sql } from "drizzle-orm";
import { union } from "drizzle-orm/sqlite-core";
import { testAccountId } from "../../core/accounts/account.ts";
import type { RepairPosition } from "../../core/maintenance/repair.ts";
import type { AccountArchive, DocumentArchive, EventArchive, PassStore } from "../../ports/maintenance.ts";
import { rememberHomes } from "../home-regions.ts";
import { isOneOf, type D1Client } from "../d1/d1-client.ts";
import { documentCounts, documents } from "../d1/document-tables.ts";
import { accounts, apiKeys, auditEvents, repairPasses, webhookEvents, webhookSecrets } from "../d1/schema.ts";
import { noFile } from "../documents/document-store.ts";
import { fromRow } from "../webhooks/webhook-store.ts";

export function accountArchive(d1: D1Client): AccountArchive {
  return {
    async ids(after, limit) {
      const rows = await d1.run((db) => {
        const { accountId } = documentCounts;
        const withTests = union(
          db.select({ id: accounts.id }).from(accounts).where(gt(accounts.id, after)),
          db.select({ id: accountId }).from(documentCounts).where(gt(accountId, after)),
        );
        return withTests
          .orderBy(asc(sql`id`))
          .limit(limit)
          .all();
      });
      return rows.map(({ id }) => id);
    },
    async markDeleted(id, nowMs) {
      const first = { deletedAt: sql`coalesce(${accounts.deletedAt}, ${nowMs})` };
      const [row] = await d1.run((db) => db.update(accounts).set(first).where(eq(accounts.id, id)).returning().all());
      return row?.deletedAt ?? null;
    },
    async deletedAt(id) {
      const row = await d1.run((db) => db.select().from(accounts).where(eq(accounts.id, id)).get());
      return row?.deletedAt ?? null;
    },
    async deleted(limit) {
      const rows = await d1.run((db) =>
        db.select().from(accounts).where(isNotNull(accounts.deletedAt)).orderBy(accounts.deletedAt).limit(limit).all(),
      );
      return rows.map(({ id }) => id);
    },
    async remove(id) {
      const isDeleted = and(eq(accounts.id, id), isNotNull(accounts.deletedAt));
      await d1.run((db) =>
        db.batch([
          db.delete(apiKeys).where(eq(apiKeys.accountId, id)),
          db.delete(webhookSecrets).where(eq(webhookSecrets.accountId, id)),
          db.delete(documentCounts).where(inArray(documentCounts.accountId, [id, testAccountId(id)])),
          db.delete(auditEvents).where(eq(auditEvents.accountId, id)),
          db.delete(accounts).where(isDeleted),
        ]),
      );
    },
  };
}

/** D1 handles one query at a time, so requests wait until a delete ends. */
const rowsPerDelete = 200;

/** The failure that is recorded for a document whose file was lost after it completed. */
const fileLost = JSON.stringify({
  code: "RENDER_FAILED",
  message: "The file of this document was lost after it completed. Create the document again.",
});

export function documentArchive(d1: D1Client): DocumentArchive {
  const { id, accountId, fileKey, status, completedAt, expiresAt } = documents;
  const fileColumns = { id, accountId, fileKey, status, completedAt, expiresAt };
  return {
    async expired(nowMs, except, limit) {
      const wanted = and(lte(expiresAt, nowMs), not(isOneOf(accountId, except)));
      const rows = await d1.run((db) =>
        db.select(fileColumns).from(documents).where(wanted).orderBy(asc(expiresAt), asc(id)).limit(limit).all(),
      );
      await rememberHomes(
        d1,
        rows.map((row) => row.accountId),
      );
      return rows;
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
    async databaseBytes() {
      const { meta } = await d1.run((db) => db.run(sql`SELECT 1`));
      return meta.size_after;
    },
  };
}

export function eventArchive(d1: D1Client): EventArchive {
  const { id, accountId, createdAt, status } = webhookEvents;
  const rowId = sql<number>`rowid`;
  return {
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
