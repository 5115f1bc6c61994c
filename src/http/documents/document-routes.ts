// The operations that create, list, read, download and delete the documents of an account.
import { contentTypeOf, documentFormats } from "colophon-page/document-format";
import { maxDownloads } from "../../core/documents/document.ts";
import type { Page } from "../../core/pagination.ts";
import { createLater } from "../../operations/batches/create-later.ts";
import { createDocument } from "../../operations/documents/create-document.ts";
import { createLink, endLinks, recordOf } from "../../operations/documents/file-links.ts";
import { inTime } from "../../operations/documents/in-time.ts";
import {
  deleteDocument,
  getDocument,
  getDownload,
  listDocuments,
  listDownloads,
} from "../../operations/documents/stored-documents.ts";
import { maxLaterBody } from "../json-body.ts";
import { fileContent, operation } from "../operation.ts";
import { pageResponse } from "../queries/list-response.ts";
import { listQuery } from "../validation.ts";
import { createdResponse, prefersAsync, wantsFile } from "./created-response.ts";
import { createBody, documentsQuery, idempotencyOf } from "./document-requests.ts";
import { downloadListSchema, downloadRecord } from "./document-responses.ts";
import {
  createdFileHeaders,
  createdHeaders,
  downloadHeaders,
  fileHeaders,
  fileResponse,
  recordSent,
} from "./file-response.ts";
import { linkBody } from "./links.ts";

const reads = { access: { scope: "documents:read", tests: true, operator: true }, tag: "Documents" } as const;

