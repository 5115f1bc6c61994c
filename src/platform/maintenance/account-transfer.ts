// Reads what an account has as plain rows, and writes such rows into another instance. Files and contents of templates are objects
// beside them. Keys, secrets, webhooks, batches and test documents stay behind.
import { and, eq, getTableColumns, gt, inArray, ne, or, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { formatOfFileKey } from "../../core/documents/document.ts";
import { folderNameProblem } from "../../core/templates/template-name.ts";
import { isOneOf } from "../d1/is-one-of.ts";
import { planNames } from "../../core/accounts/plans.ts";
import type { AccountTransfer, StoredObject, TransferredRow } from "../../ports/maintenance.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { deletedDocuments, documentCounts, documents } from "../d1/document-tables.ts";
import { accounts, templates, templateVersions } from "../d1/schema.ts";
import { putParts, storageCall } from "../storage.ts";

/** In the order in which rows are written. */
const tables = { accounts, templates, templateVersions, documents, documentCounts };
type TableName = keyof typeof tables;
const tableNames = Object.keys(tables) as TableName[];

const objectTimeoutMs = 30_000;
/** An object may arrive slowly. */
const uploadTimeoutMs = 5 * 60_000;
/** Rows of one response, and of one statement: D1 takes 100 parameters. */
const rowsPerPart = 200;

export function accountTransfer(d1: D1Client, buckets: { files: R2Bucket; templates: R2Bucket }): AccountTransfer {
  return {
    async read(accountId, cursor) {
      const [name = "accounts", after = ""] = cursor?.split(" ") ?? [];
      const index = Math.max(0, tableNames.indexOf(name as TableName));
      const table = tableNames[index] ?? "accounts";
      const rows = await d1.run((db) => readRows(db, table, accountId, after));
      const last = rows.at(-1);
      const isEnd = rows.length < rowsPerPart || !last;
      const following = tableNames[index + 1];
      return {
        rows: rows.map(({ position: _, ...row }) => ({ table, row })),
        nextCursor: isEnd ? (following ?? null) : `${table} ${last.position}`,
      };
    },
    async write(rows) {
      const problem = rows.map(problemOf).find((found) => found !== null) ?? (await d1.run((db) => takenBy(db, rows)));
      if (problem === null) await d1.run((db) => writeRows(db, rows));
      return problem;
    },
    async readObject(bucket, key) {
      const object = await storageCall("R2 get", objectTimeoutMs, buckets[bucket].get(key));
      if (!object) return null;
      const { httpMetadata = {}, customMetadata = {} } = object;
      return { body: object.body, about: { httpMetadata: plain(httpMetadata), customMetadata } };
    },
    async writeObject(bucket, key, body, { httpMetadata, customMetadata }) {
      const onlyIf = { etagDoesNotMatch: "*" };
      const options = { httpMetadata, customMetadata, onlyIf };
      await putParts(buckets[bucket], key, { ...body, timeoutMs: uploadTimeoutMs }, options);
    },
  };
}

function plain({ contentType, cacheControl }: R2HTTPMetadata): StoredObject["httpMetadata"] {
  return { ...(contentType && { contentType }), ...(cacheControl && { cacheControl }) };
}

type PositionedRow = Record<string, unknown> & { position: string };

/** Returns the rows after this position, in the order of their keys. */
async function readRows(db: Database, name: TableName, accountId: string, after: string): Promise<PositionedRow[]> {
  const table: SQLiteTable = tables[name];
  const owner = name === "accounts" ? accounts.id : tables[name].accountId;
  const position = {
    accounts: sql<string>`'1'`,
    templates: sql<string>`${templates.id}`,
    templateVersions: sql<string>`${templateVersions.templateId} || printf('%010d', ${templateVersions.version})`,
    documents: sql<string>`printf('%014d', ${documents.createdAt}) || ${documents.id}`,
    documentCounts: sql<string>`${documentCounts.month} || ${documentCounts.status}`,
  }[name];
  const { createdAt, id, status } = documents;
  // There may be many documents, so their own key is used. Those that are being rendered belong to this instance.
  const isLater =
    name === "documents"
      ? and(ne(status, "processing"), sql`(${createdAt}, ${id}) > (${Number(after.slice(0, 14))}, ${after.slice(14)})`)
      : gt(position, after);
  return db
    .select({ ...getTableColumns(table), position })
    .from(table)
    .where(and(eq(owner, accountId), isLater))
    .orderBy(...(name === "documents" ? [createdAt, id] : [position]))
    .limit(rowsPerPart)
    .all();
}

/** Returns what is wrong with a row, which comes from another instance, perhaps of another release; null for a valid one. */
function problemOf({ table, row }: TransferredRow): string | null {
  const columns = Object.entries(getTableColumns<SQLiteTable>(tables[table]));
  const unknown = Object.keys(row).find((name) => !columns.some(([column]) => column === name));
  if (unknown !== undefined) return `${table} has no property ${unknown}`;
  if (table === "accounts" && row["deletedAt"] !== null) return "the account was being deleted";
  if (table === "documents" && formatOfFileKey(String(row["fileKey"])) !== row["format"])
    return "documents.fileKey is not that of a file of this format";
  if (table === "templates" && folderNameProblem(String(row["folder"])) !== null)
    return `templates.folder ${folderNameProblem(String(row["folder"]))}`;
  const wrong = columns.find(([name, column]) => !isValueOf(name, column, row[name]));
  return wrong ? `${table}.${wrong[0]} is not a value that this release has` : null;
}

function isValueOf(name: string, { dataType, notNull, enumValues = [] }: SQLiteColumn, value: unknown): boolean {
  if (value === null) return !notNull;
  if (typeof value !== dataType) return false;
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 && value <= maxNumber;
  if (typeof value !== "string") return true;
  const isKnown = enumValues.length > 0 ? enumValues.includes(value) : (patterns[name]?.test(value) ?? true);
  return isKnown && value.length <= maxTextChars && isJsonWhere(name, value);
}

/** The latest time that a date can have, which is more than any count. */
const maxNumber = 8_640_000_000_000_000;
const maxTextChars = 300_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const patterns: Record<string, RegExp> = {
  ...{ id: uuid, accountId: uuid, templateId: uuid, batchId: uuid },
  fileKey: /^[\w-]{43}\.\w{3,4}$/,
  plan: new RegExp(`^(${planNames.join("|")})$`),
  month: /^\d{4}-\d{2}$/,
  contentHash: /^[0-9a-f]{64}$/,
  name: /^\P{Cc}{1,200}$/u,
};
const jsonColumns = ["manifest", "metadata", "warnings", "error"];

function isJsonWhere(name: string, text: string): boolean {
  if (!jsonColumns.includes(name)) return true;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/**
 * Returns which row names something that this instance has already for something else, which the new row would share, and remove
 * with itself; null if there is none.
 */
async function takenBy(db: Database, rows: TransferredRow[]): Promise<string | null> {
  const textsOf = (name: TableName, column: string) =>
    rows.flatMap(({ table, row }) => (table === name ? [String(row[column])] : []));
  const fileKeys = textsOf("documents", "fileKey");
  const { id, accountId, fileKey } = documents;
  const isNamed = or(isOneOf(id, textsOf("documents", "id")), isOneOf(fileKey, fileKeys));
  const owned = { id: templates.id, accountId: templates.accountId };
  const templateIds = [...textsOf("templates", "id"), ...textsOf("templateVersions", "templateId")];
  const [stored, storedTemplates] = await db.batch([
    db.select({ id, accountId, fileKey }).from(documents).where(isNamed),
    db.select(owned).from(templates).where(isOneOf(templates.id, templateIds)),
  ]);
  const own = new Map<unknown, TransferredRow["row"]>();
  for (const { table, row } of rows) {
    if (table !== "documents") continue;
    if ((own.get(row["fileKey"]) ?? row)["id"] !== row["id"]) return "two documents have the same file";
    own.set(row["fileKey"], row);
    const isShared = (other: (typeof stored)[number]) =>
      other.id === row["id"] ? other.accountId !== row["accountId"] : other.fileKey === row["fileKey"];
    if (stored.some(isShared)) return `the id or the file of document ${String(row["id"])} belongs to another one here`;
  }
  const { accountId: ofRow, id: ofAccount } = rows[0]?.row ?? {};
  return storedTemplates.some((other) => other.accountId !== (ofRow ?? ofAccount))
    ? "the id of a template belongs to another account here"
    : null;
}

/** Rows that exist stay as they are, except for counts, which the triggers have begun to keep. */
async function writeRows(db: Database, rows: TransferredRow[]): Promise<void> {
  const ids = rows.flatMap(({ table, row }) => (table === "documents" ? [String(row["id"])] : []));
  const statements = rows.map(({ table, row }) => {
    // Only the triggers know how many documents are stored.
    const values = table === "documentCounts" ? { ...row, stored: 0 } : row;
    const insert = db.insert(tables[table] as SQLiteTable).values(values as never);
    if (table !== "documentCounts") return insert.onConflictDoNothing();
    const target = [documentCounts.accountId, documentCounts.month, documentCounts.status];
    return insert.onConflictDoUpdate({ target, set: { ever: sql`max(ever, excluded.ever)` } as never });
  });
  // Otherwise, a trigger would drop documents that this instance has deleted within a day.
  const allow = Array.from({ length: Math.ceil(ids.length / 50) }, (_, at) =>
    db.delete(deletedDocuments).where(inArray(deletedDocuments.id, ids.slice(50 * at, 50 * at + 50))),
  );
  const [first, ...others] = [...allow, ...statements];
  if (first) await db.batch([first, ...others]);
}
