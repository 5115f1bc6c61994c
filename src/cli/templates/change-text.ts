// Describes a change of a template's file for a terminal: a unified diff of text, the sizes of other files.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { FileChange } from "../../core/templates/authoring/file-changes.ts";
import { decodeText } from "../../core/templates/folder/text-file.ts";
import { printable } from "../../core/text.ts";

/** Comparing two long texts that have little in common takes quadratic time. */
const diffTimeoutMs = 5_000;

export function changeKind({ before, after }: FileChange): "added" | "removed" | "changed" {
  if (before === null) return "added";
  return after === null ? "removed" : "changed";
}

/**
 * Returns a unified diff, or a line with the sizes if the file is not text or its versions are too different to compare.
 * Control characters are escaped.
 */
export function changeText(change: FileChange): string {
  const { path, before, after } = change;
  const diff = unifiedDiff(change);
  if (diff !== null) return diff.trimEnd().split("\n").map(printable).join("\n");
  const size = (bytes: Uint8Array | null) => `${(bytes?.length ?? 0).toLocaleString("en-US")} bytes`;
  const sizes = before && after ? `${size(before)} before, ${size(after)} now` : size(before ?? after);
  return printable(`${path}: ${changeKind(change)} (${sizes})`);
}

function unifiedDiff({ path, before, after }: FileChange): string | null {
  const [old, current] = [textOf(before), textOf(after)];
  if (old === null || current === null) return null;
  const names = [before === null ? "/dev/null" : `a/${path}`, after === null ? "/dev/null" : `b/${path}`] as const;
  const options = { timeout: diffTimeoutMs, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(...names, old, current, undefined, undefined, options) ?? null;
}

/** Returns the text of a file, or an empty text if there is no such file; null if it is not text. */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return "";
  const decoded = decodeText(bytes);
  return decoded.status === "text" ? decoded.text : null;
}