export const documentRows = [
  operation("createDocument", "POST /documents", {
    access: { scope: "documents", tests: true },
    tag: "Documents",
    summary: "Create a document",
    description:
      "Renders a template with your data. The response is sent when the render has ended, within 26 seconds. A render that fails after it was admitted leaves a document with the status `failed`, which appears in the list and does not count; a rejected request leaves nothing. The body is at most 1 MiB, or 5 MB with `Prefer: respond-async`.\n\nRepeat a request after a broken connection, 409, 500, 502, 503, 504 and 429 `TOO_MANY_REQUESTS`, with the same `Idempotency-Key`, and wait as long as `Retry-After` says. Do not repeat it after other errors; after 429 `RENDER_LIMIT_EXCEEDED`, `Retry-After` lasts until the next month. Set your client's timeout to at least 30 seconds.\n\nIf `Accept` names the media type of the file and neither JSON nor `*/*`, the response to a successful create is the file itself.",
    headers: ["Idempotency-Key", "Prefer"],
    body: createBody,
    maxBody: (context) => (prefersAsync(context) ? maxLaterBody : undefined),
    anyResponse: ["Server-Timing"],
    // Only JSON: generated clients form a union of a response's media types, so every record would become a record or a string.
    data: "Document",
    responses: [
      {
        status: 201,
        description:
          "The document was created, or an earlier request with the same `Idempotency-Key` created it. If `Accept` asks for the file, the body is the file, with the same media type as a download.",
        headers: [...createdHeaders, ...createdFileHeaders, "Content-Length"],
      },
      {
        status: 202,
        description:
          "The request has `Prefer: respond-async`. The document has the status `processing`, and is rendered after this response.",
        headers: [...createdHeaders, "Preference-Applied", "Retry-After"],
      },
    ],
    errors: [
      "invalidBody",
      "invalidData",
      "missingField",
      "templateNotFound",
      "templateVersionNotFound",
      "repeatedDocumentNotFound",
      "createdFileNotFound",
      "createdFileUnreadable",
      "idempotencyKeyInUse",
      "otherBody",
      "renderImpossible",
      "renderLimitExceeded",
      "batchLimitExceeded",
      "browserFailed",
      "noCapacity",
      "renderTimedOut",
    ],
    async handle({ context, services, account, body, sentBody }) {
      const { arrivedAt } = context.var;
      const isLater = prefersAsync(context);
      const asFile = !isLater && wantsFile(context, body.format);
      const input = { ...body, idempotency: await idempotencyOf(context, sentBody), arrivedAt };
      // The create is passed to `waitUntil` before it is awaited, so that it finishes even if the caller disconnects.
      const creation = isLater ? createLater(services, account, input) : createDocument(services, account, input);
      context.executionCtx.waitUntil(creation.catch(() => {}));
      const created = await inTime(services, arrivedAt, creation);
      if (isLater && created.document.status === "processing") {
        context.header("Preference-Applied", "respond-async");
        context.header("Retry-After", "1");
      }
      return createdResponse(context, created, { asFile });
    },
  }),
  operation("listDocuments", "GET /documents", {
    ...reads,
    summary: "List documents",
    description: "Returns the documents of the account, newest first.",
    query: documentsQuery,
    data: "DocumentList",
    responses: [{ status: 200, description: "A page of the list.", headers: ["Link"] }],
    handle({ context, services, account, query: { limit, offset, cursor, ...filter } }) {
      return pageResponse(
        { context, query: { limit, offset, cursor } },
        "documents",
        (page) => listDocuments(services, account, filter, page),
        (document) => recordOf(services, document),
      );
    },
  }),
  operation("getDocument", "GET /documents/{id}", {
    ...reads,
    summary: "Read a document",
    description:
      "Returns the document with this id, whether its render has completed, failed or not yet ended. `Retry-After` is present until it has ended.",
    data: "Document",
    responses: [{ status: 200, description: "The document.", headers: ["Retry-After"] }],
    errors: ["documentNotFound"],
    async handle({ context, services, account, param }) {
      const document = await getDocument(services, account, param("id"));
      if (document.status === "processing") context.header("Retry-After", "1");
      return recordOf(services, document);
    },
  }),
  operation("downloadDocument", "GET /documents/{id}/download", {
    ...reads,
    summary: "Download a document's file",
    description:
      "Returns the file. Conditional requests and ranges work as RFC 9110 specifies. A document whose render failed has no file.",
    headers: ["Range", "If-Range", "If-Match", "If-None-Match"],
    content: fileContent(...documentFormats.map(contentTypeOf)),
    responses: [
      { status: 200, description: "The file.", headers: [...fileHeaders, "Content-Length"] },
      {
        status: 206,
        description: "The part of the file that `Range` asks for.",
        headers: [...fileHeaders, "Content-Length", "Content-Range"],
      },
      { status: 304, description: "The file has not changed, so it is not sent.", headers: fileHeaders },
    ],
    errors: ["documentNotFound", "preconditionFailed", "rangeNotSatisfiable"],
    async handle({ context, services, account, actor, param }) {
      const document = await getDownload(services, account, param("id"));
      const response = await fileResponse(context, document, downloadHeaders(document));
      recordSent(context, response, { document, by: { account, keyId: actor } });
      return response;
    },
  }),
  operation("listDownloads", "GET /documents/{id}/downloads", {
    ...reads,
    summary: "List who has downloaded a document",
    description: `Returns the downloads of the document's file by keys and links in the last 90 days, newest first, at most ${maxDownloads}. Downloads by the same key, or by links, from the same country within a minute are one entry. The service records them only while the account's setting \`recordDownloads\` is on. Downloads by the public URL are never recorded.`,
    query: listQuery,
    data: downloadListSchema,
    errors: ["documentNotFound"],
    handle({ context, services, account, param, query }) {
      const list = (page: Page) => listDownloads(services, account, param("id"), page);
      return pageResponse({ context, query }, "downloads", list, downloadRecord);
    },
  }),
  operation("createLink", "POST /documents/{id}/links", {
    access: { scope: "documents", tests: true },
    tag: "Documents",
    summary: "Create a link to a document's file",
    description:
      "Returns a URL that opens the file without a key until the link ends. The document may be public: the link does not contain its public URL. Without a body, the link is valid as long as the links in the document's record.",
    body: linkBody,
    isBodyOptional: true,
    data: "FileLink",
    responses: [{ status: 201, description: "The link." }],
    errors: ["documentNotFound"],
    handle: ({ services, account, param, body }) => createLink(services, account, param("id"), body),
  }),
  operation("endLinks", "DELETE /documents/{id}/links", {
    access: { scope: "documents", tests: true },
    tag: "Documents",
    summary: "End all links to a document's file",
    description:
      "Makes all links to the file invalid that exist now, also those in records and webhooks. The record then has a new link. The public URL of a public document stays valid.",
    data: "EndedLinks",
    responses: [{ status: 200, description: "The links are invalid." }],
    errors: ["documentNotFound"],
    handle: async ({ services, account, param }) => ({
      id: await endLinks(services, account, param("id")),
      linksEnded: true as const,
    }),
  }),
  operation("deleteDocument", "DELETE /documents/{id}", {
    access: { scope: "documents", tests: true, operator: true },
    tag: "Documents",
    summary: "Delete a document",
    description:
      "Removes the document and its file, or cancels a document that is processing. A completed render stays counted. Caches may keep the public file for five more minutes.",
    data: "DeletedDocument",
    responses: [{ status: 200, description: "The document was deleted." }],
    errors: ["documentNotFound"],
    async handle({ services, account, param }) {
      const { id } = await deleteDocument(services, account, param("id"));
      return { id, deleted: true as const };
    },
  }),
];
