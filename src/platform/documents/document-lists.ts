// Lists documents in D1. Triggers keep counts (see the migrations), so the total of an unfiltered list is known without
// counting its rows.
import { and, asc, count, desc, eq, gte, lt, sql, sum } from "drizzle-orm";
import type { DocumentFilter } from "../../core/documents/document-filter.ts";
import { cutPage, type Cursor, type Page } from "../../core/pagination.ts";
import type { DocumentList } from "../../ports/documents.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { documentCounts, documents } from "../d1/schema.ts";

const { createdAt, id } = documents;

type ListedRows = Omit<DocumentList, "documents"> & { rows: (typeof documents.$inferSelect)[] };

export async function listDocuments(
  d1: D1Client,
  accountId: string,
  filter: DocumentFilter,
  page: Page,
): Promise<ListedRows> {
  const selected = [eq(documents.accountId, accountId), ...conditions(filter)];
  const order = page.cursor?.direction === "newer" ? asc : desc;
  const [found, totals] = await d1.run((db) =>
    db.batch([
      db
        .select()
        .from(documents)
        .where(and(...selected, isBeyond(page.cursor)))
        .orderBy(order(createdAt), order(id))
        .limit(page.limit + 1)
        .offset(page.offset),
      selected.length > 1
        ? db
            .select({ total: count() })
            .from(documents)
            .where(and(...selected))
        : storedTotal(db, accountId),
    ]),
  );
  const { items, more } = cutPage(page, found);
  return { rows: items, more, total: Number(totals[0]?.total ?? 0), totalIsExact: true };
}

function storedTotal(db: Database, accountId: string) {
  return db
    .select({ total: sum(documentCounts.stored).mapWith(Number) })
    .from(documentCounts)
    .where(eq(documentCounts.accountId, accountId));
}

function conditions({ status, format, templateId, createdAfter, createdBefore }: DocumentFilter) {
  return [
    ...(status ? [eq(documents.status, status)] : []),
    ...(format ? [eq(documents.format, format)] : []),
    ...(templateId ? [eq(documents.templateId, templateId)] : []),
    ...(createdAfter === undefined ? [] : [gte(createdAt, createdAfter)]),
    ...(createdBefore === undefined ? [] : [lt(createdAt, createdBefore)]),
  ];
}

/** Returns the condition that a document is on the cursor's side of its position. */
function isBeyond(cursor: Cursor | undefined) {
  if (!cursor) return undefined;
  const position = sql`(${cursor.createdAt}, ${cursor.id})`;
  return cursor.direction === "newer"
    ? sql`(${createdAt}, ${id}) > ${position}`
    : sql`(${createdAt}, ${id}) < ${position}`;
}
