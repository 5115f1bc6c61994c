// Writes everything in STATE_DIR that a restore needs into one file, even while the service runs, and restores it. The runtime is stopped
// while the databases are copied, so the copy is as consistent as after a crash, and requests only wait. Stored files never change, so
// hard links to them are enough.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, createReadStream, globSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { glob, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { parsedJson } from "colophon-base/parsed-json";
import { runningGroup } from "../local/running-file.ts";
import { checkStateDirectory, restoringName } from "../local/state-directory.ts";

/** The number of files stored, and how long requests had to wait. */
export type Backup = { files: number; stoppedMs: number };

/** `maxStoppedMs` is the maximum time for which a running service may be stopped. */
export async function writeBackup(stateDir: string, file: string, maxStoppedMs = 10_000): Promise<Backup> {
  const existing = await lstat(file).catch(() => null);
  if (existing && !existing.isFile()) throw new Error(`${file} is not a file that a backup could replace`);
  using _lock = lockBackups(stateDir);
  // Leftovers of a killed backup would keep files that have since been deleted.
  for (const left of globSync("backup-*", { cwd: stateDir })) await rm(join(stateDir, left), { recursive: true });
  const staging = await mkdtemp(join(stateDir, "backup-"));
  const partial = `${file}.partial`;
  try {
    const stoppedMs = await whileStopped(stateDir, maxStoppedMs, (check) => copyInto(staging, stateDir, check));
    const files = await writeManifest(staging);
    tar(["-cf", partial, "-C", staging, "."], "the backup could not be written");
    await rename(partial, file);
    return { files, stoppedMs };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(partial, { force: true });
  }
}

/** Throws if a different backup is running. The system releases the lock when the process ends, however it ends. */
function lockBackups(stateDir: string): DatabaseSync {
  const lock = new DatabaseSync(join(stateDir, "lock-of-backups"), { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock.close();
    throw new Error(`another backup of ${stateDir} is running; try again when it has ended`, { cause });
  }
}

/** Calls `check` between its steps; `check` throws if no time is left. */
type Copy = (check: () => void) => Promise<void>;

/** Returns how long the service was stopped. */
async function whileStopped(stateDir: string, maxMs: number, copy: Copy): Promise<number> {
  const processGroup = await runningGroup(stateDir);
  const startedAt = Date.now();
  if (processGroup === null) await copy(() => {});
  else await copyWhileStopped(processGroup, maxMs, copy);
  const stoppedMs = Date.now() - startedAt;
  // Otherwise, the service has changed one database after another was copied.
  if ((await runningGroup(stateDir)) !== processGroup)
    throw new Error("the service was started, restarted or ended while its databases were copied; try again");
  return processGroup === null ? 0 : stoppedMs;
}

async function copyWhileStopped(processGroup: number, maxMs: number, copy: Copy): Promise<void> {
  const timeoutAt = Date.now() + maxMs;
  const check = () => {
    if (Date.now() > timeoutAt)
      throw new Error(
        `the databases could not be copied within ${maxMs / 1000} s; try again when fewer requests arrive`,
      );
  };
  // This shell resumes the service even if this process is killed, suspended or blocked.
  const command = `sleep ${maxMs / 1000 + 0.5}; kill -s CONT -- -${processGroup}`;
  const guard = spawn("sh", ["-c", command], { detached: true, stdio: "ignore" });
  guard.unref();
  process.kill(-processGroup, "SIGSTOP");
  try {
    await Promise.race([copy(check), setTimeout(maxMs + 1, undefined, { ref: false }).then(check)]);
    check();
  } finally {
    try {
      process.kill(-processGroup, "SIGCONT");
    } catch {
      // The service has ended, which the caller detects.
    }
    guard.kill();
  }
}

async function copyInto(staging: string, stateDir: string, check: () => void): Promise<void> {
  for (const path of globSync("v3/{d1,do,r2}/**/*.sqlite", { cwd: stateDir })) {
    check();
    mkdirSync(join(staging, dirname(path)), { recursive: true });
    const database = new DatabaseSync(join(stateDir, path));
    await backup(database, join(staging, path), { rate: 10_000 });
    database.close();
  }
  // `linkSync` takes a fifth of the time of `link`.
  for (const folder of globSync("v3/r2/*/blobs", { cwd: stateDir })) {
    mkdirSync(join(staging, folder), { recursive: true });
    for (const name of readdirSync(join(stateDir, folder))) {
      check();
      linkSync(join(stateDir, folder, name), join(staging, folder, name));
    }
  }
  for (const name of ["layout.json", "secrets.env"]) copyFileSync(join(stateDir, name), join(staging, name));
}

/** Fills an empty STATE_DIR from a backup. Nothing is written unless the whole backup is intact. */
export async function restoreBackup(stateDir: string, file: string): Promise<void> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const present = await readdir(stateDir);
  const partial = join(stateDir, restoringName);
  // The folder prevents the service and a second restore from starting.
  const isTaken = present.length > 0 || (await mkdir(partial, { mode: 0o700 }).catch(() => "taken")) === "taken";
  if (isTaken) throw new Error(`${stateDir} is not empty; set STATE_DIR to an empty directory`);
  try {
    tar(["--no-same-permissions", "-xf", file, "-C", partial], "the backup cannot be read");
    await checkManifest(partial);
    await checkStateDirectory(partial);
    await rm(join(partial, manifestName));
    for (const name of await readdir(partial)) await rename(join(partial, name), join(stateDir, name));
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

function tar(args: string[], problem: string): void {
  const { status, stderr } = spawnSync("tar", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${problem}: ${stderr.trim()}`);
}

type Manifest = { format: 1; files: Record<string, string> };

/** The list of all files in a backup with their digests, which reveal a damaged backup. */
const manifestName = "manifest.json";

/** Writes the list, and returns the number of files. */
export async function writeManifest(directory: string): Promise<number> {
  const files = await digests(directory);
  await writeFile(join(directory, manifestName), JSON.stringify({ format: 1, files } satisfies Manifest));
  return Object.keys(files).length;
}

/** Throws if the directory does not contain exactly the files of its manifest. */
async function checkManifest(directory: string): Promise<void> {
  const path = join(directory, manifestName);
  const text = (await lstat(path).catch(() => null))?.isFile() ? await readFile(path, "utf8") : "";
  const { format, files = {} } = (parsedJson(text)?.value ?? {}) as Partial<Manifest>;
  if (format !== 1) throw new Error("the file is not a backup, or was written by a newer version of this service");
  const restored = await digests(directory);
  const wrong = Object.keys({ ...files, ...restored }).find((path) => files[path] !== restored[path]);
  if (wrong) throw new Error(`the backup is damaged: ${wrong} differs from its digest`);
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
