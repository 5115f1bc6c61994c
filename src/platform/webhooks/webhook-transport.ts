// Posts a message to a receiver. Redirects are not followed. Only the first KB of the response body is read.
import { withDeadline } from "colophon-base/deadline";
import type { WebhookTransport } from "../../ports/webhooks.ts";

const maxResponseBytes = 1_024;
/** The maximum time for reading the response body. It is short, because the status alone decides the outcome. */
const bodyTimeoutMs = 2_000;

export function webhookTransport(timeoutMs: number): WebhookTransport {
  return {
    async post({ url, headers, body }) {
      // Canceling a body that sends nothing does not close its connection.
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
async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const read = async () => {
    for await (const part of body ?? []) {
      parts.push(part);
      length += part.length;
      if (length >= maxResponseBytes) return;
    }
  };
  // If the receiver closes the connection or is slow, the received part is enough.
  await withDeadline("the response body", bodyTimeoutMs, read()).catch(() => {});
  const bytes = Buffer.concat(parts).subarray(0, maxResponseBytes);
  return new TextDecoder().decode(bytes).replace(/[^\P{C}\n]/gu, "");
}
