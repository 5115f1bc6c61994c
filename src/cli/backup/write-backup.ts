// Writes everything in STATE_DIR that a restore needs into one file, also while the service runs.
// The runtime is stopped while the databases are copied, so the copy is as consistent as what a killed service leaves behind, and
// requests only wait. Files never change, so a link to each of them is enough.
import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { runningGroup } from "../local/running-file.ts";
import { writeManifest } from "./manifest.ts";

const maxStoppedMs = 10_000;

/** What was stored, and for how long requests had to wait. */
export type Backup = { files: number; stoppedMs: number };

export async function writeBackup(stateDir: string, file: string): Promise<Backup> {
  // What a killed backup has left behind would keep files that have been deleted since.
  for (const left of globSync("backup-*", { cwd: stateDir })) await rm(join(stateDir, left), { recursive: true });
  const staging = await mkdtemp(join(stateDir, "backup-"));
  const partial = `${file}.partial`;
  try {
    const stoppedMs = await whileStopped(stateDir, () => copyInto(staging, stateDir));
    const files = await writeManifest(staging);
    const { status, stderr } = spawnSync("tar", ["-cf", partial, "-C", staging, "."], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the backup could not be written: ${stderr.trim()}`);
    await rename(partial, file);
    return { files, stoppedMs };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(partial, { force: true });
  }
}

/** Returns for how long the service was stopped. If this process is killed meanwhile, the supervisor restarts the service. */
async function whileStopped(stateDir: string, copy: () => Promise<void>): Promise<number> {
  const processGroup = await runningGroup(stateDir);
  const signal = (name: NodeJS.Signals) => processGroup !== null && process.kill(-processGroup, name);
  const startedAt = Date.now();
  signal("SIGSTOP");
  try {
    await copy();
  } finally {
    signal("SIGCONT");
  }
  return Date.now() - startedAt;
}

async function copyInto(staging: string, stateDir: string): Promise<void> {
  const timeoutAt = Date.now() + maxStoppedMs;
  for (const path of globSync("v3/{d1,do,r2}/**/*.sqlite", { cwd: stateDir })) {
    if (Date.now() > timeoutAt) throw new Error(`the databases could not be copied within ${maxStoppedMs / 1000} s`);
    mkdirSync(join(staging, dirname(path)), { recursive: true });
    const database = new DatabaseSync(join(stateDir, path));
    await backup(database, join(staging, path), { rate: 10_000 });
    database.close();
  }
  // A link without a promise takes a fifth of the time.
  for (const folder of globSync("v3/r2/*/blobs", { cwd: stateDir })) {
    mkdirSync(join(staging, folder), { recursive: true });
    for (const name of readdirSync(join(stateDir, folder)))
      linkSync(join(stateDir, folder, name), join(staging, folder, name));
  }
  for (const name of ["layout.json", "secrets.env"]) copyFileSync(join(stateDir, name), join(staging, name));
}
