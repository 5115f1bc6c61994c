// Reads the ids of documents in the order of lists. The indexes have the status and the format before the time of creation.
// So a list is the merge of one range for each status and format, which SQLite reads in order and only as far as is needed,
// whatever the filter. `test/workerd/lists/query-plans.slow.test.ts` checks the plans.
import { and, sql, type SQL } from "drizzle-orm";
import {
  documentFormats,
  documentStatuses,
  type DocumentFormat,
  type DocumentStatus,
} from "../../core/documents/document.ts";
import type { DocumentFilter } from "../../core/documents/document-filter.ts";
import type { Cursor, Position } from "../../core/pagination.ts";

/**
 * Rows that an index has in the order of lists. `documents` are all documents with the rows' prefix of the index, and
 * `further` are the conditions that the index does not cover.
 */
export type Source = { table: SQL; id: SQL; prefix: SQL; further: SQL[] };

export type Sources = [Source, ...Source[]];

/** The part of the order between two positions. A position belongs to it if `isIncluded`. */
export type Range = { newest?: End | undefined; oldest?: End | undefined };
type End = Position & { isIncluded: boolean };

/** What to read of a source. */
export type Selection = { source: Source; filter: Pick<DocumentFilter, "status" | "format">; range: Range };

type Slice = { direction: Cursor["direction"]; limit: number; offset?: number };

/**
 * Returns the sources of the filtered documents. Each of them alone is enough. There are several if no index covers the whole
 * filter: then each has further conditions.
 */
export function sourcesOf(accountId: string, { templateId, metadata = {} }: DocumentFilter): Sources {
  const pairs = Object.entries(metadata);
  const searched = pairs.map(([key, value], index): Source => {
    const others = pairs.filter((_, other) => other !== index);
    return {
      table: sql`document_metadata`,
      id: sql`row.document_id`,
      prefix: sql`row.account_id = ${accountId} AND row.key = ${key} AND row.value = ${value}`,
      further: [
        ...(templateId === undefined ? [] : [sql`row.template_id = ${templateId}`]),
        ...others.map((pair) => hasPair(pair, sql`row.document_id`)),
      ],
    };
  });
  const [first, ...others] = searched;
  if (templateId === undefined && first) return [first, ...others];
  const template = templateId === undefined ? sql`` : sql` AND row.template_id = ${templateId}`;
  const all: Source = {
    table: sql`documents`,
    id: sql`row.id`,
    prefix: sql`row.account_id = ${accountId}${template}`,
    further: pairs.map((pair) => hasPair(pair, sql`row.id`)),
  };
  return [all, ...searched];
}

/** Returns the condition that the document of the row has a pair of metadata. */
function hasPair([key, value]: [string, string], id: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM document_metadata AS pair WHERE pair.account_id = row.account_id AND pair.key = ${key} AND pair.value = ${value} AND pair.status = row.status AND pair.format = row.format AND pair.created_at = row.created_at AND pair.document_id = ${id})`;
}

/** Returns the range of the filter's times, on the cursor's side of its position. */
export function rangeOf({ createdAfter, createdBefore }: DocumentFilter, cursor?: Cursor): Range {
  const times = {
    newest: createdBefore === undefined ? undefined : { createdAt: createdBefore, id: "", isIncluded: false },
    oldest: createdAfter === undefined ? undefined : { createdAt: createdAfter, id: "", isIncluded: true },
  };
  return cursor ? beyond(times, cursor.direction, { ...cursor, isIncluded: false }) : times;
}

/** Returns the part of the range that begins at this end and continues in the direction. */
function beyond(range: Range, direction: Cursor["direction"], end: End): Range {
  return direction === "older"
    ? { ...range, newest: older(range.newest, end) }
    : { ...range, oldest: newer(range.oldest, end) };
}

/** Returns the part of the range up to this position, in the direction. */
export function upTo(range: Range, direction: Cursor["direction"], position: Position): Range {
  return beyond(range, direction === "older" ? "newer" : "older", { ...position, isIncluded: true });
}

function older(a: End | undefined, b: End): End {
  return a && isOlder(a, b) ? a : b;
}

function newer(a: End | undefined, b: End): End {
  return a && isOlder(b, a) ? a : b;
}

export function isOlder(a: Position, b: Position): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);
}

/** Returns a query of the columns `createdAt` and `id` of a slice of the selection, in the order of the direction. */
export function orderedIds(selection: Selection, { direction, limit, offset = 0 }: Slice): SQL {
  const order = direction === "older" ? sql`createdAt DESC, id DESC` : sql`createdAt ASC, id ASC`;
  return sql`${union(selection)} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
}

/** Returns a query of the columns `createdAt` and `id` of at most `limit` documents of the selection, in any order. */
export function someIds(selection: Selection, limit: number): SQL {
  return sql`${union(selection)} LIMIT ${limit}`;
}

/**
 * SQLite moves the conditions into each of the ranges. So each value is bound once, however many ranges there are, and D1 allows
 * 100 values. The ranges are nested by status, because D1 allows five queries in one `UNION ALL`.
 */
function union({ source, filter, range }: Selection): SQL {
  const { table, id, prefix, further } = source;
  const statuses = documentStatuses.filter((status) => (filter.status ?? status) === status);
  const formats = documentFormats.filter((format) => (filter.format ?? format) === format);
  const kind = (status: DocumentStatus, format: DocumentFormat) =>
    sql`SELECT * FROM ${table} WHERE status = ${constant(status)} AND format = ${constant(format)}`;
  const all = (queries: SQL[]) => sql.join(queries, sql` UNION ALL `);
  const byStatus = statuses.map((status) => sql`SELECT * FROM (${all(formats.map((format) => kind(status, format)))})`);
  return sql`SELECT row.created_at AS createdAt, ${id} AS id FROM (${all(byStatus)}) AS row WHERE ${and(prefix, ...ends(range, id), ...further)}`;
}

/** Only for values that the code names. A constant is not one of the bound values. */
function constant(value: DocumentStatus | DocumentFormat): SQL {
  return sql.raw(`'${value}'`);
}

/** At most one condition for each end, because SQLite would use only one of several to find its way in the index. */
function ends({ newest, oldest }: Range, id: SQL): SQL[] {
  const at = sql`(row.created_at, ${id})`;
  const [below, above] = [sql.raw(newest?.isIncluded ? "<=" : "<"), sql.raw(oldest?.isIncluded ? ">=" : ">")];
  return [
    ...(newest ? [sql`${at} ${below} (${newest.createdAt}, ${newest.id})`] : []),
    ...(oldest ? [sql`${at} ${above} (${oldest.createdAt}, ${oldest.id})`] : []),
  ];
}
