// The response to a create: the document's record, or its file if the header `Accept` asks for that (RFC 9110, section 12.5.1).
import { parseAccept, type Accept } from "hono/utils/accept";
import { contentTypeOf, documentFormats, type DocumentFormat } from "colophon-page/document-format";
import type { Creation } from "../../core/documents/document.ts";
import { validationError } from "../../core/errors.ts";
import { recordOf } from "../../operations/documents/file-links.ts";
import { openCreatedFile } from "../../operations/documents/in-time.ts";
import { setRateLimitHeaders } from "../accounts/rate-limit-headers.ts";
import type { HttpContext } from "../context.ts";
import { success } from "../envelope.ts";
import { downloadHeaders, wholeFileResponse } from "./file-response.ts";

/** The headers that identify the document are also sent with an error if only reading its file failed. */
export async function createdResponse(
  context: HttpContext,
  { document, isReplay, used }: Creation,
  { asFile }: { asFile: boolean },
): Promise<Response> {
  const { services, arrivedAt } = context.var;
  const { settings } = services;
  context.header("Location", `${settings.baseUrl}/documents/${document.id}`);
  context.header("X-Document-Id", document.id);
  if (isReplay) context.header("Idempotent-Replayed", "true");
  if (used !== null) setRateLimitHeaders(context, { used, month: document.month });
  if (document.status === "processing") return success(context, recordOf(services, document), 202);
  if (!asFile) return success(context, recordOf(services, document), 201);
  const body = await openCreatedFile(services, arrivedAt, document);
  return wholeFileResponse(context, document, body, downloadHeaders(document));
}

/**
 * Returns true if the header accepts a file of this format, and does not accept JSON, neither by name nor by a wildcard. A header
 * that accepts neither files nor JSON has no effect, because the default response is JSON. Throws VALIDATION_ERROR if the header
 * accepts files, but not of this format.
 */
export function wantsFile(context: HttpContext, format: DocumentFormat): boolean {
  const ranges = parseAccept(context.req.header("Accept") ?? "");
  const files = documentFormats.filter((each) => isAccepted(ranges, contentTypeOf(each)));
  if (files.length === 0 || isAccepted(ranges, "application/json")) return false;
  if (files.includes(format)) return true;
  const asked = files.map(contentTypeOf).join(" or ");
  const message = `\`Accept\` asks for ${asked}, but \`format\` is "${format}", which is ${contentTypeOf(format)}.`;
  throw validationError([{ path: "Accept", message }]);
}

/** The most specific range that matches the type decides. A range with `q=0` refuses the type. */
function isAccepted(ranges: Accept[], type: string): boolean {
  for (const pattern of [[type], [`${type.split("/")[0]}/*`], ["*/*", "*"]]) {
    const matching = ranges.filter((range) => pattern.includes(range.type.toLowerCase()));
    if (matching.length > 0) return matching.some(({ q }) => q > 0);
  }
  return false;
}

/** Returns whether the header `Prefer` (RFC 7240) asks for the response before the render. */
export function prefersAsync({ req }: HttpContext): boolean {
  const preferences = (req.header("Prefer") ?? "").split(",");
  return preferences.some((preference) => preference.split(/[;=]/)[0]?.trim().toLowerCase() === "respond-async");
}
