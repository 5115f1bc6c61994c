// Records in D1 who has downloaded documents, and lists it.
import { and, eq, gte, sql } from "drizzle-orm";
import { agedCache } from "colophon-base/aged-cache";
import { liveAccountId } from "../../core/accounts/account.ts";
import { downloadRetentionMs, maxDownloads } from "../../core/documents/document.ts";
import type { DownloadLog } from "../../ports/documents.ts";
import type { D1Client } from "../d1/d1-client.ts";
import type { Databases } from "../d1/databases.ts";
import { documentDownloads, documents } from "../d1/document-tables.ts";
import { readPage } from "../d1/read-page.ts";
import { accounts } from "../d1/schema.ts";

const settings = agedCache<boolean>({ maxEntries: 2_000, maxAgeMs: 5_000 });

/** Readers ask for many ranges. If each counted, 1,000 of them would replace the records of everybody else. */
const onceMs = 60_000;

const { id, accountId, documentId, createdAt } = documentDownloads;

export function downloadLog({ directory, of }: Pick<Databases, "directory" | "of">): DownloadLog {
  return {
    isOn: (account) => settings.get(liveAccountId(account), () => readSetting(directory, liveAccountId(account))),
    async record({ id: own, accountId: account, documentId: document, createdAt: at, keyId, country }) {
      const isDocument = and(eq(documents.accountId, account), eq(documents.id, document));
      const isOfDocument = and(eq(accountId, account), eq(documentId, document));
      const same = sql`${isOfDocument} AND ${createdAt} > ${at - onceMs} AND key_id IS ${keyId} AND country IS ${country}`;
      const found = sql`
        SELECT ${own}, ${account}, ${document}, ${at}, ${keyId}, ${country} FROM ${documents}
        WHERE ${isDocument} AND NOT EXISTS (SELECT 1 FROM ${documentDownloads} WHERE ${same})`;
      const oldest = sql`SELECT created_at, id FROM ${documentDownloads} WHERE ${isOfDocument} ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ${maxDownloads}`;
      const d1 = await of(account);
      await d1.run((db) =>
        db.batch([
          db.insert(documentDownloads).select(found).onConflictDoNothing(),
          db.delete(documentDownloads).where(and(isOfDocument, sql`(${createdAt}, ${id}) <= (${oldest})`)),
        ]),
      );
    },
    async list(account, document, page, nowMs) {
      const isKept = gte(createdAt, nowMs - downloadRetentionMs);
      const isListed = and(eq(accountId, account), eq(documentId, document), isKept);
      return readPage(await of(account), documentDownloads, isListed, page);
    },
  };
}

async function readSetting(directory: D1Client, account: string): Promise<boolean> {
  const { id: of, recordDownloads } = accounts;
  const row = await directory.run((db) => db.select({ recordDownloads }).from(accounts).where(eq(of, account)).get());
  return row?.recordDownloads ?? false;
}
