// Fills an empty STATE_DIR from a backup. Nothing is written there unless the whole backup is intact.
import { spawnSync } from "node:child_process";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkStateDirectory } from "../local/state-directory.ts";
import { checkManifest, manifestName } from "./manifest.ts";

export async function restoreBackup(stateDir: string, file: string): Promise<void> {
  const present = await readdir(stateDir).catch(() => []);
  if (present.length > 0) throw new Error(`${stateDir} is not empty; set STATE_DIR to an empty directory`);
  const partial = join(stateDir, "restoring");
  await mkdir(partial, { recursive: true, mode: 0o700 });
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
