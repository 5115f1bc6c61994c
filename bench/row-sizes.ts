// Measures how many bytes a document and a webhook event take in D1, including indexes. The rows are written to an in-memory SQLite
// database with all migrations. Ids and file names are random, as in the service.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";

const rows = 50_000;
const accounts = 200;
const startMs = Date.UTC(2026, 10, 22);
const expiryMs = 30 * 24 * 3_600_000;

type RowSizes = { kept: number; expiring: number; names: number; event: number };

export function printRowSizes(): void {
  const { kept, expiring, names, event } = rowSizes();
  console.log(`Bytes in D1, measured with ${rows} rows each:`);
  console.log(`  a completed document that is kept       ${kept}`);
  console.log(`  a completed document that expires       ${expiring}`);
  console.log(`  a file name and two pairs of metadata   ${names}`);
  console.log(`  its webhook event with one attempt      ${event}`);
}

export function rowSizes(): RowSizes {
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
  const folder = fileURLToPath(new URL("../migrations", import.meta.url).href);
  const database = new DatabaseSync(":memory:");
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .toSorted()) {
    database.exec(readFileSync(join(folder, name), "utf8").replaceAll("--> statement-breakpoint", ""));
  }
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

type Inserted = {
  id: string;
  accountId: string;
  templateId: string;
  fileKey: string;
  sha256: string;
  createdAt: number;
};

type Columns = Record<string, string | number | null>;

/** Inserts a completed document without expiry, with these additional columns. */
function insertDocument(database: DatabaseSync, index: number, more: Columns = {}): Inserted {
  const id = randomUUID();
  const document: Inserted = {
    id,
    accountId: uuidOf(`account ${index % accounts}`),
    templateId: uuidOf(`template ${index % (2 * accounts)}`),
    fileKey: `${randomBytes(32).toString("base64url")}.pdf`,
    sha256: createHash("sha256").update(id).digest("hex"),
    createdAt: startMs + index * 50,
  };
  const { accountId, templateId, fileKey, sha256, createdAt } = document;
  const columns = {
    id,
    account_id: accountId,
    template_id: templateId,
    template_version: 3,
    status: "completed",
    format: "pdf",
    width: 794,
    height: 1123,
    device_scale_factor: 2,
    file_key: fileKey,
    month: "2026-11",
    created_at: createdAt,
    completed_at: createdAt + 900,
    page_count: 2,
    file_size: 49_297,
    sha256,
    ...more,
  };
  insert(database, "documents", columns);
  return document;
}

/** Values that a create may contain in addition to its data: a unique one, and one that many documents share. */
function ownNames(index: number): Columns {
  const order = String(100_000 + index);
  return {
    filename: `Invoice ${order}.pdf`,
    metadata: JSON.stringify({ order, customer: `customer-${index % 1000}` }),
  };
}

function insertEvent(
  database: DatabaseSync,
  { id, accountId, templateId, fileKey, sha256, createdAt }: Inserted,
): void {
  const at = new Date(createdAt).toISOString();
  const data = {
    ...{ id, templateId, status: "completed", format: "pdf", pdfUrl: `https://files.example.com/${fileKey}` },
    fileUrl: `https://files.example.com/${fileKey}`,
    ...{ createdAt: at, completedAt: at, expiresAt: null, filename: null, metadata: {} },
    ...{ templateVersion: 3, width: 794, height: 1123 },
    ...{ deviceScaleFactor: 2, imageQuality: null, pixelWidth: null, pixelHeight: null, pageCount: 2 },
    ...{ fileSize: 49_297, sha256, warnings: [], error: null },
  };
  const attempt = { at: createdAt, durationMs: 120, status: 200, error: null, response: "ok" };
  insert(database, "webhook_events", {
    id: `evt_${id.replaceAll("-", "")}`,
    account_id: accountId,
    document_id: id,
    url: "https://hooks.customer.example/colophon/webhook",
    payload: JSON.stringify({ type: "document.completed", timestamp: at, data }),
    created_at: createdAt,
    status: "delivered",
    attempts: 1,
    history: JSON.stringify([attempt]),
  });
}

function insert(database: DatabaseSync, table: string, columns: Columns): void {
  const names = Object.keys(columns);
  const values = names.map(() => "?").join(", ");
  database.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values})`).run(...Object.values(columns));
}

function uuidOf(text: string): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
