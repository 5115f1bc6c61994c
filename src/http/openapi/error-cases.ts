// All errors of the operations. A test provokes each of them, and another test fails if a response has a status and code that
// its operation does not list.
import type { ErrorCode, ErrorReason } from "../../core/errors.ts";
import { createdHeaders, fileHeaders } from "../documents/file-response.ts";
import { statuses, type RequestError } from "../error-status.ts";
import type { ResponseHeader } from "./headers.ts";

export type ErrorCase = {
  status: number;
  code: ErrorCode;
  /** A sentence that describes the situation. */
  when: string;
  /** Headers that the response always or sometimes has. */
  headers: ResponseHeader[];
};

const retry: ResponseHeader[] = ["Retry-After"];
const allowance: ResponseHeader[] = ["Retry-After", "RateLimit", "RateLimit-Policy"];

/** The status follows from the reason or, without one, from the code. */
function error(
  code: ErrorCode,
  when: string,
  { reason, headers = [] }: { reason?: ErrorReason; headers?: ResponseHeader[] } = {},
): ErrorCase {
  return { status: statuses[reason ?? code], code, when, headers };
}

function invalid(when: string, status: 400 | RequestError["status"] = 400, headers: ResponseHeader[] = []): ErrorCase {
  return { status, code: "VALIDATION_ERROR", when, headers };
}

const unsupported = (when: string) => invalid(when, 415, ["Accept-Encoding"]);

