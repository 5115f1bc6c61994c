// One POST to a receiver. Redirects are not followed, and only as much of the response is read as is stored.
import type { WebhookTransport } from "../../ports/webhooks.ts";

const maxResponseBytes = 1_024;
/** Only the response's status decides the delivery, so a slow response body gets no more time than this. */
const bodyTimeoutMs = 2_000;

export function webhookTransport(timeoutMs: number): WebhookTransport {
  return {
    async post({ url, headers, body }) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
        const retryAfter = response.headers.get("Retry-After");
        return { status: response.status, error: null, response: await beginningOf(response), retryAfter };
      } catch (cause) {
        return { status: null, error: reasonOf(cause, timeoutMs), response: null, retryAfter: null };
      }
    },
  };
}

function reasonOf(cause: unknown, timeoutMs: number): string {
  if (cause instanceof Error && cause.name === "TimeoutError") return `no response within ${timeoutMs / 1000} s`;
  return cause instanceof Error ? cause.message.slice(0, 200) : "the connection failed";
}

/** The first KB as text, without control characters, because it is shown on a terminal. */
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
    reader.cancel().catch(() => {}); // Cancelling fails if the stream has already ended.
  }
  return new TextDecoder().decode(bytes.subarray(0, length)).replace(/[^\P{C}\n]/gu, "");
}
