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
  const { kept, expiring, event } = rowSizes();
  console.log(`Bytes in D1, measured with ${rows} rows each:`);
  console.log(`  a completed document that is kept       ${kept}`);
  console.log(`  a completed document that expires       ${expiring}`);
  console.log(`  its webhook event with one attempt      ${event}`);
}

export function rowSizes() {
  const database = migratedDatabase();
  const kept = bytesPerRow(database, (index) => insertDocument(database, index));
  const expiring = bytesPerRow(database, (index) =>
    insertDocument(database, index, { expires_at: startMs + expiryMs }),
  );
  const withEvent = bytesPerRow(database, (index) => insertEvent(database, insertDocument(database, index)));
  return { kept, expiring, event: withEvent - kept };
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

/** The JSON of a completed document, as `document.completed` has it. */
const payloadChars = 766;

function insertEvent(database: DatabaseSync, { id, account_id, created_at }: ReturnType<typeof insertDocument>): void {
  insert(database, "webhook_events", {
    id: `evt_${id.replaceAll("-", "")}`,
    ...{ account_id, document_id: id, created_at, status: "delivered", attempts: 1 },
    url: "https://hooks.customer.example/colophon/webhook",
    payload: "x".repeat(payloadChars),
    history: JSON.stringify([{ at: created_at, durationMs: 120, status: 200, error: null, response: "ok" }]),
  });
}

function insert(database: DatabaseSync, table: string, columns: Columns): void {
  const names = Object.keys(columns);
  const values = names.map(() => "?").join(", ");
  database.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values})`).run(...Object.values(columns));
}
