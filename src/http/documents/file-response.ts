// Sends a rendered file with a strong ETag, and supports conditional requests and byte ranges as in RFC 9110. The file
// is read from the bucket only if its bytes are sent; other responses need only its metadata.
import { create } from "content-disposition";
import { contentTypeOf, extensionOf } from "colophon-page/document-format";
import {
  accessOf,
  type ByteRange,
  type CompletedDocument,
  type StoredDocument,
} from "../../core/documents/document.ts";
import type { LinkedFile } from "../../operations/documents/file-links.ts";
import { openFile, recordDownload, type DownloadedBy } from "../../operations/documents/stored-documents.ts";
import type { HttpContext } from "../context.ts";
import { failure } from "../envelope.ts";
import { RequestError } from "../error-status.ts";
import { matchesEtag, matchesWeakly } from "../etag.ts";
import type { ResponseHeader } from "../openapi/headers.ts";

/** The headers of every response to a create. */
export const createdHeaders: ResponseHeader[] = [
  "Location",
  "X-Document-Id",
  "Idempotent-Replayed",
  "RateLimit",
  "RateLimit-Policy",
];

/** The headers of a file that a create returns. `Range` cannot be used with a create. */
export const createdFileHeaders: ResponseHeader[] = [
  "ETag",
  "Cache-Control",
  "Content-Disposition",
  "Content-Security-Policy",
  "X-Content-Type-Options",
];

/** The headers of a downloaded file or of any part of it. */
export const fileHeaders: ResponseHeader[] = [...createdFileHeaders, "Accept-Ranges"];

type NamedFile = Pick<StoredDocument, "id" | "format" | "filename">;
type ServedFile = Pick<CompletedDocument, "fileKey" | "fileSize" | "sha256" | "format">;

/** Returns the response to a request for a file. `extra` are additional response headers. */
export async function fileResponse(
  context: HttpContext,
  file: ServedFile,
  extra: Record<string, string>,
): Promise<Response> {
  const etag = etagOf(file.sha256);
  const headers = { ...safeHeaders(file), "Accept-Ranges": "bytes", ...extra };
  const unchanged = conditionalResponse(context, etag, headers);
  if (unchanged) return unchanged;
  const range = requestedRange(context, file, etag);
  if (range === "unsatisfiable") return unsatisfiable(context, file.fileSize);
  return bytesResponse(context, file, { range, headers: { ...headers, "Content-Type": contentTypeOf(file.format) } });
}

/** Records the download if the response sends bytes of the file. */
export function recordSent(context: HttpContext, { status }: Response, downloaded: DownloadedBy): void {
  if (context.req.method !== "GET" || (status !== 200 && status !== 206)) return;
  recordDownload(context.var.services, downloaded, countryOf(context.req.raw));
}

/** Returns the country of the client. Cloudflare writes XX for an unknown one, and T1 for the Tor network. */
function countryOf({ cf }: Request): string | null {
  const { country } = (cf ?? {}) as { country?: unknown };
  return typeof country === "string" && /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : null;
}

/** Returns the response to a create that asks for its file. `body` has all bytes of the file. */
export function wholeFileResponse(
  context: HttpContext,
  file: ServedFile,
  body: ReadableStream,
  extra: Record<string, string>,
): Response {
  const { format, fileSize } = file;
  const about = { "Content-Type": contentTypeOf(format), "Content-Length": String(fileSize) };
  return context.body(withLength(body, fileSize), 201, { ...safeHeaders(file), ...extra, ...about });
}

/** Returns the headers of a file that a key reads. Browsers run no script in the file, and do not keep a private one. */
export function downloadHeaders(document: CompletedDocument): Record<string, string> {
  return {
    "Content-Disposition": contentDisposition(document),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": accessOf(document.fileKey) === "private" ? "private, no-store" : "private, no-cache",
  };
}

