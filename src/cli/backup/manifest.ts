// The list of all files in a backup with their digests, by which a damaged backup is recognised.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { glob, lstat, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

type Manifest = { format: 1; files: Record<string, string> };

export const manifestName = "manifest.json";

/** Returns the number of files. */
export async function writeManifest(directory: string): Promise<number> {
  const files = await digests(directory);
  await writeFile(join(directory, manifestName), JSON.stringify({ format: 1, files } satisfies Manifest));
  return Object.keys(files).length;
}

/** Throws if the directory does not contain exactly the files of its manifest. */
export async function checkManifest(directory: string): Promise<void> {
  const path = join(directory, manifestName);
  const text = (await lstat(path).catch(() => null))?.isFile() ? await readFile(path, "utf8") : "";
  const { format, files = {} } = parsed(text);
  if (format !== 1) throw new Error("the file is not a backup, or one of a newer version of this service");
  const found = await digests(directory);
  const wrong = Object.keys({ ...files, ...found }).find((path) => files[path] !== found[path]);
  if (wrong) throw new Error(`the backup is damaged: ${wrong} is not what was stored`);
}

function parsed(text: string): Partial<Manifest> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Manifest>;
  } catch {
    return {};
  }
}

async function digests(directory: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const path of glob("**/*", { cwd: directory })) {
    const stats = await lstat(join(directory, path));
    if (stats.isDirectory() || path === manifestName) continue;
    const hash = createHash("sha256");
    if (stats.isFile()) await pipeline(createReadStream(join(directory, path)), hash);
    files[path] = stats.isFile() ? hash.digest("hex") : "not a file";
  }
  return files;
}
