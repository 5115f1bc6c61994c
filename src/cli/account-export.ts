// Writes everything that the service has stored for an account in D1 and R2 into a folder: rows as JSON lines, files, and
// template contents. The secrets of keys and webhooks are left out.
import { mkdir, readdir, writeFile, appendFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { extensionOf, type StoredDocument } from "../core/documents/document.ts";
import type { TimePosition } from "../ports/maintenance.ts";
import type { OperatorServices } from "../ports/services.ts";
import { CommandError } from "./commands/command.ts";

export type AccountExport = {
  folder: string;
  documents: number;
  files: number;
  /** The ids of completed documents whose file could not be read. */
  missingFiles: string[];
  templateVersions: number;
  webhookEvents: number;
};

const pageLength = 200;

export async function exportAccount(services: OperatorServices, accountId: string, to: string): Promise<AccountExport> {
  const folder = resolve(to);
  await makeEmptyFolder(folder);
  const account = await services.accounts.findAccount(accountId);
  const keys = await services.accounts.listKeys(accountId);
  const counts = await services.archive.documents.completedByMonth(accountId);
  const exportedAt = new Date(services.now()).toISOString();
  await write(
    folder,
    "account.json",
    `${JSON.stringify({ exportedAt, account, keys, completedByMonth: counts }, null, 2)}\n`,
  );
  return {
    folder,
    ...(await exportTemplates(services, accountId, folder)),
    ...(await exportDocuments(services, accountId, folder)),
    webhookEvents: await exportEvents(services, accountId, folder),
  };
}

/** Creates the folder, readable only by this user. Throws if the folder exists and is not empty. */
async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new CommandError(`${folder} is not empty; give a new folder with --to`);
}

async function exportTemplates({ archive, templates }: OperatorServices, accountId: string, folder: string) {
  await writeLines(folder, "templates.jsonl", await templates.listAll(accountId));
  const versions = await archive.templates.versions(accountId);
  await writeLines(folder, "template-versions.jsonl", versions);
  for (const version of versions) {
    const json = await archive.templates.contentJson(accountId, version);
    if (json !== null) await write(folder, `templates/${version.templateId}/${version.contentHash}.json`, json);
  }
  return { templateVersions: versions.length };
}

async function exportDocuments({ archive, files }: OperatorServices, accountId: string, folder: string) {
  const counts = { documents: 0, files: 0, missingFiles: [] as string[] };
  const read = (after: TimePosition | null) => archive.documents.ofAccount(accountId, after, pageLength);
  for await (const page of pages(read, ({ createdAt, id }) => ({ at: createdAt, id }))) {
    await writeLines(folder, "documents.jsonl", page);
    counts.documents += page.length;
    for (const document of page) {
      if (document.status !== "completed") continue;
      if (await exportFile(files, document, folder)) counts.files++;
      else counts.missingFiles.push(document.id);
    }
  }
  return counts;
}

/** Returns false if there is no file. */
async function exportFile(
  files: OperatorServices["files"],
  { id, fileKey, format }: StoredDocument,
  folder: string,
): Promise<boolean> {
  const file = await files.get(fileKey);
  if (!file) return false;
  await write(
    folder,
    `files/${id}.${extensionOf(format)}`,
    new Uint8Array(await new Response(file.body).arrayBuffer()),
  );
  return true;
}

async function exportEvents({ archive }: OperatorServices, accountId: string, folder: string): Promise<number> {
  let count = 0;
  const read = (after: string | null) => archive.events.ofAccount(accountId, after ?? "", pageLength);
  for await (const page of pages(read, ({ id }) => id)) {
    await writeLines(folder, "webhook-events.jsonl", page);
    count += page.length;
  }
  return count;
}

/** Reads page after page by position, so that rows that are added or removed meanwhile shift nothing. */
async function* pages<T, P>(read: (after: P | null) => Promise<T[]>, positionOf: (last: T) => P): AsyncGenerator<T[]> {
  let after: P | null = null;
  for (;;) {
    const page: T[] = await read(after);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = positionOf(last);
  }
}

async function write(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, content, { mode: 0o600 });
}

/** Appends one line of JSON for each value. */
async function writeLines(folder: string, name: string, values: object[]): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await appendFile(path, values.map((value) => `${JSON.stringify(value)}\n`).join(""), { mode: 0o600 });
}
