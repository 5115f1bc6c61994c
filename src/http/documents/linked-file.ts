// Serves the file behind a link. The link is the permission, so no key is needed, and no cache may keep the response.
import { nothingHere, ServiceError } from "../../core/errors.ts";
import { recordDownload } from "../../operations/documents/downloads.ts";
import { openLinked } from "../../operations/documents/file-links.ts";
import type { HttpContext } from "../context.ts";
import { downloadIn } from "./downloads.ts";
import { fileResponse, linkHeaders } from "./file-response.ts";

export const linksPath = "/links";

export async function linkedFileResponse(context: HttpContext): Promise<Response> {
  // Only the exact token is valid, so the path is read as it was sent.
  const { pathname } = new URL(context.req.url);
  const { services } = context.var;
  const file = await openLinked(services, pathname.slice(`${linksPath}/`.length));
  const response = await fileResponse(context, file, linkHeaders(file)).catch((error: unknown) => {
    // The document was removed after its row was read.
    throw error instanceof ServiceError && error.code === "DOCUMENT_NOT_FOUND" ? nothingHere() : error;
  });
  const sent = file.target.mergedFile === null ? downloadIn(context, response) : null;
  if (sent) recordDownload(services, file.target, null, sent);
  return response;
}
