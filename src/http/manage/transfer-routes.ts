// The operations that move an account to a different instance. A client reads rows and objects from one and sends them to the
// other, objects first, so that every document has its file.
import { z } from "zod";
import { percentDecoded } from "colophon-base/encoding";
import { parsedJson } from "colophon-base/parsed-json";
import { ServiceError, validationError } from "../../core/errors.ts";
import { importRows, requireOwner } from "../../operations/manage/import-account.ts";
import { transferBuckets, transferredTables, type ObjectMetadata } from "../../ports/maintenance.ts";
import { fileContent, operation } from "../operation.ts";
import { sizedBody } from "../read-body.ts";
import { shardNumber } from "./manage-records.ts";

const common = { access: "operator", tag: "Operator" } as const;
const row = z.strictObject({ table: z.enum(transferredTables), row: z.record(z.string(), z.unknown()) });
const maxRows = 200;
const maxObject = { bytes: 60_000_000, text: "60 MB" };

/** The keys of files and of template contents. */
const objectKey = /^(private\/)?[\w-]{43}\.\w{3,4}$|^[0-9a-f-]{36}\/[0-9a-f-]{36}\/[0-9a-f]{64}\.(json|zip)$/;
const objectQuery = z.strictObject({
  bucket: z.enum(transferBuckets, `\`bucket\` must be one of ${transferBuckets.join(", ")}.`),
  key: z.string("`key` is required.").regex(objectKey, "`key` must be the key of a file or of a template's content."),
});

/** The content of a template is stored without metadata. */
const fileMetadata = z.object({ customMetadata: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }) });

/** A table and an optional position in it. */
const cursorPattern =
  /^(?:documents(?: (?:\d{14}[\da-f-]{36})?)?|(?:accounts|templates|templateVersions|documentCounts)(?: [\w-]{0,60})?)$/;

export const transferRows = [
  operation("exportAccount", "GET /accounts/{account}/export", {
    ...common,
    summary: "Read the rows of an account",
    description:
      "Returns the account with its templates, documents and counts, in parts: repeat the request with `nextCursor` as `cursor` until it is null. Keys, webhook secrets, webhooks, batches and test documents are not exported.",
    query: z.strictObject({
      cursor: z.string().regex(cursorPattern, "`cursor` must be the `nextCursor` of a response.").optional().meta({
        description: "The `nextCursor` of the previous response.",
      }),
    }),
    data: z.object({ rows: z.array(row), nextCursor: z.string().nullable() }),
    errors: ["accountNotFound"],
    handle: ({ manage, account, query }) => manage.transfer.read(account.id, query.cursor ?? null),
  }),
  operation("getObject", "GET /objects", {
    ...common,
    summary: "Download a file, or the content of a template",
    query: objectQuery,
    content: fileContent("application/octet-stream"),
    errors: ["objectNotFound"],
    responses: [{ status: 200, description: "It succeeded.", headers: ["X-Object-Metadata"] }],
    handle: async ({ context, manage, query: { bucket, key } }) => {
      context.set("createdAccountId", ownerOf(key)?.accountId);
      const object = await manage.transfer.readObject(bucket, key);
      if (!object) throw new ServiceError("NOT_FOUND", "There is no object with this key.");
      const about = encodeURIComponent(JSON.stringify({ customMetadata: object.metadata }));
      return context.body(object.body, 200, { "Content-Type": "application/octet-stream", "X-Object-Metadata": about });
    },
  }),
  operation("putObject", "PUT /objects", {
    ...common,
    summary: "Store a file, or the content of a template",
    description: "`Content-Length` is required.",
    query: objectQuery,
    headers: ["X-Object-Metadata"],
    bodyContent: fileContent("application/octet-stream"),
    data: z.object({ key: z.string() }),
    errors: ["invalidObject", "lengthRequired", "objectTooLarge"],
    handle: async ({ context, manage, query: { bucket, key } }) => {
      const owner = ownerOf(key);
      context.set("createdAccountId", owner?.accountId);
      const metadata = owner ? {} : metadataOf(context.req.header("X-Object-Metadata"));
      if (owner) await requireOwner(manage, owner);
      await manage.transfer.writeObject(bucket, key, sizedBody(context.req.raw, maxObject), metadata);
      return { key };
    },
  }),
  operation("importAccount", "POST /import", {
    ...common,
    summary: "Import rows of an account from another instance",
    description: `At most ${maxRows} rows, in the order of the export. Existing rows stay unchanged, so the request can be repeated; \`imported\` counts only new rows.`,
    body: z.strictObject({
      accountId: z.uuid("`accountId` must be a UUID."),
      rows: z.array(row).max(maxRows, `\`rows\` can have at most ${maxRows} items.`),
      shard: shardNumber.optional(),
    }),
    data: z.object({ imported: z.int().min(0) }),
    handle: async ({ context, manage, body: { accountId, rows, shard } }) => {
      context.set("createdAccountId", accountId);
      return { imported: await importRows(manage, context.var.maintenance, accountId, rows, shard) };
    },
  }),
];

/** Only the key of a template's content names its account. */
function ownerOf(key: string): { accountId: string; templateId: string } | null {
  const [accountId = "", templateId = "", content] = key.split("/");
  return content === undefined ? null : { accountId, templateId };
}

function metadataOf(header: string | undefined): ObjectMetadata {
  const parsed = fileMetadata.safeParse(parsedJson(percentDecoded(header ?? ""))?.value);
  if (parsed.success) return parsed.data.customMetadata;
  const message =
    "`X-Object-Metadata` must be the header of the download, with 64 hexadecimal digits as `customMetadata.sha256`.";
  throw validationError([{ path: "X-Object-Metadata", message }]);
}
