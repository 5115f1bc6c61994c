// The documents of an account: create, list, read, download, delete.
import { Hono } from "hono";
import { z } from "zod";
import { canonicalJson } from "../../core/documents/canonical-json.ts";
import { documentFormats, documentRecord, documentStatuses } from "../../core/documents/document.ts";
import { sha256Hex } from "../../core/encoding.ts";
import { validationError } from "../../core/errors.ts";
import { maxPagePx, minPagePx } from "../../core/rendering/page-geometry.ts";
import { isDeeperThan, isPlainObject, maxDataDepth } from "../../core/templates/template-data.ts";
import { createDocument } from "../../operations/documents/create-document.ts";
import { deleteDocument, getDocument, getDownload } from "../../operations/documents/documents.ts";
import type { IdempotencyKey } from "../../core/accounts/quota.ts";
import { rateLimitHeaders } from "../accounts/rate-limit-headers.ts";
import type { HttpContext, HttpEnv } from "../context.ts";
import { success } from "../envelope.ts";
import { fileResponse } from "./file-response.ts";
import { limitBody, pageQuery, requireJson, validBody, validQuery } from "../validation.ts";

const oneOf = (name: string, values: readonly string[]) =>
  `\`${name}\` must be ${values.map((value) => `"${value}"`).join(" or ")}.`;
const pageLength = (name: string) => {
  const error = `\`${name}\` must be a whole number of CSS pixels from ${minPagePx} to ${maxPagePx}.`;
  return z.int({ error }).min(minPagePx, { error }).max(maxPagePx, { error }).optional();
};

const scaleError = "`deviceScaleFactor` must be 1, 2 or 3.";
const createBody = z.strictObject(
  {
    templateId: z.string({ error: "`templateId` (string) is required: the id of a template." }),
    data: z
      .custom<Record<string, unknown>>(isPlainObject, { error: "`data` (object) is required." })
      .refine((data) => !isDeeperThan(data, maxDataDepth), {
        error: `\`data\` nests deeper than ${maxDataDepth} levels.`,
      }),
    format: z.enum(documentFormats, { error: oneOf("format", documentFormats) }).default("pdf"),
    deviceScaleFactor: z
      .int({ error: scaleError })
      .min(1, { error: scaleError })
      .max(3, { error: scaleError })
      .default(2),
    width: pageLength("width"),
    height: pageLength("height"),
    webhookUrl: z.string({ error: "`webhookUrl` (string) must be an absolute https URL." }).optional(),
  },
  { error: (issue) => (issue.code === "invalid_type" ? "The body must be a JSON object." : undefined) },
);

const listQuery = z.object({
  ...pageQuery,
  status: z.enum(documentStatuses, { error: oneOf("status", documentStatuses) }).optional(),
  format: z.enum(documentFormats, { error: oneOf("format", documentFormats) }).optional(),
  templateId: z.uuid({ error: "`templateId` must be the id of a template." }).optional(),
});

export const documents = new Hono<HttpEnv>()
  .post("/", limitBody, requireJson, validBody(createBody), async (context) => {
    const { services, account, arrivedAt } = context.var;
    const idempotency = await idempotencyOf(context);
    // One promise, known to the runtime before anything of it is awaited: a caller who hangs up does not stop it half way.
    const creation = createDocument(services, account, { ...context.req.valid("json"), idempotency, arrivedAt });
    context.executionCtx.waitUntil(creation.catch(() => {}));
    const { document, isReplay, used } = await creation;
    context.header("Location", `${services.settings.baseUrl}/documents/${document.id}`);
    if (isReplay) context.header("Idempotent-Replayed", "true");
    if (used !== null) {
      const limits = rateLimitHeaders({
        used,
        limit: account.plan.monthlyRenders,
        month: document.month,
        nowMs: services.now(),
      });
      for (const [name, value] of Object.entries(limits)) context.header(name, value);
    }
    return success(context, documentRecord(document, services.settings.cdnUrl), 201);
  })
  .get("/", validQuery(listQuery), async (context) => {
    const { services, account } = context.var;
    const { limit, offset, ...filter } = context.req.valid("query");
    const { documents, total } = await services.documents.list(account.id, filter, { limit, offset });
    const records = documents.map((document) => documentRecord(document, services.settings.cdnUrl));
    return success(context, { documents: records, pagination: { limit, offset, total } });
  })
  .get("/:id", async (context) => {
    const { services, account } = context.var;
    const document = await getDocument(services, account, context.req.param("id"));
    return success(context, documentRecord(document, services.settings.cdnUrl));
  })
  .get("/:id/download", async (context) => {
    const { services, account } = context.var;
    const document = await getDownload(services, account, context.req.param("id"));
    return fileResponse(context, document, {
      "Content-Disposition": `attachment; filename="document-${document.id}.${document.format}"`,
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "Cache-Control": "private, no-cache",
    });
  })
  .delete("/:id", async (context) => {
    const { services, account } = context.var;
    const id = context.req.param("id");
    await deleteDocument(services, account, id);
    return success(context, { id, deleted: true });
  });

/** The header's key with a digest of the body: the same JSON value, whatever its spelling, has the same digest. */
async function idempotencyOf(context: HttpContext): Promise<IdempotencyKey | null> {
  const key = context.req.header("Idempotency-Key");
  if (key === undefined) return null;
  if (!/^[!-~]{1,255}$/.test(key)) {
    throw validationError([
      { path: "Idempotency-Key", message: "`Idempotency-Key` must be 1 to 255 visible ASCII characters." },
    ]);
  }
  return { key, bodyHash: await sha256Hex(canonicalJson(await context.req.json())) };
}
