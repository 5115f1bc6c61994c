// Lists documents in D1, in a time that does not depend on how many documents the account has. Totals come from kept numbers
// where triggers keep them (see the migrations), and otherwise count up to a limit. A combination of filters that no index
// covers is searched for a bounded number of documents per page.
import { and, count, eq, inArray, sql, sum, type SQL } from "drizzle-orm";
import type { DocumentFilter } from "../../core/documents/document-filter.ts";
import { cutPage, newestFirst, type Cursor, type Page, type Position } from "../../core/pagination.ts";
import type { DocumentList } from "../../ports/documents.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { documents, documentTotals } from "../d1/document-tables.ts";
import {
  isOlder,
  orderedIds,
  rangeOf,
  someIds,
  sourcesOf,
  upTo,
  type Range,
  type Selection,
  type Source,
  type Sources,
} from "./document-order.ts";

type Row = typeof documents.$inferSelect;
type ListedRows = Omit<DocumentList, "documents"> & { rows: Row[] };
type Request = { accountId: string; filter: DocumentFilter; page: Page };

/** The limit for totals that are not kept. Counting so many rows of an index takes about a millisecond. */
const maxCounted = 10_000;
/** From this offset on, it is worth asking for the total first, to skip documents from the nearer end of the list. */
const deepOffset = 10_000;
/** The number of documents that one page of a search examines. */
const searchedPerPage = 1_000;

export async function listDocuments(
  d1: D1Client,
  accountId: string,
  filter: DocumentFilter,
  page: Page,
): Promise<ListedRows> {
  const request = { accountId, filter, page };
  const sources = sourcesOf(accountId, filter);
  return d1.run((db) => {
    if (sources.length > 1) return search(db, request, sources);
    return isTotalKept(filter) ? listCounted(db, request, sources[0]) : listUncounted(db, request, sources[0]);
  });
}

/** Triggers keep the totals of these filters. */
function isTotalKept({ createdAfter, createdBefore, metadata }: DocumentFilter): boolean {
  return createdAfter === undefined && createdBefore === undefined && Object.keys(metadata ?? {}).length === 0;
}

async function listUncounted(db: Database, { accountId, filter, page }: Request, source: Source): Promise<ListedRows> {
  const [found, counts] = await db.batch([
    rowsOf(db, accountId, pageIds(page, { source, filter, range: rangeOf(filter, page.cursor) })),
    countOf(db, someIds({ source, filter, range: rangeOf(filter) }, maxCounted + 1)),
  ]);
  const { items, more } = cutPage(page, found);
  return { rows: items, more, ...countedTotal(counts[0]?.total ?? 0) };
}

function countedTotal(counted: number): { total: number; totalIsExact: boolean } {
  return { total: Math.min(counted, maxCounted), totalIsExact: counted <= maxCounted };
}

async function listCounted(db: Database, request: Request, source: Source): Promise<ListedRows> {
  const { accountId, filter, page } = request;
  if (page.offset >= deepOffset) return listAtDeepOffset(db, request, source);
  const selection = { source, filter, range: rangeOf(filter, page.cursor) };
  const [found, totals] = await db.batch([
    rowsOf(db, accountId, pageIds(page, selection)),
    keptTotal(db, accountId, filter),
  ]);
  const { items, more } = cutPage(page, found);
  return { rows: items, more, total: totals[0]?.total ?? 0, totalIsExact: true };
}

/** Skips documents from the nearer end of the list. If a document is created or deleted in between, the page shifts by one. */
async function listAtDeepOffset(
  db: Database,
  { accountId, filter, page }: Request,
  source: Source,
): Promise<ListedRows> {
  const total = (await keptTotal(db, accountId, filter))[0]?.total ?? 0;
  const { offset, limit } = page;
  const selection = { source, filter, range: rangeOf(filter) };
  const wanted = Math.min(limit + 1, total - offset);
  const offsetFromEnd = total - offset - wanted;
  const fromEnd = { direction: "newer" as const, limit: wanted, offset: offsetFromEnd };
  const ids = offsetFromEnd < offset ? orderedIds(selection, fromEnd) : pageIds(page, selection);
  const { items, more } = cutPage(page, wanted > 0 ? await rowsOf(db, accountId, ids) : []);
  return { rows: items, more, total, totalIsExact: true };
}

