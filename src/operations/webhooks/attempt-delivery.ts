// Makes one attempt to deliver an event: validates the URL again, inserts links to private files, signs the message, sends it and interprets
// the response.
import { CodedError } from "colophon-base/loggable-error";
import { checkPublicUrl } from "colophon-base/public-url";
import { retryAfterMs } from "../../core/retry-after.ts";
import type { AttemptOutcome } from "../../core/webhooks/delivery.ts";
import { hasLinks, type WebhookEvent } from "../../core/webhooks/webhook-event.ts";
import { webhookHeaders } from "../../core/webhooks/webhook-signature.ts";
import type { DeliveryServices } from "../../ports/services.ts";
import type { WebhookTransport } from "../../ports/webhooks.ts";
import { batchRecordOf } from "../batches/read-batches.ts";
import { documentLink } from "../documents/file-links.ts";

/** 410 Gone: the receiver no longer exists, so the delivery ends. */
const gone = 410;

/**
 * Returns the outcome of the attempt. Rejects if a fault in this service prevented the attempt, which then does not count.
 * `count` records the attempt in advance, with the outcome that applies if this process ends during it.
 */
export async function attemptDelivery(
  services: DeliveryServices,
  { id, accountId, url, payload }: Pick<WebhookEvent, "id" | "accountId" | "url" | "payload">,
  count: (interrupted: AttemptOutcome) => void = () => undefined,
): Promise<AttemptOutcome> {
  const { now, webhookUrls, secrets, transport } = services;
  const at = now();
  // The rules may have changed since the document was created.
  const validated = checkPublicUrl(url, webhookUrls);
  if (validated.status === "refused") {
    const error = `the URL ${validated.reason}`;
    return { at, durationMs: 0, result: "refused", status: null, error, response: null, retryAfterMs: null };
  }
  const valid = await secrets.valid(accountId, at);
  if (valid.length === 0) throw new CodedError("webhook.no_secret");
  const body = await withFreshLinks(services, accountId, payload);
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Colophon-Webhooks/1.0",
    ...webhookHeaders({ id, timestampMs: at, body }, valid),
  };
  count({ at, durationMs: 0, ...outcomeOf(interrupted, at) });
  const response = await transport.post({ url: validated.url, headers, body });
  return { at, durationMs: now() - at, ...outcomeOf(response, now()) };
}

type LinkedPayload = { type: string; timestamp: string; data: { id: string }; baseUrl: string };
type LinkedServices = Pick<DeliveryServices, "documents" | "batches" | "encryptionKeys" | "now">;

/**
 * Returns the body of an attempt. A link ends, and its stored copy would outlive `DELETE …/links`, so the payload of an event about a private
 * file is stored without links, and every attempt makes new ones. A document or batch that was deleted since has no links.
 */
async function withFreshLinks(services: LinkedServices, accountId: string, payload: string): Promise<string> {
  if (!hasLinks(payload)) return payload;
  const { baseUrl, data, ...event } = JSON.parse(payload) as LinkedPayload;
  const links =
    event.type === "batch.completed"
      ? ofBatch(services, accountId, data.id)
      : ofDocument(services, accountId, data.id, baseUrl);
  return JSON.stringify({ ...event, data: { ...data, ...(await links) } });
}

async function ofBatch(services: LinkedServices, accountId: string, id: string) {
  const state = await services.batches.find(accountId, id);
  return { files: state ? batchRecordOf(services, state).files : [] };
}

async function ofDocument(services: LinkedServices, accountId: string, id: string, baseUrl: string) {
  const document = await services.documents.find(accountId, id);
  const link = document?.status === "completed" ? documentLink(services, document, baseUrl) : null;
  return { pdfUrl: link?.url ?? null, fileUrl: link?.url ?? null, linkExpiresAt: link?.expiresAt ?? null };
}

const interrupted = {
  status: null,
  error: "the service stopped before it received a response",
  response: null,
  retryAfter: null,
};

function outcomeOf(
  { status, error, response, retryAfter }: Awaited<ReturnType<WebhookTransport["post"]>>,
  nowMs: number,
): Omit<AttemptOutcome, "at" | "durationMs"> {
  const isDelivered = status !== null && status >= 200 && status < 300;
  const isRetryAfterHonoured = status === 429 || status === 503;
  return {
    result: isDelivered ? "delivered" : status === gone ? "refused" : "failed",
    status,
    error: isDelivered ? null : (error ?? errorOf(status)),
    response,
    retryAfterMs: isRetryAfterHonoured ? retryAfterMs(retryAfter, nowMs) : null,
  };
}

function errorOf(status: number | null): string {
  const isRedirect = status !== null && status >= 300 && status < 400;
  return isRedirect ? `responded with ${status}; redirects are not followed` : `responded with ${status}`;
}
