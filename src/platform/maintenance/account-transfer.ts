// Reads the data of an account as plain rows, and writes such rows into a different instance. Files and contents of templates are
// transferred separately, as objects. Keys, secrets, webhooks, batches and test documents stay behind.
import { and, eq, getTableColumns, gt, inArray, ne, or, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { formatOfFileKey } from "../../core/documents/document.ts";
import { validationError } from "../../core/errors.ts";
import type { AccountTransfer, TransferredRow } from "../../ports/maintenance.ts";
import { isOneOf, type Database } from "../d1/d1-client.ts";
import type { Databases } from "../d1/databases.ts";
import { deletedDocuments, documentCounts, documents } from "../d1/document-tables.ts";
import { accounts, templates, templateVersions } from "../d1/schema.ts";
import { httpMetadataOf, type FileBucket } from "../documents/file-store.ts";
import { messageContains } from "../overload.ts";
import { putParts, storageCall } from "../storage.ts";
import { rowProblem } from "./transferred-rows.ts";

/** In the order in which rows are written, those of the directory first. */
const tables = { accounts, templates, templateVersions, documents, documentCounts };
const isInShard = (table: TableName) => table === "documents" || table === "documentCounts";
type TableName = keyof typeof tables;
const tableNames = Object.keys(tables) as TableName[];

const objectTimeoutMs = 30_000;
/** R2's code for a body that does not match its announced digest. */
const wrongDigest = "(10037)";
/** An object may arrive slowly. */
const uploadTimeoutMs = 5 * 60_000;
/** The maximum number of rows in one response and one statement: D1 allows 100 parameters. */
const rowsPerPart = 200;

export function accountTransfer(
  databases: Databases,
  buckets: { files: FileBucket; templates: R2Bucket },
): AccountTransfer {
  const { directory, jurisdiction } = databases;
  return {
    async read(accountId, cursor) {
      const [name = "accounts", after = ""] = cursor?.split(" ") ?? [];
      const index = Math.max(0, tableNames.indexOf(name as TableName));
      const table = tableNames[index] ?? "accounts";
      const d1 = isInShard(table) ? await databases.of(accountId) : directory;
      const rows = await d1.run((db) => readRows(db, table, accountId, after));
      const last = rows.at(-1);
      const isEnd = rows.length < rowsPerPart || !last;
      const following = tableNames[index + 1];
      return {
        rows: rows.map(({ position: _, ...row }) => ({ table, row })),
        nextCursor: isEnd ? (following ?? null) : `${table} ${last.position}`,
      };
    },
    async write(accountId, rows, shard) {
      const wrong = rows.map(problemOf).find((found) => found !== null);
      const problem = wrong ?? (await takenBy(databases, accountId, rows));
      if (problem !== null) return { problem };
      const ofDirectory = rows.filter(({ table }) => !isInShard(table));
      const ofShard = rows.filter(({ table }) => isInShard(table));
      const written = await directory.run((db) => writeRows(db, ofDirectory, { shard, jurisdiction }));
      // The row of the account says which shard that is.
      const d1 = await databases.of(accountId);
      return written + (await d1.run((db) => writeRows(db, ofShard)));
    },
    async readObject(bucket, key) {
      const object = await storageCall("R2 get", objectTimeoutMs, buckets[bucket].get(key));
      return object && { body: object.body, metadata: object.customMetadata ?? {} };
    },
    async writeObject(bucket, key, body, customMetadata) {
      const onlyIf = { etagDoesNotMatch: "*" };
      const format = formatOfFileKey(key);
      const httpMetadata = format ? httpMetadataOf(key, format) : {};
      const { sha256 } = customMetadata;
      const options = { httpMetadata, customMetadata, onlyIf, ...(sha256 && { sha256 }) };
      const put = putParts(buckets[bucket], key, { ...body, timeoutMs: uploadTimeoutMs }, options);
      await put.catch((failure: unknown) => {
        if (!messageContains(failure, wrongDigest)) throw failure;
        const message = "`customMetadata.sha256` does not match the body.";
        throw validationError([{ path: "X-Object-Metadata", message }]);
      });
    },
  };
}

type PositionedRow = Record<string, unknown> & { position: string };

/** Returns the rows after this position, in key order. */
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
  // There may be many documents, so they are read in the order of their primary key. Documents that are being rendered
  // stay on this instance.
  const isLater =
    name === "documents"
      ? and(ne(status, "processing"), sql`(${createdAt}, ${id}) > (${Number(after.slice(0, 14))}, ${after.slice(14)})`)
      : gt(position, after);
  const columns = { ...columnsOf(name), position };
  const isWanted = and(eq(owner, accountId), isLater);
  const order = name === "documents" ? sql`${createdAt}, ${id}` : position;
  return db.select(columns).from(table).where(isWanted).orderBy(order).limit(rowsPerPart).all();
}