export const errorCases = {
  invalidApiKey: error("INVALID_API_KEY", "The key is missing, malformed, unknown or revoked.", {
    headers: ["WWW-Authenticate"],
  }),
  apiAccessDenied: error("API_ACCESS_DENIED", "The account's plan does not include API access."),
  insufficientScope: error(
    "INSUFFICIENT_SCOPE",
    "The key lacks the scope that the operation needs, or is a test key and the operation requires a live key.",
  ),
  tooManyRequests: error(
    "TOO_MANY_REQUESTS",
    "The account has sent too many requests in a short time, or this client too many requests with an invalid key.",
    { headers: retry },
  ),
  internalError: error("INTERNAL_ERROR", "A fault in the service. The request id identifies it in the log."),
  serviceUnavailable: error(
    "SERVICE_UNAVAILABLE",
    "A part of the service is overloaded. Unless the message says otherwise, nothing was changed.",
    { headers: retry },
  ),
  invalidQuery: invalid("A query parameter is unknown, repeated or out of range."),
  invalidBody: invalid(
    "The body is not valid JSON in UTF-8, a property is unknown, missing or out of range, the `Idempotency-Key` is malformed, `Accept` asks for a file of a different format, or the page would be too small or too large.",
  ),
  invalidData: invalid(
    "A value of `data` has the wrong type for its field. `details` also names missing required fields.",
  ),
  invalidBatch: invalid(
    "The body is not valid JSON or NDJSON in UTF-8, an option is unknown, missing or out of range, there are no items or too many, the `Idempotency-Key` is malformed, or the body ended before it was complete.",
  ),
  wrongItems: invalid(
    "Items are invalid. `details` names the first 100 of them, each with its first problem and a path such as `items.17.data.price`, and the message says how many there are.",
  ),
  missingFieldsOfItems: error(
    "MISSING_FIELD",
    "Items lack required fields of the template, and are otherwise valid. `details` has the same form as for `VALIDATION_ERROR`.",
  ),
  missingField: error(
    "MISSING_FIELD",
    "`data` lacks fields that the template requires. `details` names them, at most 100.",
  ),
  templateNotFound: error("TEMPLATE_NOT_FOUND", "The account has no template with this id."),
  templateVersionNotFound: error("TEMPLATE_NOT_FOUND", "The template has no version `templateVersion`."),
  documentNotFound: error(
    "DOCUMENT_NOT_FOUND",
    "The account has no document with this id, or its file no longer exists.",
  ),
  accountNotFound: error("ACCOUNT_NOT_FOUND", "There is no account with this id."),
  planNotFound: error("NOT_FOUND", "There is no plan with this name."),
  objectNotFound: error("NOT_FOUND", "There is no object with this key."),
  invalidObject: invalid("`X-Object-Metadata` is missing or malformed."),
  objectTooLarge: invalid("The body is larger than 60 MB.", 413),
  keyNotFound: error("KEY_NOT_FOUND", "The account has no key with this id."),
  webhookNotFound: error("WEBHOOK_NOT_FOUND", "The account has no webhook with this id."),
  versionNotFound: error("TEMPLATE_NOT_FOUND", "The template has no such version."),
  versionConflict: error("VERSION_CONFLICT", "`If-Match` is not the newest version."),
  invalidJson: invalid("The body is not valid JSON in UTF-8, or a property is unknown, missing or out of range."),
  invalidTemplate: invalid("The zip or a file in it cannot be used. `details` names each file and line."),
  zipTooLarge: invalid("The zip is larger than 21 MB.", 413),
  unsupportedZip: unsupported("The `Content-Type` is not `application/zip`, or the body is also compressed."),
  batchNotFound: error("BATCH_NOT_FOUND", "The account has no batch with this id."),
  repeatedBatchNotFound: error(
    "BATCH_NOT_FOUND",
    "The batch that was created with this `Idempotency-Key` has been deleted.",
  ),
  repeatedDocumentNotFound: error(
    "DOCUMENT_NOT_FOUND",
    "The document that was created with this `Idempotency-Key` has been deleted.",
  ),
  createdFileNotFound: error(
    "DOCUMENT_NOT_FOUND",
    "The request asked for the file as the response, but the document has since been deleted.",
    { headers: createdHeaders },
  ),
  createdFileUnreadable: error(
    "SERVICE_UNAVAILABLE",
    "The request asked for the file as the response. The document exists, but its file could not be read.",
    { headers: [...createdHeaders, ...retry] },
  ),
  idempotencyKeyInUse: error(
    "IDEMPOTENCY_CONFLICT",
    "The first request with this `Idempotency-Key` is still in progress.",
    { headers: retry },
  ),
  batchKeyInUse: error("IDEMPOTENCY_CONFLICT", "The first request with this `Idempotency-Key` is being accepted.", {
    headers: retry,
  }),
  batchNotEnded: error("BATCH_NOT_ENDED", "The batch has not ended."),
  lengthRequired: invalid("NDJSON or an object was sent without `Content-Length`.", 411),
  preconditionFailed: invalid("`If-Match` does not match the file.", 412, fileHeaders),
  bodyTooLarge: invalid("The body is larger than 1 MiB.", 413),
  batchTooLarge: invalid("The body is larger than 1 MiB, or than 50 MB if it is NDJSON.", 413),
  unsupportedBatchBody: unsupported(
    "The `Content-Type` is neither `application/json` nor `application/x-ndjson` in UTF-8, or the body is compressed.",
  ),
  unsupportedBody: unsupported("The `Content-Type` is not `application/json` in UTF-8, or the body is compressed."),
  rangeNotSatisfiable: invalid("`Range` lies outside the file.", 416, ["Content-Range"]),
  otherBody: error("IDEMPOTENCY_CONFLICT", "The `Idempotency-Key` was used with a different body.", {
    reason: "other_body",
  }),
  renderImpossible: error(
    "RENDER_FAILED",
    "The document cannot be created from this template and data. The message says why. If it cannot have the requested `conformance`, `details` names up to 20 violations of the standard.",
    { reason: "impossible" },
  ),
  renderLimitExceeded: error(
    "RENDER_LIMIT_EXCEEDED",
    "The monthly allowance is used up. `Retry-After` is the time until it resets.",
    { headers: allowance },
  ),
  batchLimitExceeded: error(
    "BATCH_LIMIT_EXCEEDED",
    "The account has too many batches that have not ended, or too many queued renders.",
    { headers: retry },
  ),
  browserFailed: error("RENDER_FAILED", "The browser failed twice, or the outcome could not be recorded."),
  noCapacity: error(
    "RENDER_FAILED",
    "No browser is available, the account has too many renders in progress, or the database is full. Nothing was stored or counted.",
    { reason: "no_capacity", headers: retry },
  ),
  renderTimedOut: error(
    "RENDER_FAILED",
    "The render or its recording took too long. If only the recording did, the document may still appear in the list.",
    { reason: "timed_out" },
  ),
};

export type ErrorName = keyof typeof errorCases;
