// Brings events from the outbox to the senders: a queue, and calls of the accounts' `WebhookSender` objects. A message contains only the
// ids of an event and its account; the event's content stays in D1.
import { withDeadline } from "colophon-base/deadline";
import type { EventAddress } from "../../core/webhooks/webhook-event.ts";
import type { WebhookQueue, WebhookSenders } from "../../ports/webhooks.ts";
import { objectCall, type Calls, type ObjectNamespace } from "../object-client.ts";

export function webhookQueue(queue: Queue<EventAddress>, sendTimeoutMs: number): WebhookQueue {
  return {
    async send(event) {
      await withDeadline("the webhook queue", sendTimeoutMs, queue.send(event));
    },
  };
}

/** The object's method has the same name. */
export function senderClient(namespace: ObjectNamespace<WebhookSenders>, calls: Calls): WebhookSenders {
  const call = objectCall("WebhookSender", namespace, calls);
  return { accept: (accountId, eventIds) => call(accountId, (sender) => sender.accept(accountId, eventIds)) };
}
