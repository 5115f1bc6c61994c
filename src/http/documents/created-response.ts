// The response to a create: the document's record, or its file if the caller has asked for that.
import { documentRecord, type Creation } from "../../core/documents/document.ts";
import { openCreatedFile } from "../../operations/documents/open-created-file.ts";
import { setRateLimitHeaders } from "../accounts/rate-limit-headers.ts";
import type { HttpContext } from "../context.ts";
import { success } from "../envelope.ts";
import { downloadHeaders, wholeFileResponse } from "./file-response.ts";

/** The headers that name the document are sent with an error too, if only the file could not be read. */
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
  if (document.status === "processing") return success(context, documentRecord(document, settings.cdnUrl), 202);
  if (!asFile) return success(context, documentRecord(document, settings.cdnUrl), 201);
  const body = await openCreatedFile(services, arrivedAt, document);
  return wholeFileResponse(context, document, body, downloadHeaders(document));
}
