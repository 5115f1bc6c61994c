// The header `Content-Disposition` of a file (RFC 6266). Text of a caller is in it only percent-encoded, or if it is plain ASCII.
import { create } from "content-disposition";
import type { StoredDocument } from "../../core/documents/document.ts";
import { extensionOf } from "colophon-page/document-format";

export function contentDisposition({
  id,
  format,
  filename,
}: Pick<StoredDocument, "id" | "format" | "filename">): string {
  const defaultName = `document-${id}.${extensionOf(format)}`;
  if (filename === null) return `attachment; filename="${defaultName}"`;
  return create(filename, { fallback: asciiName(filename) ?? defaultName });
}

/**
 * Returns the name for clients that know only `filename`: other characters than these become `_`, also `%`, which some
 * clients take for an escape. Null if no letter or digit of the name would be left.
 */
function asciiName(filename: string): string | null {
  const name = filename.replace(/[^A-Za-z0-9 ._()+,=@&'!#~-]/gu, "_");
  return /[A-Za-z0-9].*\./.test(name) ? name : null;
}
