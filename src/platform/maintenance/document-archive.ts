// Documents of all accounts in D1, for maintenance.
import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { DocumentArchive } from "../../ports/maintenance.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { documents } from "../d1/document-tables.ts";
import { isOneOf } from "../d1/is-one-of.ts";
import { noFile } from "../documents/document-store.ts";

const { id, accountId, fileKey, status, completedAt, expiresAt } = documents;
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
    async ofAccount(account, limit) {
      return d1.run((db) => db.select(fileColumns).from(documents).where(eq(accountId, account)).limit(limit).all());
    },
    async remove(ids) {
      await d1.run((db) => db.delete(documents).where(isOneOf(id, ids)).run());
    },
    async markFileLost(account, document) {
      await d1.run((db) => markFileLost(db, account, document));
    },
    async databaseBytes() {
      const { meta } = await d1.run((db) => db.run(sql`SELECT 1`));
      return meta.size_after;
    },
  };
}

async function markFileLost(db: Database, account: string, document: string): Promise<void> {
  await db
    .update(documents)
    .set({ ...noFile, status: "failed", error: fileLost })
    .where(and(eq(accountId, account), eq(id, document), eq(status, "completed")))
    .run();
}