/** Returns the headers of a file behind a link, which must not leave the link or the file anywhere. Without a name, the file gets a plain one. */
export function linkHeaders({ format, filename, isAttachment }: LinkedFile): Record<string, string> {
  const name = filename ?? `document.${extensionOf(format)}`;
  const fallback = asciiName(name) ?? `document.${extensionOf(format)}`;
  return {
    "Content-Disposition": create(name, { type: isAttachment ? "attachment" : "inline", fallback }),
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
  };
}

/** Returns a value of `Content-Disposition` (RFC 6266). The caller's filename appears only as plain ASCII or percent-encoded. */
export function contentDisposition({ id, format, filename }: NamedFile): string {
  const defaultName = `document-${id}.${extensionOf(format)}`;
  if (filename === null) return `attachment; filename="${defaultName}"`;
  return create(filename, { fallback: asciiName(filename) ?? defaultName });
}

/**
 * Returns the name for clients that support only `filename`: unsafe characters become `_`, and so does `%`, which some
 * clients read as an escape. Null if no letter or digit would be left.
 */
function asciiName(filename: string): string | null {
  const name = filename.replace(/[^A-Za-z0-9 ._()+,=@&'!#~-]/gu, "_");
  return /[A-Za-z0-9].*\./.test(name) ? name : null;
}

function safeHeaders({ sha256 }: ServedFile): Record<string, string> {
  return { ETag: etagOf(sha256), "X-Content-Type-Options": "nosniff" };
}

function etagOf(sha256: string): string {
  return `"${sha256}"`;
}

/**
 * Returns a response with status 412 if `If-Match` does not match, or 304 if `If-None-Match` matches. Returns null if
 * the file must be sent.
 */
function conditionalResponse(context: HttpContext, etag: string, headers: Record<string, string>): Response | null {
  const ifMatch = context.req.header("If-Match");
  if (ifMatch !== undefined && !matchesEtag(ifMatch, etag)) {
    const error = new RequestError(412, "`If-Match` does not match the current version of the file.");
    return failure(context, error, { headers });
  }
  const ifNoneMatch = context.req.header("If-None-Match");
  const isUnchanged = ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, etag);
  return isUnchanged ? context.body(null, 304, headers) : null;
}

/** Returns the range to send, or null for the whole file. */
function requestedRange({ req }: HttpContext, { fileSize }: ServedFile, etag: string) {
  const ifRange = req.header("If-Range");
  const isRangeAllowed = req.method === "GET" && (ifRange === undefined || ifRange.trim() === etag);
  return isRangeAllowed ? parseRange(req.header("Range"), fileSize) : null;
}

/**
 * Returns the range that the header `Range` asks for. Returns null if the header is missing or not supported; the whole file
 * is then sent.
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

function unsatisfiable(context: HttpContext, fileSize: number): Response {
  const message = `\`Range\` lies outside the file's ${fileSize} bytes.`;
  const error = new RequestError(416, message);
  return failure(context, error, { headers: { "Content-Range": `bytes */${fileSize}` } });
}

async function bytesResponse(
  context: HttpContext,
  { fileKey, fileSize }: ServedFile,
  sent: { range: ByteRange | null; headers: Record<string, string> },
): Promise<Response> {
  const { range } = sent;
  const length = range ? range.length : fileSize;
  const headers: Record<string, string> = { ...sent.headers, "Content-Length": String(length) };
  if (range) headers["Content-Range"] = `bytes ${range.offset}-${range.offset + length - 1}/${fileSize}`;
  if (context.req.method === "HEAD") return context.body(null, 200, headers);
  const body = await openFile(context.var.services, fileKey, range ?? undefined);
  return context.body(withLength(body, length), range ? 206 : 200, headers);
}

/** Gives the stream a known length, because the platform keeps `Content-Length` only for such streams. */
function withLength(body: ReadableStream, length: number): ReadableStream {
  const { readable, writable } = new FixedLengthStream(length);
  void body.pipeTo(writable).catch(() => {}); // The caller has disconnected.
  return readable;
}
