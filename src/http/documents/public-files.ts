// The bucket's public side for local work: serves files by their key as the R2 domain does in production. It is on only
// while CDN_URL points at this Worker.
import { Hono } from "hono";
import { ServiceError } from "../../core/errors.ts";
import type { HttpEnv } from "../context.ts";
import { fileResponse } from "./file-response.ts";

export const publicFiles = new Hono<HttpEnv>().get("/:key", async (context) => {
  const { services } = context.var;
  const { cdnUrl, baseUrl } = services.settings;
  const key = context.req.param("key");
  const isOurs = cdnUrl === `${new URL(baseUrl).origin}/files`;
  const metadata = isOurs ? await services.files.metadata(key) : null;
  if (!metadata) throw new ServiceError(404, "NOT_FOUND", "There is no such file.");
  const format = key.endsWith(".png") ? "png" : "pdf";
  return fileResponse(context, { ...metadata, fileKey: key, format }, { "Cache-Control": "public, max-age=300" });
});
