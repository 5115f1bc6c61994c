// Fills an empty STATE_DIR from a backup. Nothing is written there unless the whole backup is intact.
import { spawnSync } from "node:child_process";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkStateDirectory, restoringName } from "../local/state-directory.ts";
import { checkManifest, manifestName } from "./manifest.ts";

export async function restoreBackup(stateDir: string, file: string): Promise<void> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const present = await readdir(stateDir);
  const partial = join(stateDir, restoringName);
  // The folder also keeps another restore and the service away.
  const isTaken = present.length > 0 || (await mkdir(partial, { mode: 0o700 }).catch(() => "taken")) === "taken";
  if (isTaken) throw new Error(`${stateDir} is not empty; set STATE_DIR to an empty directory`);
  try {
    const { status, stderr } = spawnSync("tar", ["--no-same-permissions", "-xf", file, "-C", partial], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`the backup cannot be read: ${stderr.trim()}`);
    await checkManifest(partial);
    await checkStateDirectory(partial);
    await rm(join(partial, manifestName));
    for (const name of await readdir(partial)) await rename(join(partial, name), join(stateDir, name));
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
