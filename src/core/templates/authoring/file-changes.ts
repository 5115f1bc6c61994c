// Compares the files of two versions of a template, or of a version and a folder.
import type { TemplateFile } from "../folder/template-files.ts";

/** A file that only one side has, or that differs. `before` and `after` are its bytes; null where there is no such file. */
export type FileChange = { path: string; before: Uint8Array | null; after: Uint8Array | null };

/** Returns the files that differ, in the order of their paths. */
export function fileChanges(before: TemplateFile[], after: TemplateFile[]): FileChange[] {
  const [old, current] = [bytesByPath(before), bytesByPath(after)];
  const paths = [...new Set([...old.keys(), ...current.keys()])].sort();
  return paths
    .map((path) => ({ path, before: old.get(path) ?? null, after: current.get(path) ?? null }))
    .filter((change) => !areEqual(change.before, change.after));
}

function bytesByPath(files: TemplateFile[]): Map<string, Uint8Array> {
  return new Map(files.map(({ path, bytes }) => [path, bytes]));
}

function areEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a !== null && b !== null && a.length === b.length && a.every((byte, index) => byte === b[index]);
}
