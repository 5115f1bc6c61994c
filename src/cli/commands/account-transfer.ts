// The commands that move an account to another instance, through a folder: rows.ndjson, and a file for each object.
import { createReadStream } from "node:fs";
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TransferBucket, TransferredRow } from "../../ports/maintenance.ts";
import { CommandError, option, type Options } from "colophon-templates/command";
import type { ServiceApi } from "../service-api.ts";
import { accountPath, type Commands } from "./command.ts";

export const accountTransferCommands: Commands = {
  "account export": { usage: "DIR --account ID", required: ["account"], positional: "DIR", run: exportAccount },
  "account import": { usage: "DIR", required: [], positional: "DIR", run: importAccount },
};

type StoredFile = { bucket: TransferBucket; key: string };
type Counts = { rows: number; objects: number };

const maxRows = 200;
/** A body has 1 MiB at most. */
const maxChars = 900_000;

async function exportAccount(api: ServiceApi, options: Options): Promise<Counts> {
  const directory = option(options, "DIR");
  const entries = await readdir(directory).catch(() => []);
  if (entries.length > 0) throw new CommandError(`${directory} is not empty`);
  await mkdir(join(directory, "objects"), { recursive: true });
  const counts = { rows: 0, objects: 0 };
  const keys = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null;) {
    type Part = { rows: TransferredRow[]; nextCursor: string | null };
    const query = cursor && `?cursor=${encodeURIComponent(cursor)}`;
    const part: Part = await api.call("GET", `${accountPath(options)}/export${query}`);
    for (const object of part.rows.flatMap(objectsOf)) {
      if (keys.has(object.key)) continue;
      keys.add(object.key);
      if (await download(api, directory, object)) counts.objects++;
    }
    const lines = part.rows.map((row) => `${JSON.stringify(row)}\n`);
    await appendFile(join(directory, "rows.ndjson"), lines.join(""));
    counts.rows += lines.length;
    cursor = part.nextCursor;
  }
  return counts;
}

/** Returns the objects to which a row refers. A version that was not pushed as a zip has none with its files. */
function objectsOf({ table, row }: TransferredRow): StoredFile[] {
  if (table === "documents")
    return row["status"] === "completed" ? [{ bucket: "files", key: String(row["fileKey"]) }] : [];
  if (table !== "templateVersions") return [];
  const base = `${String(row["accountId"])}/${String(row["templateId"])}/${String(row["contentHash"])}`;
  return [".json", ".zip"].map((end) => ({ bucket: "templates", key: base + end }));
}

function objectPath({ bucket, key }: StoredFile): string {
  return `/objects?bucket=${bucket}&key=${encodeURIComponent(key)}`;
}

/** Returns false if there is no such object. */
async function download(api: ServiceApi, directory: string, object: StoredFile): Promise<boolean> {
  const response = await api.fetch("GET", objectPath(object));
  if (response.status === 404) return false;
  const file = join(directory, "objects", fileName(object));
  await writeFile(file, new Uint8Array(await response.arrayBuffer()));
  await writeFile(`${file}.metadata`, response.headers.get("X-Object-Metadata") ?? "");
  return true;
}

function fileName({ bucket, key }: StoredFile): string {
  return `${bucket}-${key.replaceAll("/", "+")}`;
}

/** Objects come before rows, so that every document has its file at every moment. It can be repeated after an interruption. */
async function importAccount(api: ServiceApi, options: Options): Promise<Counts> {
  const directory = option(options, "DIR");
  const counts = { rows: 0, objects: 0 };
  let part: string[] = [];
  const send = async () => {
    if (part.length > 0) await api.call("POST", "/import", { rows: part.map((line) => JSON.parse(line) as object) });
    counts.rows += part.length;
    part = [];
  };
  const sent = new Set<string>();
  const lines = createInterface({ input: createReadStream(join(directory, "rows.ndjson")), crlfDelay: Infinity });
  for await (const line of lines) {
    for (const object of objectsOf(JSON.parse(line) as TransferredRow)) {
      if (sent.has(object.key)) continue;
      sent.add(object.key);
      if (await upload(api, directory, object)) counts.objects++;
    }
    const size = part.reduce((sum, { length }) => sum + length, line.length);
    if (part.length >= maxRows || size > maxChars) await send();
    part.push(line);
  }
  await send();
  return counts;
}

async function upload(api: ServiceApi, directory: string, object: StoredFile): Promise<boolean> {
  const file = join(directory, "objects", fileName(object));
  const bytes = await readFile(file).catch(() => null);
  if (!bytes) return false;
  const headers = { "X-Object-Metadata": await readFile(`${file}.metadata`, "utf8") };
  await api.fetch("PUT", objectPath(object), new Uint8Array(bytes), headers);
  return true;
}
