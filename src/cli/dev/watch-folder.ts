// Watches folders for changes. The system's notifications make it fast; comparing the files twice a second makes it
// reliable, because notifications are lost when a folder is deleted and restored, on network drives, and when the system
// has no more of them.
import { watch, type FSWatcher } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export type FolderWatch = { close(): void };

const pollMs = 500;
/** Saving a file causes several notifications. */
const settleMs = 15;
/** A folder in which something changes all the time is still looked at this often. */
const maxSettleMs = 150;
const maxEntries = 5_000;
const maxDepth = 6;

/**
 * Calls `onChange` after each change of a file below one of the folders, which need not exist. Resolves when every later
 * change will be found.
 */
export async function watchFolders(folders: string[], onChange: () => void): Promise<FolderWatch> {
  const watch = new Watch(folders, onChange);
  await watch.start();
  return watch;
}

class Watch implements FolderWatch {
  readonly #folders: string[];
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, { watcher: FSWatcher; inode: bigint }>();
  #digest: string | null = null;
  #poll: NodeJS.Timeout | undefined;
  #settle: NodeJS.Timeout | undefined;
  /** When the first of the notifications came that have not led to a comparison yet; 0 if there is none. */
  #firstHintMs = 0;
  #isComparing = false;
  #isHinted = false;
  #isClosed = false;

  constructor(folders: string[], onChange: () => void) {
    this.#folders = folders;
    this.#onChange = onChange;
  }

  async start(): Promise<void> {
    await this.#compare();
    this.#poll = setInterval(() => void this.#compare(), pollMs);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#poll);
    clearTimeout(this.#settle);
    for (const { watcher } of this.#watchers.values()) watcher.close();
  }

  async #compare(): Promise<void> {
    if (this.#isComparing) {
      this.#isHinted = true;
      return;
    }
    this.#isComparing = true;
    const { digest, folders } = await snapshot(this.#folders);
    this.#isComparing = false;
    if (this.#isClosed) return;
    this.#watchOnly(folders);
    const hasChanged = this.#digest !== null && this.#digest !== digest;
    this.#digest = digest;
    if (hasChanged) this.#onChange();
    if (this.#isHinted) this.#hint();
  }

  /** Compares the files soon, when the notifications have stopped for a moment. */
  #hint(): void {
    if (this.#isClosed) return;
    this.#isHinted = false;
    this.#firstHintMs ||= Date.now();
    clearTimeout(this.#settle);
    const delayMs = Math.min(settleMs, this.#firstHintMs + maxSettleMs - Date.now());
    this.#settle = setTimeout(() => {
      this.#firstHintMs = 0;
      void this.#compare();
    }, delayMs);
  }

  #watchOnly(present: Map<string, bigint>): void {
    for (const [path, { watcher, inode }] of this.#watchers) {
      if (present.get(path) === inode) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    for (const [path, inode] of present) {
      if (this.#watchers.has(path)) continue;
      const watcher = watched(path, () => this.#hint());
      if (watcher) this.#watchers.set(path, { watcher, inode });
    }
  }
}

/** Returns null if the system cannot watch the folder. Then its changes are found more slowly. */
function watched(path: string, onHint: () => void): FSWatcher | null {
  try {
    const watcher = watch(path, onHint);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}

/** `digest` changes when a file changes. `folders` are all folders that exist, with their inodes. */
type Snapshot = { digest: string; folders: Map<string, bigint> };

async function snapshot(roots: string[]): Promise<Snapshot> {
  const lines: string[] = [];
  const folders = new Map<string, bigint>();
  const visit = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
    const stats = entries && (await lstat(path, { bigint: true }).catch(() => null));
    if (!entries || !stats) return;
    folders.set(path, stats.ino);
    lines.push(path);
    for (const entry of entries) {
      if (lines.length >= maxEntries || entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const file = join(path, entry.name);
      if (entry.isDirectory()) {
        if (depth < maxDepth) await visit(file, depth + 1);
        continue;
      }
      const found = await lstat(file, { bigint: true }).catch(() => null);
      if (found) lines.push([file, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":"));
    }
  };
  for (const root of roots) await visit(root, 0);
  return { digest: lines.sort().join("\n"), folders };
}
