// Parses the `Range` header (RFC 9110).
import type { ByteRange } from "../../core/documents/document.ts";

/**
 * Returns the range that the header asks for. Returns null when the header is missing or not understood, because the
 * whole file is then sent.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=[ \t]*(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  if (!match) return null;
  const [, first, last] = match;
  if (!first && !last) return null;
  if (!first) {
    const length = Math.min(Number(last), size);
    return length > 0 ? { offset: size - length, length } : "unsatisfiable";
  }
  const offset = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < offset) return null;
  return offset < size ? { offset, length: end - offset + 1 } : "unsatisfiable";
}
