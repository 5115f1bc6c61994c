// Writes everything in STATE_DIR that a restore needs into one file, also while the service runs.
// The runtime is stopped while the databases are copied, so the copy is as consistent as what a killed service leaves behind, and
// requests only wait. Files never change, so a link to each of them is enough.
import { spawnSync } from "node:child_process";
import { copyFile, glob, link, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { writeManifest } from "./manifest.ts";

const maxStoppedMs = 10_000;

/** What was stored, and for how long requests had to wait. */
export type Backup = { files: number; stoppedMs: number };

export async function writeBackup(stateDir: string, file: string): Promise<Backup> {
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
  const running = await readFile(join(stateDir, "running.json"), "utf8").catch(() => "{}");
  const { processGroup } = JSON.parse(running) as { processGroup?: number };
  const command = await readFile(`/proc/${processGroup}/cmdline`, "utf8").catch(() => "");
  const isRunning = processGroup !== undefined && command.includes(stateDir);
  const signal = (name: NodeJS.Signals) => isRunning && process.kill(-processGroup, name);
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
  for await (const path of glob("v3/{d1,do,r2}/**/*", { cwd: stateDir })) {
    if (Date.now() > timeoutAt) throw new Error(`the databases could not be copied within ${maxStoppedMs / 1000} s`);
    const [from, to] = [join(stateDir, path), join(staging, path)];
    await mkdir(dirname(to), { recursive: true });
    if (path.endsWith(".sqlite")) await copyDatabase(from, to);
    else if (path.includes("/blobs/")) await link(from, to);
  }
  for (const name of ["layout.json", "secrets.env"]) await copyFile(join(stateDir, name), join(staging, name));
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from);
  await backup(database, to, { rate: 10_000 });
  database.close();
}
