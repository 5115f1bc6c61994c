// All accounts in D1, for maintenance.
import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { AccountArchive } from "../../ports/maintenance.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { documentCounts } from "../d1/document-tables.ts";
import { accounts, apiKeys, webhookSecrets } from "../d1/schema.ts";

export function accountArchive(d1: D1Client): AccountArchive {
  return {
    async ids(after, limit) {
      const rows = await d1.run((db) =>
        db
          .select({ id: accounts.id })
          .from(accounts)
          .where(gt(accounts.id, after))
          .orderBy(asc(accounts.id))
          .limit(limit)
          .all(),
      );
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
          db.delete(documentCounts).where(eq(documentCounts.accountId, id)),
          db.delete(accounts).where(isDeleted),
        ]),
      );
    },
  };
}
