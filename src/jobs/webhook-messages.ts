// Consumes the webhook queue. This module only dispatches events to their senders, so a slow receiver cannot delay a message.
// Each message is acknowledged or retried on its own. The queue drops a message that has failed too often, and the scheduled run
// dispatches its event.
import { z } from "zod";
import { eventIdsByAccount } from "../core/webhooks/webhook-event.ts";
import { dispatchWebhooks } from "../operations/webhooks/dispatch-webhooks.ts";
import type { DispatchServices } from "../ports/services.ts";

const address = z.object({ accountId: z.string().min(1), eventId: z.string().min(1) });

/** How long the queue waits before it delivers a message again, if the sender of its event could not be reached. */
const retryDelaySeconds = 5;

export async function consumeWebhookMessages(services: DispatchServices, batch: MessageBatch): Promise<void> {
  const named = batch.messages.flatMap((message) => {
    const parsed = address.safeParse(message.body);
    if (parsed.success) return { message, ...parsed.data };
    services.log("error", { event: "webhook.message_malformed", messageId: message.id });
    message.ack(); // A retry would fail in the same way. If there is an event, the outbox still has it.
    return [];
  });
  const unreached = await dispatchWebhooks(services, eventIdsByAccount(named));
  for (const { message, accountId } of named) {
    if (unreached.has(accountId)) message.retry({ delaySeconds: retryDelaySeconds });
    else message.ack();
  }
}
