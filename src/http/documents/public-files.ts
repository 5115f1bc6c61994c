// Serves rendered files by their key if CDN_URL points at this Worker, as it does locally. In production, the bucket's
// own domain serves them.
import { Hono } from "hono";
import { getPublicFile } from "../../operations/documents/read-documents.ts";
import type { HttpEnv } from "../context.ts";
import { fileResponse } from "./file-response.ts";

export const publicFiles = new Hono<HttpEnv>().get("/:key", async (context) => {
  const file = await getPublicFile(context.var.services, context.req.param("key"));
  return fileResponse(context, file, { "Cache-Control": "public, max-age=300" });
});