/** Every instance decides by itself in which shard and jurisdiction an account is. */
function columnsOf(name: TableName): Record<string, SQLiteColumn> {
  const {
    shard: _,
    jurisdiction: _jurisdiction,
    ...columns
  }: Record<string, SQLiteColumn> = getTableColumns<SQLiteTable>(tables[name]);
  return columns;
}

function problemOf(row: TransferredRow, index: number): string | null {
  const problem = rowProblem(columnsOf(row.table), row);
  return problem && `row ${index + 1}: ${problem}`;
}

/**
 * Returns why the rows cannot be stored next to this instance's rows; null if they can. A row must not refer to a different row's object,
 * because removing one row would remove the shared object.
 */
async function takenBy(
  { directory, shards }: Databases,
  account: string,
  rows: TransferredRow[],
): Promise<string | null> {
  const textsOf = (name: TableName, column: string) =>
    rows.flatMap(({ table, row }) => (table === name ? [String(row[column])] : []));
  const fileKeys = textsOf("documents", "fileKey");
  const { id, accountId, fileKey } = documents;
  const isNamed = or(isOneOf(id, textsOf("documents", "id")), isOneOf(fileKey, fileKeys));
  const owned = { id: templates.id, accountId: templates.accountId, folder: templates.folder };
  const templateIds = [
    ...textsOf("templates", "id"),
    ...textsOf("templateVersions", "templateId"),
    ...textsOf("documents", "templateId"),
  ];
  const isFolder = and(eq(templates.accountId, account), isOneOf(templates.folder, textsOf("templates", "folder")));
  const isTemplate = or(isOneOf(templates.id, templateIds), isFolder);
  // All shards have their files in the same bucket.
  const [storedTemplates, ...inShards] = await Promise.all([
    directory.run((db) => db.select(owned).from(templates).where(isTemplate).all()),
    ...[...shards.values()].map((shard) =>
      shard.run((db) => db.select({ id, accountId, fileKey }).from(documents).where(isNamed).all()),
    ),
  ]);
  const stored = inShards.flat();
  const rowByFileKey = new Map<unknown, TransferredRow["row"]>();
  for (const { table, row } of rows) {
    if (table !== "documents") continue;
    if ((rowByFileKey.get(row["fileKey"]) ?? row)["id"] !== row["id"]) return "two documents have the same file";
    rowByFileKey.set(row["fileKey"], row);
    const isShared = (other: (typeof stored)[number]) =>
      other.id === row["id"] ? other.accountId !== row["accountId"] : other.fileKey === row["fileKey"];
    if (stored.some(isShared))
      return `the id or file of document ${String(row["id"])} belongs to another document here`;
  }
  if (storedTemplates.some((other) => other.accountId !== account))
    return "the id of a template belongs to another account here";
  const allTemplates: TransferredRow["row"][] = [...storedTemplates];
  for (const { table, row } of rows) if (table === "templates") allTemplates.push(row);
  const byFolder = new Map(allTemplates.map(({ folder, id: template }) => [folder, template]));
  const twice = allTemplates.find(({ folder, id: template }) => byFolder.get(folder) !== template);
  return twice ? `two templates have the folder ${String(twice["folder"])}` : null;
}

/**
 * Returns the number of rows written. Existing rows stay as they are, except for counts, which triggers may already have started.
 */
async function writeRows(db: Database, rows: TransferredRow[], placement: object = {}): Promise<number> {
  const ids = rows.flatMap(({ table, row }) => (table === "documents" ? [String(row["id"])] : []));
  // Whatever the order of the rows, triggers count documents before the counts are raised.
  const inOrder = tableNames.flatMap((name) => rows.filter(({ table }) => table === name));
  const statements = inOrder.map(({ table, row }) => {
    // Only the triggers know how many documents are stored.
    const values = { ...row, ...(table === "accounts" && placement), ...(table === "documentCounts" && { stored: 0 }) };
    const insert = db.insert(tables[table] as SQLiteTable).values(values as never);
    if (table !== "documentCounts") return insert.onConflictDoNothing();
    const target = [documentCounts.accountId, documentCounts.month, documentCounts.status];
    const [set, setWhere] = [{ ever: sql`excluded.ever` } as never, sql`excluded.ever > ever`];
    return insert.onConflictDoUpdate({ target, set, setWhere });
  });
  // Otherwise, a trigger would drop documents that were deleted on this instance within the last day.
  const allow = Array.from({ length: Math.ceil(ids.length / 50) }, (_, at) =>
    db.delete(deletedDocuments).where(inArray(deletedDocuments.id, ids.slice(50 * at, 50 * at + 50))),
  );
  const [first, ...others] = [...allow, ...statements];
  const results = first ? await db.batch([first, ...others]) : [];
  return results.slice(allow.length).filter(({ meta }) => meta.changes > 0).length;
}
