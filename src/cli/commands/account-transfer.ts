// The commands that move an account to a different instance, through a folder: one file for each object, and rows.ndjson, which only
// a complete export has.
import { constants } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "colophon-base/parsed-json";
import { ColophonError } from "colophon-client/manage";
import { CommandError, option, type Options } from "colophon-templates/command";
import type { TransferBucket, TransferredRow } from "../../ports/maintenance.ts";
import type { ServiceApi } from "../service-api.ts";
import { shardOption } from "./accounts.ts";
import type { Commands } from "./command.ts";

export const accountTransferCommands: Commands = {
  "account export": { usage: "DIR --account ID", run: exportAccount },
  "account import": {
    usage: "DIR [--shard N] [--continue]",
    run: importAccount,
  },
};

/** A version that was not pushed as a zip has no files. */
type StoredFile = { bucket: TransferBucket; key: string; isRequired: boolean };
type Counts = { rows: number; objects: number };

/** A link could lead to any file on this machine, which would then become public. */
const notThroughLink = { flag: constants.O_RDONLY | constants.O_NOFOLLOW };
/** An export contains private files, so other users of the machine cannot read it. */
const ownFile = { mode: 0o600 };
const maxRows = 200;
/** A body may have at most 1 MiB. */
const maxChars = 900_000;

async function exportAccount(api: ServiceApi, options: Options): Promise<Counts> {
  const directory = option(options, "DIR");
  const entries = await readdir(directory).catch(() => []);
  if (entries.length > 0) throw new CommandError(`${directory} is not empty`);
  await mkdir(join(directory, "objects"), { recursive: true, mode: 0o700 });
  const counts = { rows: 0, objects: 0 };
  const keys = new Set<string>();
  const path = { account: option(options, "account") };
  for (let cursor: string | null | undefined; cursor !== null;) {
    type Part = { rows: TransferredRow[]; nextCursor: string | null };
    const part: Part = await api.call("GET /accounts/{account}/export", { path, query: { cursor } });
    const rows: TransferredRow[] = [];
    for (const row of part.rows) {
      const objects = objectsOf(row).filter(({ key }) => !keys.has(key));
      const areDownloaded = await Promise.all(objects.map((object) => download(api, directory, object)));
      // A document that was deleted during the export is skipped.
      const missing = objects.find(({ isRequired }, index) => isRequired && !areDownloaded[index]);
      if (missing && row.table !== "documents") throw new CommandError(`the service lacks ${missing.key}`);
      for (const { key } of objects) keys.add(key);
      counts.objects += areDownloaded.filter(Boolean).length;
      if (!missing) rows.push(row);
    }
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
    await appendFile(join(directory, "rows.part"), lines.join(""), ownFile);
    counts.rows += lines.length;
    cursor = part.nextCursor;
  }
  await rename(join(directory, "rows.part"), join(directory, "rows.ndjson"));
  return counts;
}

function objectsOf({ table, row }: TransferredRow): StoredFile[] {
  const file: StoredFile = { bucket: "files", key: String(row["fileKey"]), isRequired: true };
  if (table === "documents") return row["status"] === "completed" ? [file] : [];
  if (table !== "templateVersions") return [];
  const base = `${String(row["accountId"])}/${String(row["templateId"])}/${String(row["contentHash"])}`;
  return [".json", ".zip"].map((end) => ({ bucket: "templates", key: base + end, isRequired: end === ".json" }));
}

/** Returns null if the service responds that the thing does not exist. */
function unlessMissing<T>(request: Promise<T>): Promise<T | null> {
  return request.catch((error: unknown) => {
    if (error instanceof ColophonError && error.status === 404) return null;
    throw error;
  });
}

/** Returns false if there is no such object. */
async function download(api: ServiceApi, directory: string, object: StoredFile): Promise<boolean> {
  const { bucket, key } = object;
  const sent = await unlessMissing(api.file("GET /objects", { query: { bucket, key } }));
  if (!sent) return false;
  const file = join(directory, "objects", fileName(object));
  await writeFile(file, new Uint8Array(await sent.blob.arrayBuffer()), ownFile);
  await writeFile(`${file}.metadata`, sent.headers.get("X-Object-Metadata") ?? "", ownFile);
  return true;
}

function fileName({ bucket, key }: StoredFile): string {
  return `${bucket}-${key.replaceAll("/", "+")}`;
}

/** Objects are imported before rows, so that every document has its file at every moment. */
async function importAccount(api: ServiceApi, options: Options): Promise<Counts> {
  const directory = option(options, "DIR");
  const rows = await readRows(join(directory, "rows.ndjson"));
  const accountId = String(rows[0]?.row["id"]);
  const shard = shardOption(options);
  const existing = await unlessMissing(api.call("GET /accounts/{id}", { path: { id: accountId } }));
  if (existing && options["continue"] === undefined)
    throw new CommandError(
      `the service has the account ${accountId}; to continue an import that was interrupted, add --continue`,
    );
  const counts = { rows: 0, objects: 0 };
  let part: TransferredRow[] = [];
  let chars = 0;
  const send = async () => {
    if (part.length > 0) await api.call("POST /import", { body: { accountId, rows: part, ...shard } });
    counts.rows += part.length;
    [part, chars] = [[], 0];
  };
  const sent = new Set<string>();
  for (const row of rows) {
    for (const object of objectsOf(row).filter(({ key }) => !sent.has(key))) {
      sent.add(object.key);
      if (await upload(api, directory, object)) counts.objects++;
      else if (object.isRequired) throw new CommandError(`${directory} lacks objects/${fileName(object)}`);
    }
    const { length } = JSON.stringify(row);
    if (part.length >= maxRows || chars + length > maxChars) await send();
    part.push(row);
    chars += length;
  }
  await send();
  return counts;
}

async function readRows(file: string): Promise<TransferredRow[]> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new CommandError(`${file} cannot be read; DIR must be the folder of a complete export`);
  });
  const lines = text.trimEnd().split("\n");
  return lines.map((line, index) => {
    const parsed = parsedJson(line);
    if (!parsed) throw new CommandError(`${file}: line ${index + 1} is not JSON`);
    return parsed.value as TransferredRow;
  });
}

async function upload(api: ServiceApi, directory: string, object: StoredFile): Promise<boolean> {
  const file = join(directory, "objects", fileName(object));
  const bytes = await readFile(file, notThroughLink).catch(() => null);
  if (!bytes) return false;
  const header = { "X-Object-Metadata": await readFile(`${file}.metadata`, "utf8").catch(() => "") };
  const { bucket, key } = object;
  const body = new Blob([bytes], { type: "application/octet-stream" });
  const stored = await unlessMissing(api.call("PUT /objects", { query: { bucket, key }, header, body }));
  if (!stored) throw new CommandError(`the service has no endpoint for uploads; is it an older release?`);
  return true;
}
