// The operations that move an account to another instance. A client reads rows and objects, and sends them to the other one: objects
// first, so that every document has its file.
import { z } from "zod";
import { ServiceError, validationError } from "../../core/errors.ts";
import { importRows } from "../../operations/manage/import-account.ts";
import { transferBuckets, transferredTables, type StoredObject } from "../../ports/maintenance.ts";
import { fileContent, operation } from "../operation.ts";
import { sizedBody } from "./read-upload.ts";

const common = { access: "operator", tag: "Operator" } as const;
const row = z.strictObject({ table: z.enum(transferredTables), row: z.record(z.string(), z.unknown()) });
const maxRows = 200;
const maxObject = { bytes: 60_000_000, text: "60 MB" };

/** Keys of files, and of contents of templates. */
const objectKey = /^[\w-]{43}\.\w{3,4}$|^[0-9a-f-]{36}\/[0-9a-f-]{36}\/[0-9a-f]{64}\.(json|zip)$/;
const objectQuery = z.strictObject({
  bucket: z.enum(transferBuckets, `\`bucket\` must be one of ${transferBuckets.join(", ")}.`),
  key: z.string("`key` is required.").regex(objectKey, "`key` must be that of a file or of a template's content."),
});

const metadataSchema = z.strictObject({
  httpMetadata: z.strictObject({ contentType: z.string().optional(), cacheControl: z.string().optional() }),
  customMetadata: z.record(z.string(), z.string()),
});

export const transferRows = [
  operation({
    ...common,
    method: "get",
    path: "/accounts/{account}/export",
    operationId: "exportAccount",
    summary: "Read the rows of an account",
    description:
      "Returns the account with its templates, documents and counts, part by part: repeat it with `nextCursor` as `cursor` until that is null. Keys, webhook secrets, webhooks, batches and test documents are not exported.",
    query: z.strictObject({
      cursor: z.string().max(100).optional().meta({
        description: "The `nextCursor` of the part before.",
      }),
    }),
    data: z.object({ rows: z.array(row), nextCursor: z.string().nullable() }),
    errors: ["accountNotFound"],
    handle: ({ manage, account, query }) => manage.transfer.read(account.id, query.cursor ?? null),
  }),
  operation({
    ...common,
    method: "get",
    path: "/objects",
    operationId: "getObject",
    summary: "Download a file, or the content of a template",
    query: objectQuery,
    content: fileContent("application/octet-stream"),
    errors: ["objectNotFound"],
    responses: [{ status: 200, description: "It succeeded.", headers: ["X-Object-Metadata"] }],
    handle: async ({ context, manage, query: { bucket, key } }) => {
      const object = await manage.transfer.readObject(bucket, key);
      if (!object) throw new ServiceError("NOT_FOUND", "There is no such object.");
      const about = encodeURIComponent(JSON.stringify(object.about));
      return context.body(object.body, 200, { "Content-Type": "application/octet-stream", "X-Object-Metadata": about });
    },
  }),
  operation({
    ...common,
    method: "put",
    path: "/objects",
    operationId: "putObject",
    summary: "Store a file, or the content of a template",
    description: "`X-Object-Metadata` is that of the download. `Content-Length` is required.",
    query: objectQuery,
    bodyContent: fileContent("application/octet-stream"),
    data: z.object({ key: z.string() }),
    errors: ["invalidObject", "lengthRequired", "objectTooLarge"],
    handle: async ({ context, manage, query: { bucket, key } }) => {
      const about = metadataOf(context.req.header("X-Object-Metadata"));
      await manage.transfer.writeObject(bucket, key, sizedBody(context.req.raw, maxObject), about);
      return { key };
    },
  }),
  operation({
    ...common,
    method: "post",
    path: "/import",
    operationId: "importAccount",
    summary: "Write rows of an account of another instance",
    description: `At most ${maxRows} rows, in the order of the export. Rows that exist stay as they are, so it can be repeated.`,
    body: z.strictObject({
      accountId: z.uuid("`accountId` must be the id of the account."),
      rows: z.array(row).max(maxRows, `\`rows\` can have at most ${maxRows} items.`),
    }),
    data: z.object({ imported: z.int().min(0) }),
    handle: async ({ context, manage, body: { accountId, rows } }) => {
      context.set("createdAccountId", accountId);
      await importRows(manage, context.var.maintenance, accountId, rows);
      return { imported: rows.length };
    },
  }),
];

function metadataOf(header: string | undefined): StoredObject {
  const parsed = metadataSchema.safeParse(jsonOf(header ?? ""));
  if (!parsed.success)
    throw validationError([{ path: "X-Object-Metadata", message: "`X-Object-Metadata` must be that of a download." }]);
  const { contentType, cacheControl } = parsed.data.httpMetadata;
  return {
    httpMetadata: { ...(contentType && { contentType }), ...(cacheControl && { cacheControl }) },
    customMetadata: parsed.data.customMetadata,
  };
}

function jsonOf(encoded: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(encoded));
  } catch {
    return null;
  }
}
