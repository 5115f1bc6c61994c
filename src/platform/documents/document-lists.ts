// Lists and counts documents in D1, in a time that does not depend on how many documents the account has. The table stores an account's
// documents in the order of lists, with indexes by template and by batch. Other filters search a bounded number of documents.
import { and, desc, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import type { DocumentFilter } from "../../core/documents/document.ts";
import { type Listed, cutPage, newestFirst, type Page, type Position } from "../../core/pagination.ts";
import type { UsageDays } from "../../ports/documents.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import type { Databases } from "../d1/databases.ts";
import { documentCounts, documents } from "../d1/document-tables.ts";

const listOrder = sql`${documents.createdAt} DESC, ${documents.id} DESC`;
/** The limit of totals that triggers do not maintain, and the number of documents that are examined for them. */
const maxCounted = 10_000;
/** The number of documents that one page of a search examines. */
const searchedPerPage = 1_000;

export async function listDocuments(
  d1: D1Client,
  accountId: string,
  filter: DocumentFilter,
  page: Page,
): Promise<Listed<typeof documents.$inferSelect>> {
  const range = rangeOf(accountId, filter, page.cursor);
  const wanted = searchedConditions(filter);
  const [found, totals, edge = []] = await d1.run((db) =>
    db.batch([
      pageOf(db, { range, wanted }, page),
      isTotalKept(filter) ? keptTotal(db, accountId, filter) : countedTotal(db, rangeOf(accountId, filter), wanted),
      ...(wanted ? [searchEdge(db, range)] : []),
    ]),
  );
  const { items, more } = cutPage(page, found);
  const end = edge.length > 1 ? (edge[0] ?? null) : null;
  const { total = 0, isExact = 1 } = totals[0] ?? {};
  return { items, more: more ?? end, total, totalIsExact: isExact === 1 };
}

/** Returns the condition for the range of an index that the filter and the cursor allow. */
function rangeOf(
  accountId: string,
  { templateId, batchId, createdAfter, createdBefore }: DocumentFilter,
  cursor?: Position,
): SQL | undefined {
  const at = sql`(${documents.createdAt}, ${documents.id})`;
  // One condition, because SQLite would use only one of several to search the index.
  const newest = [...startOf(createdBefore), ...(cursor ? [cursor] : [])].toSorted(newestFirst).at(-1);
  const [oldest] = startOf(createdAfter);
  return and(
    eq(documents.accountId, accountId),
    batchId === undefined ? undefined : eq(documents.batchId, batchId),
    // The `+` prevents SQLite from using the templates' index for a batch's documents, which are fewer.
    templateId === undefined
      ? undefined
      : sql`${sql.raw(batchId === undefined ? "" : "+")}${documents.templateId} = ${templateId}`,
    newest && sql`${at} < (${newest.createdAt}, ${newest.id})`,
    oldest && sql`${at} > (${oldest.createdAt}, ${oldest.id})`,
  );
}

/** Returns the position just before everything created at the time, if a time is given. */
function startOf(time: number | undefined): Position[] {
  return time === undefined ? [] : [{ createdAt: time, id: "" }];
}

/** Returns the conditions of the filter that no index covers. */
function searchedConditions({ status, format, metadata = {} }: DocumentFilter): SQL | undefined {
  return and(
    status && eq(documents.status, status),
    format && eq(documents.format, format),
    // Characters that are allowed in a key need no escape in a path.
    ...Object.entries(metadata).map(([key, value]) => sql`${documents.metadata} ->> ${`$."${key}"`} = ${value}`),
  );
}

type Selection = { range: SQL | undefined; wanted: SQL | undefined };

/** Returns the statement that reads the page and one more document. The subquery has the same name as the table. */
function pageOf(db: Database, { range, wanted }: Selection, { limit, offset }: Page) {
  const ordered = db.select().from(documents).where(range).orderBy(listOrder);
  if (!wanted) return ordered.limit(limit + 1).offset(offset);
  const searched = ordered.limit(searchedPerPage).as("documents");
  const matching = db.select().from(searched).where(wanted);
  return matching.limit(limit + 1).offset(offset);
}

/** Returns the statement that reads the last document that a page of a search examines, and the next one if it exists. */
function searchEdge(db: Database, range: SQL | undefined) {
  const { createdAt, id } = documents;
  const ordered = db.select({ createdAt, id }).from(documents).where(range).orderBy(listOrder);
  return ordered.limit(2).offset(searchedPerPage - 1);
}

function isTotalKept({ status: _status, metadata = {}, ...others }: DocumentFilter): boolean {
  return [...Object.values(others), ...Object.keys(metadata)].every((value) => value === undefined);
}

/** Returns the statement that adds up the counts that triggers maintain. */
function keptTotal(db: Database, accountId: string, { status }: DocumentFilter) {
  const total = sql<number>`coalesce(sum(${documentCounts.stored}), 0)`.as("total");
  const isExact = sql<number>`1`.as("isExact");
  const counted = and(eq(documentCounts.accountId, accountId), status && eq(documentCounts.status, status));
  return db.select({ total, isExact }).from(documentCounts).where(counted);
}

/** Returns the number of documents that the account has ever completed, by month. */
export async function completedByMonth({ of }: Pick<Databases, "of">, accountId: string) {
  const d1 = await of(accountId);
  const { month, ever: completed } = documentCounts;
  const ofAccount = and(eq(documentCounts.accountId, accountId), eq(documentCounts.status, "completed"));
  const rows = await d1.run((db) => db.select({ month, completed }).from(documentCounts).where(ofAccount).all());
  return Object.fromEntries(rows.map((row) => [row.month, row.completed]));
}

export function usageDays(databases: Pick<Databases, "of">): UsageDays {
  return async (accountId, from, until) => {
    const d1 = await databases.of(accountId);
    const { createdAt, templateId, status } = documents;
    const day = sql<string>`date(${createdAt} / 1000, 'unixepoch')`;
    const completed = sql<number>`sum(${status} = 'completed')`;
    const failed = sql<number>`sum(${status} = 'failed')`;
    const inRange = and(eq(documents.accountId, accountId), gte(createdAt, from), lt(createdAt, until));
    return d1.run((db) =>
      db
        .select({ day, templateId, completed, failed })
        .from(documents)
        .where(inRange)
        .groupBy(day, templateId)
        .orderBy(desc(day), templateId)
        .all(),
    );
  };
}

/** Returns the statement that counts the documents among the newest ones that match the filter. */
function countedTotal(db: Database, range: SQL | undefined, wanted: SQL | undefined) {
  const { id, status, format, metadata } = documents;
  const selected = db.select(wanted ? { id, status, format, metadata } : { id }).from(documents);
  const ordered = selected.where(range).orderBy(listOrder);
  const newest = ordered.limit(maxCounted + 1).as("documents");
  const total = sql<number>`min(count(*) FILTER (WHERE ${wanted ?? sql`true`}), ${maxCounted})`.as("total");
  const isExact = sql<number>`count(*) <= ${maxCounted}`.as("isExact");
  return db.select({ total, isExact }).from(newest);
}
