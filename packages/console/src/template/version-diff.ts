// Computes the differences between the files of two versions.
import { structuredPatch } from "diff";
import { unzipSync } from "fflate";

type Line = { kind: "added" | "removed" | "same"; text: string };
/** `lines` is null if a file is not text or has too many differences. Null entries in it stand for omitted equal parts. */
export type FileDiff = {
  path: string;
  change: "added" | "removed" | "changed";
  oldSize: number;
  newSize: number;
  lines: (Line | null)[] | null;
};

const maxEdits = 2_000;
/** A tenant could choose files that take long to compare, and the page is blocked while it compares them. */
const maxTotalMs = 1_500;
const kinds = { "+": "added", "-": "removed" } as const;

export async function diffVersions(older: Blob, newer: Blob): Promise<FileDiff[]> {
  const [before, after] = await Promise.all([older, newer].map(async (zip) => unzipSync(await bytesOf(zip))));
  const paths = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const deadline = performance.now() + maxTotalMs;
  return [...paths].sort().flatMap((path) => {
    return diffFile(path, [before?.[path], after?.[path]], deadline - performance.now()) ?? [];
  });
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}

type Content = Uint8Array | undefined;

function diffFile(path: string, [before, after]: [Content, Content], timeout: number): FileDiff | null {
  const change = !before ? "added" : !after ? "removed" : "changed";
  const [oldText, newText] = [textOf(before), textOf(after)];
  if (oldText !== null && oldText === newText && before && after) return null;
  if (before && after && isSame(before, after)) return null;
  const lines = oldText === null || newText === null ? null : diffLines(path, [oldText, newText], timeout);
  return { path, change, oldSize: before?.length ?? 0, newSize: after?.length ?? 0, lines };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Returns null if the bytes are not text. A missing file counts as empty. */
function textOf(bytes: Content): string | null {
  if (!bytes) return "";
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function diffLines(path: string, [before, after]: [string, string], timeout: number): (Line | null)[] | null {
  if (timeout <= 0) return null;
  const patch = structuredPatch(path, path, before, after, "", "", { context: 3, maxEditLength: maxEdits, timeout });
  if (!patch) return null;
  return patch.hunks.flatMap(({ lines }, index) => [
    ...(index > 0 ? [null] : []),
    ...lines
      .filter((line) => !line.startsWith("\\"))
      .map((line): Line => ({ kind: kinds[line.charAt(0) as keyof typeof kinds] ?? "same", text: line.slice(1) })),
  ]);
}
