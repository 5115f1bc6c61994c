// Reads the JSON of responses: the data of a success, or the error of any other response.
import { ColophonError, connectionFailed, isErrorCode } from "./errors.ts";
import { parseRetryAfter } from "./retry.ts";

type JsonObject = Record<string, unknown>;

/** Returns the JSON object in the body, or null if the body is anything else. */
export async function readEnvelope(response: Response): Promise<JsonObject | null> {
  const text = await complete(response.text());
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns the body of a response after receiving all of it. */
export function complete<T>(body: Promise<T>): Promise<T> {
  return body.catch((cause: unknown) => {
    throw connectionFailed("The connection was lost before the response was complete.", cause);
  });
}

/** Returns the data of a success. Throws the error of any other response. */
export function dataOf(response: Response, envelope: JsonObject | null): JsonObject {
  const data = objectOf(envelope?.["data"]);
  if (!response.ok || envelope?.["success"] !== true || data === null) throw failureOf(response, envelope);
  return data;
}

/** Returns the error for a response that is not a success. `envelope` is its body, or null if that is not a JSON object. */
export function failureOf(response: Response, envelope: JsonObject | null): ColophonError {
  const { headers } = response;
  const meta = objectOf(envelope?.["meta"]);
  const properties = {
    // A browser shows a redirect as a response with status 0.
    status: response.status || null,
    requestId: headers.get("X-Request-Id") ?? textOf(meta?.["requestId"]),
    retryAfterSeconds: parseRetryAfter(headers.get("Retry-After"), Date.now()),
  };
  const error = objectOf(envelope?.["error"]);
  const code = textOf(error?.["code"]);
  const message = textOf(error?.["message"]);
  if (code === null || message === null)
    return new ColophonError(foreignResponse(response), { ...properties, code: "UNEXPECTED_RESPONSE" });
  if (!isErrorCode(code)) return new ColophonError(`${code}: ${message}`, { ...properties, code: "UNKNOWN_CODE" });
  const details = Array.isArray(error?.["details"]) ? error["details"] : [];
  return new ColophonError(message, { ...properties, code, details });
}

/** Returns the message for a response that does not come from the API. */
function foreignResponse({ status, type }: { status: number; type: string }): string {
  if (type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(status))
    return "The response is a redirect, which the client does not follow. Check the base URL.";
  const isFailure = status === 429 || status >= 500;
  const advice = isFailure ? "It may come from a proxy in front of the API." : "Check the base URL.";
  return `The response with status ${status} is not from the Colophon API. ${advice}`;
}

function objectOf(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
