// Measures how many bytes a document and a webhook event take in D1, including indexes. The rows are written to an in-memory SQLite
// database with all migrations of the directory. Ids and file names are random, as in the service.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const rows = 50_000;
const accounts = 200;
const startMs = Date.UTC(2026, 10, 22);
const expiryMs = 30 * 24 * 3_600_000;

export function printRowSizes(): void {
  const { kept, expiring, names, event } = rowSizes();
  console.log(`Bytes in D1, measured with ${rows} rows each:`);
  console.log(`  a completed document that is kept       ${kept}`);
  console.log(`  a completed document that expires       ${expiring}`);
  console.log(`  a file name and two pairs of metadata   ${names}`);
  console.log(`  its webhook event with one attempt      ${event}`);
}

export function rowSizes() {
  const database = migratedDatabase();
  const kept = bytesPerRow(database, (index) => insertDocument(database, index));
  const expiring = bytesPerRow(database, (index) =>
    insertDocument(database, index, { expires_at: startMs + expiryMs }),
  );
  const named = bytesPerRow(database, (index) => insertDocument(database, index, ownNames(index)));
  const withEvent = bytesPerRow(database, (index) => insertEvent(database, insertDocument(database, index)));
  return { kept, expiring, names: named - kept, event: withEvent - kept };
}

function migratedDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const file of globSync(join(import.meta.dirname, "../migrations/directory/*.sql")).toSorted())
    database.exec(readFileSync(file, "utf8").replaceAll("--> statement-breakpoint", ""));
  return database;
}

function bytesPerRow(database: DatabaseSync, insert: (index: number) => unknown): number {
  const before = sizeOf(database);
  database.exec("BEGIN");
  for (let index = 0; index < rows; index++) insert(index);
  database.exec("COMMIT");
  return Math.round((sizeOf(database) - before) / rows);
}

function sizeOf(database: DatabaseSync): number {
  const select = "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()";
  return Number(database.prepare(select).get()?.["bytes"]);
}

type Columns = Record<string, string | number | null>;

const ids = Array.from({ length: 2 * accounts }, () => randomUUID());

/** Inserts a completed document without expiry, with these additional columns. Returns the columns that its event needs. */
function insertDocument(database: DatabaseSync, index: number, more: Columns = {}) {
  const id = randomUUID();
  const createdAt = startMs + index * 50;
  const named = {
    id,
    account_id: ids[index % accounts] ?? "",
    template_id: ids[index % (2 * accounts)] ?? "",
    file_key: `${randomBytes(32).toString("base64url")}.pdf`,
    sha256: createHash("sha256").update(id).digest("hex"),
    created_at: createdAt,
  };
  const size = { width: 794, height: 1123, device_scale_factor: 2, page_count: 2, file_size: 49_297 };
  const ended = { status: "completed", format: "pdf", month: "2026-11", completed_at: createdAt + 900 };
  insert(database, "documents", { ...named, template_version: 3, ...size, ...ended, ...more });
  return named;
}

/** Values that a create may contain in addition to its data: a unique one, and one that many documents share. */
function ownNames(index: number): Columns {
  const order = String(100_000 + index);
  return {
    filename: `Invoice ${order}.pdf`,
    metadata: JSON.stringify({ order, customer: `customer-${index % 1000}` }),
  };
}

function insertEvent(database: DatabaseSync, document: ReturnType<typeof insertDocument>): void {
  const { id, account_id, template_id, file_key, sha256, created_at } = document;
  const at = new Date(created_at).toISOString();
  const url = `https://files.example.com/${file_key}`;
  const times = { createdAt: at, completedAt: at, expiresAt: null };
  const size = { width: 794, height: 1123, deviceScaleFactor: 2, imageQuality: null, pixelWidth: null };
  const file = { ...size, pixelHeight: null, pageCount: 2, fileSize: 49_297, sha256 };
  const names = { filename: null, metadata: {}, templateVersion: 3, warnings: [], error: null };
  const ended = { id, templateId: template_id, status: "completed", format: "pdf", pdfUrl: url, fileUrl: url };
  const data = { ...ended, ...times, ...names, ...file };
  insert(database, "webhook_events", {
    id: `evt_${id.replaceAll("-", "")}`,
    account_id,
    document_id: id,
    url: "https://hooks.customer.example/colophon/webhook",
    payload: JSON.stringify({ type: "document.completed", timestamp: at, data }),
    created_at,
    status: "delivered",
    attempts: 1,
    history: JSON.stringify([{ at: created_at, durationMs: 120, status: 200, error: null, response: "ok" }]),
  });
}

function insert(database: DatabaseSync, table: string, columns: Columns): void {
  const names = Object.keys(columns);
  const values = names.map(() => "?").join(", ");
  database.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values})`).run(...Object.values(columns));
}
