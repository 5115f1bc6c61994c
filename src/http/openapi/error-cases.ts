// All errors that the operations of the API can give. A test provokes each of them, and another test fails when a response has
// a status and a code that its operation does not list.
import type { ErrorCode } from "../../core/errors.ts";
import { fileHeaders } from "../documents/file-response.ts";
import type { ResponseHeader } from "./headers.ts";

export type ErrorCase = {
  status: number;
  code: ErrorCode;
  /** A sentence about the situation. */
  when: string;
  /** Headers that the response has, or may have. */
  headers?: ResponseHeader[];
};

const retry: ResponseHeader[] = ["Retry-After"];
const allowance: ResponseHeader[] = ["Retry-After", "RateLimit", "RateLimit-Policy"];
const created: ResponseHeader[] = ["Location", "X-Document-Id", "Idempotent-Replayed", "RateLimit", "RateLimit-Policy"];

const invalid = (when: string) => ({ status: 400, code: "VALIDATION_ERROR", when }) as const;
const unsupported = (when: string) =>
  ({ status: 415, code: "VALIDATION_ERROR", when, headers: ["Accept-Encoding"] }) satisfies ErrorCase;

export const errorCases = {
  invalidApiKey: {
    status: 401,
    code: "INVALID_API_KEY",
    when: "The key is missing, malformed, unknown or revoked.",
    headers: ["WWW-Authenticate"],
  },
  apiAccessDenied: { status: 403, code: "API_ACCESS_DENIED", when: "The account's plan does not include API access." },
  insufficientScope: {
    status: 403,
    code: "INSUFFICIENT_SCOPE",
    when: "The key lacks the scope that the operation needs, or is a test key and the operation is for live keys.",
  },
  tooManyRequests: {
    status: 429,
    code: "TOO_MANY_REQUESTS",
    when: "The account has sent too many requests in a short time, or this client too many with an invalid key.",
    headers: retry,
  },
  internalError: {
    status: 500,
    code: "INTERNAL_ERROR",
    when: "A fault in the service. The request id identifies it in the log.",
  },
  serviceUnavailable: {
    status: 503,
    code: "SERVICE_UNAVAILABLE",
    when: "A part of the service is overloaded. Unless the message says otherwise, nothing was changed.",
    headers: retry,
  },
  invalidQuery: invalid("A query parameter is unknown, repeated or out of range."),
  invalidBody: invalid(
    "The body is not valid JSON in UTF-8, a property is unknown, missing or out of range, the `Idempotency-Key` is malformed, `Accept` asks for a file of another format, or the page would be too small or too large.",
  ),
  invalidData: invalid(
    "A value of `data` has the wrong type for its field. If required fields are missing too, `details` names them as well.",
  ),
  invalidBatch: invalid(
    "The body is not valid JSON or NDJSON in UTF-8, an option is unknown, missing or out of range, there are no items or more than allowed, the `Idempotency-Key` is malformed, or the body ended before it was complete.",
  ),
  wrongItems: invalid(
    "Items are wrong. `details` names the first 100 of them, each with its first problem and a path such as `items.17.data.price`, and the message counts them.",
  ),
  missingFieldsOfItems: {
    status: 400,
    code: "MISSING_FIELD",
    when: "Items lack fields that the template requires, and nothing else is wrong. `details` is as for `VALIDATION_ERROR`.",
  },
  missingField: {
    status: 400,
    code: "MISSING_FIELD",
    when: "`data` lacks fields that the template requires. `details` names them, at most 100.",
  },
  templateNotFound: { status: 404, code: "TEMPLATE_NOT_FOUND", when: "The account has no template with this id." },
  templateVersionNotFound: {
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
    when: "The template has no version `templateVersion`.",
  },
  documentNotFound: {
    status: 404,
    code: "DOCUMENT_NOT_FOUND",
    when: "The account has no document with this id, or its file no longer exists.",
  },
  accountNotFound: { status: 404, code: "ACCOUNT_NOT_FOUND", when: "There is no account with this id." },
  planNotFound: { status: 404, code: "NOT_FOUND", when: "There is no plan of this name." },
  objectNotFound: { status: 404, code: "NOT_FOUND", when: "There is no such object." },
  invalidObject: invalid("`X-Object-Metadata` is missing or malformed."),
  objectTooLarge: { status: 413, code: "VALIDATION_ERROR", when: "The body is larger than 60 MB." },
  keyNotFound: { status: 404, code: "KEY_NOT_FOUND", when: "The account has no key with this id." },
  webhookNotFound: { status: 404, code: "WEBHOOK_NOT_FOUND", when: "The account has no webhook with this id." },
  versionNotFound: { status: 404, code: "TEMPLATE_NOT_FOUND", when: "The template has no such version." },
  versionConflict: {
    status: 412,
    code: "VERSION_CONFLICT",
    when: "`If-Match` is not the newest version.",
  },
  invalidJson: invalid("The body is not valid JSON in UTF-8, or a property is unknown, missing or out of range."),
  invalidTemplate: invalid("The zip or a file in it cannot be used. `details` names each file and line."),
  zipTooLarge: { status: 413, code: "VALIDATION_ERROR", when: "The zip is larger than 21 MB." },
  unsupportedZip: unsupported("The `Content-Type` is not `application/zip`, or the body is compressed once more."),
  batchNotFound: { status: 404, code: "BATCH_NOT_FOUND", when: "The account has no batch with this id." },
  repeatedBatchNotFound: {
    status: 404,
    code: "BATCH_NOT_FOUND",
    when: "The batch that was created with this `Idempotency-Key` has been deleted.",
  },
  repeatedDocumentNotFound: {
    status: 404,
    code: "DOCUMENT_NOT_FOUND",
    when: "The document that was created with this `Idempotency-Key` has been deleted.",
  },
  createdFileNotFound: {
    status: 404,
    code: "DOCUMENT_NOT_FOUND",
    when: "The file was asked for as the response, but the document was deleted in the meantime.",
    headers: created,
  },
  createdFileUnreadable: {
    status: 503,
    code: "SERVICE_UNAVAILABLE",
    when: "The file was asked for as the response. The document exists, but its file could not be read.",
    headers: [...created, ...retry],
  },
  idempotencyKeyInUse: {
    status: 409,
    code: "IDEMPOTENCY_CONFLICT",
    when: "The first request with this `Idempotency-Key` is still in progress.",
    headers: retry,
  },
  batchKeyInUse: {
    status: 409,
    code: "IDEMPOTENCY_CONFLICT",
    when: "The first request with this `Idempotency-Key` is being accepted.",
    headers: retry,
  },
  batchNotEnded: { status: 409, code: "BATCH_NOT_ENDED", when: "The batch has not ended." },
  lengthRequired: {
    status: 411,
    code: "VALIDATION_ERROR",
    when: "NDJSON, or an object, was sent without `Content-Length`.",
  },
  preconditionFailed: {
    status: 412,
    code: "VALIDATION_ERROR",
    when: "`If-Match` does not match the file.",
    headers: fileHeaders,
  },
  bodyTooLarge: { status: 413, code: "VALIDATION_ERROR", when: "The body is larger than 1 MiB." },
  batchTooLarge: {
    status: 413,
    code: "VALIDATION_ERROR",
    when: "The body is larger than 1 MiB, or than 50 MB if it is NDJSON.",
  },
  unsupportedBatchBody: unsupported(
    "The `Content-Type` is neither `application/json` nor `application/x-ndjson` in UTF-8, or the body is compressed.",
  ),
  unsupportedBody: unsupported("The `Content-Type` is not `application/json` in UTF-8, or the body is compressed."),
  rangeNotSatisfiable: {
    status: 416,
    code: "VALIDATION_ERROR",
    when: "`Range` lies outside the file.",
    headers: ["Content-Range"],
  },
  otherBody: {
    status: 422,
    code: "IDEMPOTENCY_CONFLICT",
    when: "The `Idempotency-Key` was used with a different body.",
  },
  renderImpossible: {
    status: 422,
    code: "RENDER_FAILED",
    when: "The document cannot be made from this template and data. The message says why.",
  },
  renderLimitExceeded: {
    status: 429,
    code: "RENDER_LIMIT_EXCEEDED",
    when: "The monthly allowance is used up. `Retry-After` is the time until it resets.",
    headers: allowance,
  },
  batchLimitExceeded: {
    status: 429,
    code: "BATCH_LIMIT_EXCEEDED",
    when: "The account has too many batches that have not ended, or too much that waits to be rendered.",
    headers: retry,
  },
  browserFailed: {
    status: 502,
    code: "RENDER_FAILED",
    when: "The browser failed twice, or the outcome could not be recorded.",
  },
  noCapacity: {
    status: 503,
    code: "RENDER_FAILED",
    when: "There is no browser capacity, the account has too many renders in progress, or there is no room for new documents. Nothing was stored and nothing counts.",
    headers: retry,
  },
  renderTimedOut: {
    status: 504,
    code: "RENDER_FAILED",
    when: "The render or its recording took too long. In the second case, the document may still appear in the list.",
  },
} as const satisfies Record<string, ErrorCase>;

export type ErrorName = keyof typeof errorCases;
