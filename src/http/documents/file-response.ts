// A rendered file as an HTTP response: strong validator, conditions and ranges as RFC 9110 has them. What is known from
// the document answers first; the bucket is asked only for bytes that are sent.
import { contentTypeOf, type CompletedDocument } from "../../core/documents/document.ts";
import { documentNotFound, ServiceError } from "../../core/errors.ts";
import type { HttpContext } from "../context.ts";
import { failure } from "../envelope.ts";

export type ServedFile = Pick<CompletedDocument, "fileKey" | "fileSize" | "sha256" | "format">;

export async function fileResponse(
  context: HttpContext,
  file: ServedFile,
  extra: Record<string, string>,
): Promise<Response> {
  const etag = `"${file.sha256}"`;
  const headers: Record<string, string> = {
    ETag: etag,
    "Accept-Ranges": "bytes",
    "X-Content-Type-Options": "nosniff",
    ...extra,
  };
  const { req } = context;
  const ifMatch = req.header("If-Match");
  if (ifMatch !== undefined && !matches(ifMatch, etag)) {
    const error = new ServiceError(412, "VALIDATION_ERROR", "`If-Match` names another version of the file.");
    return failure(context, error, headers);
  }
  const ifNoneMatch = req.header("If-None-Match");
  if (ifNoneMatch !== undefined && matches(ifNoneMatch.replaceAll("W/", ""), etag))
    return context.body(null, 304, headers);

  headers["Content-Type"] = contentTypeOf(file.format);
  const ifRange = req.header("If-Range");
  const mayRange = req.method === "GET" && (ifRange === undefined || ifRange.trim() === etag);
  const range = mayRange ? parseRange(req.header("Range"), file.fileSize) : null;
  if (range === "unsatisfiable") {
    const message = `\`Range\` lies outside the file's ${file.fileSize} bytes.`;
    const error = new ServiceError(416, "VALIDATION_ERROR", message);
    return failure(context, error, { "Content-Range": `bytes */${file.fileSize}` });
  }
  headers["Content-Length"] = String(range ? range.length : file.fileSize);
  if (range) headers["Content-Range"] = `bytes ${range.offset}-${range.offset + range.length - 1}/${file.fileSize}`;
  if (req.method === "HEAD") return new Response(null, { headers: allHeaders(context, headers) });
  const stored = await context.var.services.files.get(file.fileKey, range ?? undefined);
  if (!stored) throw documentNotFound("The document's file is gone.");
  return new Response(fixedLength(stored.body, range?.length ?? file.fileSize), {
    status: range ? 206 : 200,
    headers: allHeaders(context, headers),
  });
}

function allHeaders(context: HttpContext, headers: Record<string, string>): Record<string, string> {
  return { "X-Request-Id": context.var.requestId, ...headers };
}

/** A stream of declared length keeps its Content-Length on the way out. */
function fixedLength(body: ReadableStream, length: number): ReadableStream {
  const { readable, writable } = new FixedLengthStream(length);
  void body.pipeTo(writable).catch(() => {}); // The caller hung up.
  return readable;
}

function matches(condition: string, etag: string): boolean {
  return condition.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim() === etag);
}

/** One byte range, or null when the header asks for nothing that is understood (then the whole file is the answer). */
export function parseRange(
  header: string | undefined,
  size: number,
): { offset: number; length: number } | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim().replaceAll(" ", "") ?? "");
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
