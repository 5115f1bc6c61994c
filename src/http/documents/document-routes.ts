// Routes to create, list, read, download and delete the documents of an account.
import { Hono } from "hono";
import { documentRecord } from "../../core/documents/document.ts";
import { createDocument } from "../../operations/documents/create-document.ts";
import { deleteDocument } from "../../operations/documents/delete-document.ts";
import { inTime } from "../../operations/documents/in-time.ts";
import { getDocument, getDownload, listDocuments } from "../../operations/documents/read-documents.ts";
import type { HttpEnv } from "../context.ts";
import { success } from "../envelope.ts";
import { readJsonBody } from "../json-body.ts";
import { pageOf, paginate } from "../queries/list-response.ts";
import { noParameters, validQuery } from "../validation.ts";
import { wantsFile } from "./accepted-file.ts";
import { createdResponse } from "./created-response.ts";
import { createBody, idempotencyOf, listQuery } from "./document-requests.ts";
import type { DeletedDocument, DocumentList } from "./document-responses.ts";
import { downloadHeaders, fileResponse } from "./file-response.ts";

export const documents = new Hono<HttpEnv>()
  .post("/", validQuery(noParameters), async (context) => {
    const { services, account, arrivedAt } = context.var;
    const { input, value } = await readJsonBody(context, createBody);
    const asFile = wantsFile(context, input.format);
    const idempotency = await idempotencyOf(context, value);
    // The create is passed to `waitUntil` before it is awaited, so that it finishes even if the caller disconnects.
    const creation = createDocument(services, account, { ...input, idempotency, arrivedAt });
    context.executionCtx.waitUntil(creation.catch(() => {}));
    return createdResponse(context, await inTime(services, arrivedAt, creation), { asFile });
  })
  .get("/", validQuery(listQuery), async (context) => {
    const { services, account } = context.var;
    const { limit, offset, cursor, ...filter } = context.req.valid("query");
    const parameters = { limit, offset, cursor };
    const { documents, ...listed } = await listDocuments(services, account, filter, pageOf(parameters));
    const records = documents.map((document) => documentRecord(document, services.settings.cdnUrl));
    const pagination = paginate(context, parameters, { items: documents, ...listed });
    const list: DocumentList = { documents: records, pagination };
    return success(context, list);
  })
  .get("/:id", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    const document = await getDocument(services, account, context.req.param("id"));
    if (document.status === "processing") context.header("Retry-After", "1");
    return success(context, documentRecord(document, services.settings.cdnUrl));
  })
  .get("/:id/download", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    const document = await getDownload(services, account, context.req.param("id"));
    return fileResponse(context, document, downloadHeaders(document));
  })
  .delete("/:id", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    const { id } = await deleteDocument(services, account, context.req.param("id"));
    const deleted: DeletedDocument = { id, deleted: true };
    return success(context, deleted);
  });
