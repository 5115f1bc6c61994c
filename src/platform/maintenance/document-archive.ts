// Documents of all accounts in D1, for maintenance.
import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { earlierExpiry, expiryOf, type Retention } from "../../core/accounts/retention.ts";
import type { DocumentArchive, TimePosition } from "../../ports/maintenance.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { documentCounts, documents } from "../d1/document-tables.ts";
import { isOneOf } from "../d1/is-one-of.ts";
import { fromRow } from "../documents/document-store.ts";

const { id, accountId, createdAt, fileKey, status, completedAt, expiresAt, requestedExpiresAt } = documents;
const fileColumns = { id, accountId, fileKey, status, completedAt, expiresAt };

/** What the record of a document says whose file was lost after the render had completed. */
const fileLost = JSON.stringify({
  code: "RENDER_FAILED",
  message: "The file of this document was lost after the render had completed. Create the document again.",
});

export function documentArchive(d1: D1Client): DocumentArchive {
  return {
    async expired(nowMs, after, limit) {
      const isAfter = after ? sql`(${expiresAt}, ${id}) > (${after.at}, ${after.id})` : undefined;
      const wanted = and(lte(expiresAt, nowMs), isAfter);
      return d1.run((db) =>
        db.select(fileColumns).from(documents).where(wanted).orderBy(asc(expiresAt), asc(id)).limit(limit).all(),
      );
    },
    async byFileKey(after, limit) {
      return d1.run((db) =>
        db.select(fileColumns).from(documents).where(gt(fileKey, after)).orderBy(asc(fileKey)).limit(limit).all(),
      );
    },
    async ofAccount(account, after, limit) {
      const rows = await d1.run((db) => oldestFirst(db, account, after, limit).all());
      return rows.map(fromRow);
    },
    async remove(ids) {
      await d1.run((db) => db.delete(documents).where(isOneOf(id, ids)).run());
    },
    setExpiry: (account, retention, after, limit) =>
      d1.run((db) => setExpiry(db, { account, retention, after, limit })),
    async markFileLost(account, document) {
      await d1.run((db) => markFileLost(db, account, document));
    },
    async completedByMonth(account) {
      const { month, ever: completed } = documentCounts;
      const mine = and(eq(documentCounts.accountId, account), eq(documentCounts.status, "completed"));
      const rows = await d1.run((db) => db.select({ month, completed }).from(documentCounts).where(mine).all());
      return Object.fromEntries(rows.map((row) => [row.month, row.completed]));
    },
    async databaseBytes() {
      const { meta } = await d1.run((db) => db.run(sql`SELECT 1`));
      return meta.size_after;
    },
  };
}

type ExpiryChange = { account: string; retention: Retention; after: TimePosition | null; limit: number };

async function setExpiry(db: Database, { account, retention, after, limit }: ExpiryChange) {
  const rows = await oldestFirst(db, account, after, limit).all();
  const changed = rows
    .filter((row) => row.expiresAt !== earlierExpiry(expiryOf(row.createdAt, retention), row.requestedExpiresAt))
    .map((row) => row.id);
  const age = expiryOf(0, retention);
  const latest = sql`${documents.createdAt} + ${age}`;
  const value = age === null ? requestedExpiresAt : sql`min(${latest}, coalesce(${requestedExpiresAt}, ${latest}))`;
  if (changed.length > 0) await db.update(documents).set({ expiresAt: value }).where(isOneOf(id, changed)).run();
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { changed: changed.length, last: last ? { at: last.createdAt, id: last.id } : null };
}

async function markFileLost(db: Database, account: string, document: string): Promise<void> {
  await db
    .update(documents)
    .set({
      status: "failed",
      completedAt: null,
      pixelWidth: null,
      pixelHeight: null,
      pageCount: null,
      fileSize: null,
      sha256: null,
      warnings: "[]",
      error: fileLost,
    })
    .where(and(eq(accountId, account), eq(id, document), eq(status, "completed")))
    .run();
}

/** Returns the statement that reads the account's next documents after the position, oldest first. */
function oldestFirst(db: Database, account: string, after: TimePosition | null, limit: number) {
  const isAfter = after ? sql`(${createdAt}, ${id}) > (${after.at}, ${after.id})` : undefined;
  return db
    .select()
    .from(documents)
    .where(and(eq(accountId, account), isAfter))
    .orderBy(asc(createdAt), asc(id))
    .limit(limit);
}
