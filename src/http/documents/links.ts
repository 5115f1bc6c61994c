// The schema of a request for a link to a file, and the response to a link. The link is the permission, so it needs no key, and no cache may
// keep the response.
import { z } from "zod";
import { dispositions, linkSeconds } from "../../core/documents/links.ts";
import { nothingHere, ServiceError } from "../../core/errors.ts";
import { openLinked } from "../../operations/documents/file-links.ts";
import type { HttpContext } from "../context.ts";
import { createBody, secondsIn } from "./document-requests.ts";
import { fileResponse, linkHeaders, recordSent } from "./file-response.ts";
import { oneOf } from "./format-rules.ts";

export const linkBody = z.strictObject(
  {
    expiresIn: secondsIn("expiresIn", linkSeconds).meta({
      description: "The number of seconds after which the link ends. The default is that of the document.",
    }),
    disposition: z
      .enum(dispositions, { error: oneOf("disposition", dispositions) })
      .default("inline")
      .meta({ description: 'Whether browsers show the file ("inline", the default) or save it ("attachment").' }),
    filename: createBody.shape.filename.meta({
      description: "The name under which the file is saved. The extension of the format is added if it is missing.",
    }),
  },
  { error: (issue) => (issue.code === "invalid_type" ? "The body must be a JSON object." : undefined) },
);

export const linksPath = "/links";

export async function linkedFileResponse(context: HttpContext): Promise<Response> {
  // Only the exact token is valid, so the path is read as it was sent.
  const { pathname } = new URL(context.req.url);
  const file = await openLinked(context.var.services, pathname.slice(`${linksPath}/`.length));
  const response = await fileResponse(context, file, linkHeaders(file)).catch((error: unknown) => {
    // The document was removed after its row was read.
    throw error instanceof ServiceError && error.code === "DOCUMENT_NOT_FOUND" ? nothingHere() : error;
  });
  if (file.target.mergedFile === null) recordSent(context, response, { document: file.target, by: null });
  return response;
}
