// Posts a message to a receiver. Redirects are not followed. Only the first KB of the response body is read.
import type { WebhookTransport } from "../../ports/webhooks.ts";

const maxResponseBytes = 1_024;
/** The maximum time for reading the response body. It is short, because the status alone decides the outcome. */
const bodyTimeoutMs = 2_000;

export function webhookTransport(timeoutMs: number): WebhookTransport {
  return {
    async post({ url, headers, body }) {
      // Canceling a body that is silent does not end its connection.
      const ended = new AbortController();
      try {
        const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]);
        const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
        const retryAfter = response.headers.get("Retry-After");
        return { status: response.status, error: null, response: await beginningOf(response), retryAfter };
      } catch (cause) {
        return { status: null, error: reasonOf(cause, timeoutMs), response: null, retryAfter: null };
      } finally {
        ended.abort();
      }
    },
  };
}

function reasonOf(cause: unknown, timeoutMs: number): string {
  if (cause instanceof Error && cause.name === "TimeoutError") return `no response within ${timeoutMs / 1000} s`;
  return cause instanceof Error ? cause.message.slice(0, 200) : "the connection failed";
}

/**
 * Returns the first KB of the response body as text. Control characters except newlines are removed, because a terminal
 * may show the text.
 */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const bytes = new Uint8Array(maxResponseBytes);
  let length = 0;
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), bodyTimeoutMs);
  try {
    while (length < maxResponseBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      const part: Uint8Array = value.subarray(0, maxResponseBytes - length);
      bytes.set(part, length);
      length += part.length;
    }
  } catch {
    // The receiver closed the connection; the part that arrived is enough.
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {}); // Cancelling rejects if the stream has failed.
  }
  return new TextDecoder().decode(bytes.subarray(0, length)).replace(/[^\P{C}\n]/gu, "");
}
