// All accounts in D1, for maintenance.
import { and, asc, eq, gt, inArray, isNotNull, sql } from "drizzle-orm";
import { union } from "drizzle-orm/sqlite-core";
import { testAccountId } from "../../core/accounts/account.ts";
import type { AccountArchive } from "../../ports/maintenance.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { documentCounts } from "../d1/document-tables.ts";
import { accounts, apiKeys, auditEvents, webhookSecrets } from "../d1/schema.ts";

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
