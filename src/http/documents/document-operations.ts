// The description of the routes about documents.
import { contentTypeOf, documentFormats } from "colophon-page/document-format";
import { commonErrors } from "../description/error-cases.ts";
import type { ApiOperation } from "../description/operation.ts";
import { createdFileHeaders, fileHeaders } from "../description/headers.ts";
import { describedListQuery } from "./described-requests.ts";

const documentId = "The id of the document.";
const file = { schema: { type: "string", format: "binary" } };
const files = Object.fromEntries(documentFormats.map((format) => [contentTypeOf(format), file]));

const reads = { access: { scope: "documents:read", tests: true, operator: true }, tag: "Documents" } as const;
const createDocument: ApiOperation = {
  method: "post",
  path: "/documents",
  operationId: "createDocument",
  access: { scope: "documents", tests: true },
  tag: "Documents",
  summary: "Create a document",
  description:
    "Renders a template with your data. The response comes when the render has ended, within 26 seconds. A render that fails after it was admitted leaves a document with the status `failed`, which the list shows, and does not count; a rejected request leaves nothing. The body is at most 1 MiB.\n\nRepeat a request after a broken connection, 409, 500, 502, 503, 504 and 429 `TOO_MANY_REQUESTS`, with the same `Idempotency-Key`, and wait as long as `Retry-After` says. Do not repeat it after other errors; after 429 `RENDER_LIMIT_EXCEEDED`, `Retry-After` lasts until the next month. Let your client wait at least 30 seconds for a response.\n\nIf `Accept` names the media type of the file and neither JSON nor `*/*`, the response to a successful create is the file itself.",
  headers: ["Idempotency-Key", "Prefer"],
  body: "CreateDocument",
  anyResponse: ["Server-Timing"],
  responses: [
    {
      status: 201,
      description:
        "The document was created, or an earlier request with the same `Idempotency-Key` has created it. If `Accept` asks for the file, the body is the file, with the media type that the download has.",
      headers: [
        "Location",
        "X-Document-Id",
        "Idempotent-Replayed",
        "RateLimit",
        "RateLimit-Policy",
        ...createdFileHeaders,
        "Content-Length",
      ],
      // Only this, because generated types join all media types of a response, and JSON would be a union with the text of a file.
      data: "Document",
    },
    {
      status: 202,
      description:
        "The request has `Prefer: respond-async`. The document has the status `processing`, and is rendered after this response.",
      headers: [
        "Location",
        "X-Document-Id",
        "Preference-Applied",
        "Idempotent-Replayed",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
      ],
      data: "Document",
    },
  ],
  errors: [
    ...commonErrors,
    "invalidBody",
    "invalidData",
    "missingField",
    "templateNotFound",
    "templateVersionNotFound",
    "repeatedDocumentNotFound",
    "createdFileNotFound",
    "createdFileUnreadable",
    "idempotencyKeyInUse",
    "bodyTooLarge",
    "unsupportedBody",
    "otherBody",
    "renderImpossible",
    "renderLimitExceeded",
    "batchLimitExceeded",
    "browserFailed",
    "noCapacity",
    "renderTimedOut",
  ],
};

const listDocuments: ApiOperation = {
  method: "get",
  path: "/documents",
  operationId: "listDocuments",
  ...reads,
  summary: "List documents",
  description: "Returns the documents of the account, newest first.",
  query: describedListQuery,
  responses: [{ status: 200, description: "A page of the list.", headers: ["Link"], data: "DocumentList" }],
  errors: commonErrors,
};

const getDocument: ApiOperation = {
  method: "get",
  path: "/documents/{id}",
  operationId: "getDocument",
  ...reads,
  summary: "Read a document",
  description:
    "Returns the document with this id, whether its render was completed, has failed or has not ended. `Retry-After` is present until it has ended.",
  id: documentId,
  responses: [{ status: 200, description: "The document.", headers: ["Retry-After"], data: "Document" }],
  errors: [...commonErrors, "documentNotFound"],
};

const downloadDocument: ApiOperation = {
  method: "get",
  path: "/documents/{id}/download",
  operationId: "downloadDocument",
  ...reads,
  summary: "Download a document's file",
  description:
    "Returns the file. Conditional requests and ranges work as RFC 9110 specifies. A document whose render failed has no file.",
  id: documentId,
  headers: ["Range", "If-Range", "If-Match", "If-None-Match"],
  responses: [
    { status: 200, description: "The file.", headers: [...fileHeaders, "Content-Length"], content: files },
    {
      status: 206,
      description: "The part of the file that `Range` asks for.",
      headers: [...fileHeaders, "Content-Length", "Content-Range"],
      content: files,
    },
    { status: 304, description: "The file has not changed, so it is not sent.", headers: fileHeaders },
  ],
  errors: [...commonErrors, "documentNotFound", "preconditionFailed", "rangeNotSatisfiable"],
};

const deleteDocument: ApiOperation = {
  method: "delete",
  path: "/documents/{id}",
  operationId: "deleteDocument",
  access: { scope: "documents", tests: true, operator: true },
  tag: "Documents",
  summary: "Delete a document",
  description:
    "Removes the document and its file, or cancels a document that is processing. A completed render stays counted. Caches may keep the public file for five more minutes.",
  id: documentId,
  responses: [{ status: 200, description: "The document was deleted.", data: "DeletedDocument" }],
  errors: [...commonErrors, "documentNotFound"],
};

export const documentOperations = [createDocument, listDocuments, getDocument, downloadDocument, deleteDocument];
