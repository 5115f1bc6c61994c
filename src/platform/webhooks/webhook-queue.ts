// The queue between the outbox and the senders. A message contains only the ids of an event and its account; the event's
// content stays in D1.
import type { WebhookQueue } from "../../ports/webhooks.ts";
import type { EventAddress } from "../../core/webhooks/webhook-event.ts";
import { withDeadline } from "colophon-base/deadline";

export function webhookQueue(queue: Queue<EventAddress>, sendTimeoutMs: number): WebhookQueue {
  return {
    async send(event) {
      await withDeadline("the webhook queue", sendTimeoutMs, queue.send(event));
    },
  };
}
