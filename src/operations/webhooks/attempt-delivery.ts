// One attempt to deliver an event: its URL is validated again, the message is signed anew, and the answer becomes an outcome.
import { retryAfterMs, type AttemptOutcome } from "../../core/webhooks/delivery.ts";
import { type WebhookEvent } from "../../core/webhooks/webhook-event.ts";
import { checkPublicUrl } from "../../core/public-url.ts";
import { webhookHeaders } from "../../core/webhooks/webhook-signature.ts";
import type { WebhookTransport, DeliveryServices } from "../../ports.ts";

/** The delivery stops: the receiver says that it is gone for good. */
const gone = 410;

/** Rejects when the attempt could not be made for a reason of ours: it does not count then. */
export async function attemptDelivery(
  { now, webhookUrls, secrets, transport }: DeliveryServices,
  { id, accountId, url, payload }: Pick<WebhookEvent, "id" | "accountId" | "url" | "payload">,
): Promise<AttemptOutcome> {
  const at = now();
  // The rules may have changed since the create.
  const validated = checkPublicUrl(url, webhookUrls);
  if (validated.status === "refused") return notSent(at, `the URL ${validated.reason}`);
  const valid = await secrets.valid(accountId, at);
  if (valid.length === 0) throw new Error("the account has no webhook secret");
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Colophon-Webhooks/1.0",
    ...(await webhookHeaders({ id, timestampMs: at, body: payload }, valid)),
  };
  const answer = await transport.post({ url: validated.url, headers, body: payload });
  return { at, durationMs: now() - at, ...outcomeOf(answer, now()) };
}

function notSent(at: number, error: string): AttemptOutcome {
  return { at, durationMs: 0, verdict: "refused", status: null, error, response: null, retryAfterMs: null };
}

function outcomeOf(
  { status, error, response, retryAfter }: Awaited<ReturnType<WebhookTransport["post"]>>,
  nowMs: number,
): Omit<AttemptOutcome, "at" | "durationMs"> {
  const isDelivered = status !== null && status >= 200 && status < 300;
  const mayComeBack = status === 429 || status === 503;
  return {
    verdict: isDelivered ? "delivered" : status === gone ? "refused" : "failed",
    status,
    error: isDelivered ? null : (error ?? refusalOf(status)),
    response,
    retryAfterMs: mayComeBack ? retryAfterMs(retryAfter, nowMs) : null,
  };
}

function refusalOf(status: number | null): string {
  const isRedirect = status !== null && status >= 300 && status < 400;
  return isRedirect ? `answered ${status}; redirects are not followed` : `answered ${status}`;
}
