// Documents in D1.
import { and, eq, getTableColumns, sql, type Placeholder } from "drizzle-orm";
import { CodedError } from "colophon-base/loggable-error";
import type { Conformance } from "colophon-pdf/conformance";
import type { DocumentMetadata, StoredDocument } from "../../core/documents/document.ts";
import type { ShownError } from "../../core/shown-error.ts";
import type { DocumentStore } from "../../ports/documents.ts";
import { isOneOf, type Database } from "../d1/d1-client.ts";
import type { Databases } from "../d1/databases.ts";
import { deletedDocuments, documents } from "../d1/document-tables.ts";
import { isFull } from "../overload.ts";
import { insertEvent } from "../webhooks/insert-event.ts";
import { listDocuments } from "./document-lists.ts";

type Row = typeof documents.$inferSelect;

/** The file columns of a document without a file. */
export const noFile = {
  completedAt: null,
  pageCount: null,
  fileSize: null,
  sha256: null,
  pixelWidth: null,
  pixelHeight: null,
  conformance: null,
  warnings: "[]",
};

export function documentStore(databases: Pick<Databases, "of">): DocumentStore {
  const prepared = new WeakMap<Database, ReturnType<typeof prepareInsert>>();
  const preparedFor = (db: Database) => {
    const insert = prepared.get(db) ?? prepareInsert(db);
    prepared.set(db, insert);
    return insert;
  };
  return {
    async insert(document, event) {
      const row = toRow(document);
      const d1 = await databases.of(document.accountId);
      const inserted = await d1.run((db, attempt) => {
        const insert = event
          ? db.batch([insertRow(db, row), insertEvent(db, event, hasOutcome(row))]).then(([ids]) => ids)
          : preparedFor(db).all(row);
        // An earlier try may have inserted the row, so only on the first try is it certain that nothing was stored.
        return insert.catch((error: unknown) => (attempt === 1 ? fullOrThrow(error) : Promise.reject(error)));
      });
      if (inserted === "full") return { status: "full" };
      if (inserted.length > 0) return { status: "inserted" };
      const stored = await d1.run((db) => db.select().from(documents).where(eq(documents.id, document.id)).get());
      if (!stored) {
        const { id, wasCompleted } = deletedDocuments;
        const isDeleted = eq(id, document.id);
        const deleted = await d1.run((db) => db.select({ wasCompleted }).from(deletedDocuments).where(isDeleted).get());
        return { status: "deleted", wasCompleted: deleted?.wasCompleted ?? false };
      }
      // A retried insert may find the row of its first try, so a row with the same outcome counts as inserted.
      if (isSameOutcome(stored, row)) return { status: "inserted" };
      return { status: "existing", document: fromRow(stored) };
    },
    async find(accountId, id) {
      const isDocument = and(eq(documents.accountId, accountId), eq(documents.id, id));
      const d1 = await databases.of(accountId);
      const row = await d1.run((db) => db.select().from(documents).where(isDocument).get());
      return row ? fromRow(row) : null;
    },
    async list(accountId, filter, page) {
      const { items, ...listed } = await listDocuments(await databases.of(accountId), accountId, filter, page);
      return { ...listed, items: items.map(fromRow) };
    },
    async remove(accountId, id, status) {
      const isDocument = and(
        eq(documents.accountId, accountId),
        eq(documents.id, id),
        status && eq(documents.status, status),
      );
      const d1 = await databases.of(accountId);
      return d1.run(async (db, attempt) => {
        const rows = await db.delete(documents).where(isDocument).returning({ id: documents.id }).all();
        if (rows.length > 0 || attempt === 1) return rows.length > 0;
        // An earlier try has removed the row, unless it is stored with a different status.
        return !(await db.select({ id: documents.id }).from(documents).where(eq(documents.id, id)).get());
      });
    },
    ...linkStore(databases),
  };
}

