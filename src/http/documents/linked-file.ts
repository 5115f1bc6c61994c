// Serves the file behind a link. The link is the permission, so no key is needed, and no cache may keep the response.
import { nothingHere, ServiceError } from "../../core/errors.ts";
import { openLinked } from "../../operations/documents/file-links.ts";
import type { HttpContext } from "../context.ts";
import { fileResponse, linkHeaders } from "./file-response.ts";

export const linksPath = "/links";

export async function linkedFileResponse(context: HttpContext): Promise<Response> {
  // Only the exact token is valid, so the path is read as it was sent.
  const { pathname } = new URL(context.req.url);
  const file = await openLinked(context.var.services, pathname.slice(`${linksPath}/`.length));
  return fileResponse(context, file, linkHeaders(file)).catch((error: unknown) => {
    // The document was removed after its row was read.
    throw error instanceof ServiceError && error.code === "DOCUMENT_NOT_FOUND" ? nothingHere() : error;
  });
}
