// Reads one page of a table in the order of lists: newest first, then by id.
import { and, count, desc, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Listed, cutPage, type Page, type Position } from "../../core/pagination.ts";
import type { D1Client } from "./d1-client.ts";

type ListedTable = SQLiteTable & { createdAt: SQLiteColumn; id: SQLiteColumn };

/** `isListed` selects the rows of the list. */
export async function readPage<T extends ListedTable, Row extends Position = T["$inferSelect"] & Position>(
  d1: D1Client,
  table: T,
  isListed: SQL | undefined,
  page: Page,
): Promise<Listed<Row>> {
  const { createdAt, id } = table;
  const after = page.cursor && sql`(${createdAt}, ${id}) < (${page.cursor.createdAt}, ${page.cursor.id})`;
  // Drizzle's query types do not accept a type parameter as the table.
  const listed: SQLiteTable = table;
  const [rows, totals] = await d1.run((db) => {
    const sorted = db.select().from(listed).where(and(isListed, after)).orderBy(desc(createdAt), desc(id));
    const counted = db.select({ total: count() }).from(listed).where(isListed);
    return db.batch([sorted.limit(page.limit + 1).offset(page.offset), counted]);
  });
  return { ...cutPage(page, rows as Row[]), total: totals[0]?.total ?? 0 };
}