/** What links to documents need of their rows. */
function linkStore(databases: Pick<Databases, "of">): Pick<DocumentStore, "linked" | "endLinks"> {
  return {
    async linked(account, ids) {
      const { accountId, id, expiresAt, linkSeconds, linkEpoch } = documents;
      const columns = { accountId, id, expiresAt, linkSeconds, linkEpoch };
      // With the sign, SQLite searches by the ids. Without it, it would read all documents of the account.
      const isWanted = and(sql`+${accountId} = ${account}`, isOneOf(id, ids));
      const d1 = await databases.of(account);
      const rows = await d1.run((db) => db.select(columns).from(documents).where(isWanted).all());
      return new Map(rows.map((row) => [row.id, row]));
    },
    async endLinks(accountId, id) {
      const next = { linkEpoch: sql`${documents.linkEpoch} + 1` };
      const isDocument = and(eq(documents.accountId, accountId), eq(documents.id, id));
      const d1 = await databases.of(accountId);
      const ended = await d1.run((db) => db.update(documents).set(next).where(isDocument).returning().all());
      return ended.length > 0;
    },
  };
}

type Values = { [Name in keyof Row]: Row[Name] | Placeholder };

/** Returns the id, unless the document has already ended or been deleted. */
function insertRow(db: Database, row: Values) {
  const isProcessing = eq(documents.status, "processing");
  return db
    .insert(documents)
    .values(row)
    .onConflictDoUpdate({ target: documents.id, set: outcome, setWhere: isProcessing })
    .returning({ id: documents.id });
}

/** The columns that are unknown until a render has ended, with their values from the row that could not be inserted. */
const outcome = Object.fromEntries(
  (["status", "height", "error", ...(Object.keys(noFile) as (keyof typeof noFile)[])] as const).map((name) => [
    name,
    sql.raw(`excluded.${documents[name].name}`),
  ]),
);

/** Drizzle takes as long to generate the statement as the database takes to run it, so it is generated once. */
function prepareInsert(db: Database) {
  const names = Object.keys(getTableColumns(documents)) as (keyof Row)[];
  const row = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Values;
  return insertRow(db, row).prepare();
}

function fullOrThrow(error: unknown): "full" {
  if (isFull(error)) return "full";
  throw error;
}

/** Returns the SQL equivalent of `isSameOutcome`: the condition that a stored row has the same outcome as this row. */
function hasOutcome({ status, completedAt, sha256, error }: Row) {
  return and(
    eq(documents.status, status),
    sql`${documents.completedAt} IS ${completedAt} AND ${documents.sha256} IS ${sha256} AND ${documents.error} IS ${error}`,
  );
}

function isSameOutcome(stored: Row, row: Row): boolean {
  const { status, completedAt, sha256, error } = stored;
  return status === row.status && completedAt === row.completedAt && sha256 === row.sha256 && error === row.error;
}

function toRow(document: StoredDocument): Row {
  const { linkSeconds = null, linkEpoch = 0 } = document;
  const common = { metadata: JSON.stringify(document.metadata), linkSeconds, linkEpoch };
  if (document.status !== "completed") {
    const error = document.status === "failed" ? JSON.stringify(document.error) : null;
    return { ...document, ...noFile, ...common, error };
  }
  const { imageSize, ...completed } = document;
  const conformance = document.conformance ? JSON.stringify(document.conformance) : null;
  const pixels = { pixelWidth: imageSize?.width ?? null, pixelHeight: imageSize?.height ?? null };
  return { ...completed, ...pixels, conformance, ...common, warnings: JSON.stringify(document.warnings), error: null };
}

function fromRow(row: Row): StoredDocument {
  const { completedAt, pageCount, fileSize, sha256, warnings, error, status, metadata: metadataJson, ...others } = row;
  const { pixelWidth, pixelHeight, conformance: conformanceJson, ...rest } = others;
  const draft = { ...rest, metadata: JSON.parse(metadataJson) as DocumentMetadata };
  if (status === "processing") return { ...draft, status };
  if (status === "failed") {
    return { ...draft, status, error: JSON.parse(error ?? "null") as ShownError };
  }
  const { height } = row;
  if (completedAt === null || pageCount === null || fileSize === null || sha256 === null || height === null) {
    throw new CodedError("completed without metadata", `document ${row.id} is completed but has no metadata`);
  }
  const imageSize = pixelWidth !== null && pixelHeight !== null ? { width: pixelWidth, height: pixelHeight } : null;
  const metadata = { height, pageCount, fileSize, sha256, imageSize, warnings: JSON.parse(warnings) as string[] };
  const conformance = conformanceJson === null ? {} : { conformance: JSON.parse(conformanceJson) as Conformance[] };
  return { ...draft, ...metadata, ...conformance, status, completedAt };
}
