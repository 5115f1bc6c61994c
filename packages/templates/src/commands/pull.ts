// `pull NAME DIR`: writes the files of a version to a folder, and the shared files to the folder `shared` next to it. Other files are
// not touched.
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { FileProblem, TemplateFile } from "colophon-template-model/template-files";
import { maxFolderBytes, sharedFolder } from "colophon-template-model/template-files";
import { CommandError, option, type FileCommand, type Options } from "../command.ts";
import { listFolder, listUserFolder, readEntry } from "../folder/folder-entries.ts";
import { problemLines } from "../folder/problem-lines.ts";
import { onService, versionFiles, type AccountApi } from "../service/service.ts";

export const pull: FileCommand = {
  usage: "NAME DIR [--version N] [--force]",
  runOnFiles: (options) => onService((api) => pullVersion(api, options)),
};

/** Writes nothing if a file with different content would be overwritten, unless `--force` is given. */
export async function pullVersion(api: AccountApi, options: Options) {
  const folder = resolve(option(options, "DIR"));
  const { version, files } = await versionFiles(api, option(options, "NAME"), options);
  const existing = await listUserFolder(folder, 1);
  if (existing.status === "refused")
    throw new CommandError(problemLines([problem(folder, existing.reason)]).join("\n"));
  const targets = await Promise.all(files.map((file) => targetOf(folder, file)));
  const problems = targets.flatMap((target) => {
    if (target.status === "refused") return [problem(target.path, target.reason)];
    const isKept = target.status === "differs" && options["force"] !== "on";
    return isKept ? [problem(target.path, "the file differs from the version; --force overwrites it")] : [];
  });
  if (problems.length > 0) throw new CommandError(problemLines(problems).join("\n"));
  const changed = targets.filter(({ status }) => status !== "same");
  await writeAll(changed);
  return { folder, version, written: changed.map(({ path }) => relative(folder, path)).sort() };
}

function problem(path: string, reason: string): FileProblem {
  return { file: relative(".", path), line: 1, reason };
}

/** A file of the version, and how it compares with the file on disk. */
type Target = { path: string; bytes: Uint8Array } & (
  | { status: "new" | "same" | "differs" }
  | { status: "refused"; reason: string }
);

/** Nothing is written through symbolic links. */
async function targetOf(folder: string, { path: file, bytes }: TemplateFile): Promise<Target> {
  const root = file.startsWith(`${sharedFolder}/`) ? dirname(folder) : folder;
  const path = join(root, file);
  for (let parent = dirname(path); parent !== root; parent = dirname(parent)) {
    const listed = await listFolder(parent, 1);
    if (listed.status === "refused") return { path: parent, bytes, ...listed };
  }
  const entry = await readEntry(path, maxFolderBytes);
  if (entry.status === "refused") return { path, bytes, ...entry };
  if (entry.status === "missing") return { path, bytes, status: "new" };
  return { path, bytes, status: Buffer.compare(entry.bytes, bytes) === 0 ? "same" : "differs" };
}

/** Moves each file into place as a whole, and only after all of them have been written. */
async function writeAll(targets: Target[]): Promise<void> {
  const writes = targets.map(({ path, bytes }) => {
    return { path, bytes, temporary: join(dirname(path), `.${basename(path)}.${randomUUID()}`) };
  });
  try {
    for (const { temporary, bytes } of writes) {
      await mkdir(dirname(temporary), { recursive: true });
      await writeFile(temporary, bytes);
    }
    for (const { temporary, path } of writes) await rename(temporary, path);
  } finally {
    await Promise.all(writes.map(({ temporary }) => rm(temporary, { force: true })));
  }
}