/** Returns the statement that adds up the numbers which triggers keep. */
function keptTotal(db: Database, accountId: string, { templateId, status, format }: DocumentFilter) {
  const wanted = and(
    eq(documentTotals.accountId, accountId),
    templateId ? eq(documentTotals.templateId, templateId) : undefined,
    status ? eq(documentTotals.status, status) : undefined,
    format ? eq(documentTotals.format, format) : undefined,
  );
  const total = sql<number>`coalesce(${sum(documentTotals.stored)}, 0)`;
  return db.select({ total }).from(documentTotals).where(wanted);
}

/**
 * Examines a bounded number of documents. The page may have fewer documents than its limit although the list continues; `more`
 * is then the position up to which the list was searched.
 */
async function search(db: Database, { accountId, filter, page }: Request, sources: Sources): Promise<ListedRows> {
  const { cursor } = page;
  const searched = boundedSearch(db, sources, { filter, range: rangeOf(filter, cursor), direction: directionOf(page) });
  const counted = cursor
    ? boundedSearch(db, sources, { filter, range: rangeOf(filter), direction: "older" })
    : searched;
  const [here, fromStart] = await Promise.all([searched, counted]);
  const [found, counts] = await db.batch([
    rowsOf(db, accountId, pageIds(page, here.selection)),
    countOf(db, someIds(fromStart.selection, maxCounted)),
  ]);
  const { items, more } = cutPage(page, found);
  return { rows: items, more: more ?? here.end, total: counts[0]?.total ?? 0, totalIsExact: fromStart.end === null };
}

type Bounded = { selection: Selection; end: Position | null };
type Wanted = { filter: DocumentFilter; range: Range; direction: Cursor["direction"] };

/**
 * Returns the selection that searches farthest, using the source with the fewest documents. `end` is the last position in it;
 * null if the search covers the whole range.
 */
async function boundedSearch(db: Database, [first, ...others]: Sources, wanted: Wanted): Promise<Bounded> {
  const { filter, range, direction } = wanted;
  const edge = (source: Source) => {
    const slice = { direction, limit: 2, offset: searchedPerPage - 1 };
    return positionsOf(db, orderedIds({ source: { ...source, further: [] }, filter, range }, slice));
  };
  const edges = await db.batch([edge(first), ...others.map(edge)]);
  const bounded = [first, ...others].map((source, index): Bounded => {
    const [newest, oldest] = (edges[index] ?? []).toSorted(newestFirst);
    const end = newest && oldest ? (direction === "older" ? newest : oldest) : null;
    return { selection: { source, filter, range: end ? upTo(range, direction, end) : range }, end };
  });
  return bounded.reduce((best, other) => (reachesFarther(other, best, direction) ? other : best));
}

function reachesFarther({ end: a }: Bounded, { end: b }: Bounded, direction: Cursor["direction"]): boolean {
  if (a === null || b === null) return b !== null;
  return direction === "older" ? isOlder(a, b) : isOlder(b, a);
}

function directionOf({ cursor }: Page): Cursor["direction"] {
  return cursor?.direction ?? "older";
}

/** Returns a query of the ids on a page and of the next one. */
function pageIds(page: Page, selection: Selection) {
  return orderedIds(selection, { direction: directionOf(page), limit: page.limit + 1, offset: page.offset });
}

function countOf(db: Database, ids: SQL) {
  return db.select({ total: count() }).from(sql`(${ids})`);
}

function positionsOf(db: Database, ids: SQL) {
  return db.select({ createdAt: sql<number>`createdAt`, id: sql<string>`id` }).from(sql`(${ids})`);
}

/** Returns the statement that reads these documents, in any order. */
function rowsOf(db: Database, accountId: string, ids: SQL) {
  const isListed = inArray(documents.id, sql`(SELECT id FROM (${ids}))`);
  // The plus keeps SQLite from reading all documents of the account by an index, instead of the listed ones by their ids.
  const isMine = sql`+${documents.accountId} = ${accountId}`;
  return db.select().from(documents).where(and(isMine, isListed));
}
