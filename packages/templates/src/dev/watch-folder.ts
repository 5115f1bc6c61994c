// Watches folders for changes by comparing their files repeatedly: the system's notifications are lost if a folder is deleted and
// restored, and on network drives. A template has a few dozen files, so a comparison takes about a millisecond.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const pauseMs = 50;
const maxEntries = 5_000;
const maxDepth = 6;

/**
 * Calls `onChange` when a file below one of the folders has changed, and no other change has followed for a moment. The folders need not
 * exist. Resolves when every later change will be detected.
 */
export async function watchFolders(folders: string[], onChange: () => void): Promise<{ close(): void }> {
  let digest = await digestOf(folders);
  let isChanging = false;
  let isClosed = false;
  let timer = setTimeout(compare, pauseMs);
  async function compare(): Promise<void> {
    const next = await digestOf(folders);
    if (isClosed) return;
    // An editor may write a file in parts, or several files one by one.
    if (isChanging && next === digest) onChange();
    isChanging = next !== digest;
    digest = next;
    timer = setTimeout(compare, pauseMs);
  }
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Returns a string that changes when a file changes. */
export async function digestOf(roots: string[]): Promise<string> {
  const lines: string[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
    if (!entries) return;
    lines.push(path);
    for (const entry of entries) {
      if (lines.length >= maxEntries || entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const file = join(path, entry.name);
      if (entry.isDirectory()) {
        if (depth < maxDepth) await visit(file, depth + 1);
        continue;
      }
      const stats = await lstat(file, { bigint: true }).catch(() => null);
      if (stats) lines.push([file, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":"));
    }
  };
  for (const root of roots) await visit(root, 0);
  return lines.sort().join("\n");
}
