// Messages of the webhook queue and of its dead-letter queue. The consumer only hands over, so that no receiver, however
// slow, holds up a message; each message is answered for by itself.
import { z } from "zod";
import { groupByAccount, dispatchWebhooks } from "../operations/webhooks/dispatch-webhooks.ts";
import type { DispatchServices } from "../ports.ts";

const address = z.object({ accountId: z.string().min(1), eventId: z.string().min(1) });

/** Seconds until a message whose sender could not be reached comes again. */
const retryDelaySeconds = 5;

export async function consumeWebhookMessages(services: DispatchServices, batch: MessageBatch): Promise<void> {
  const named = batch.messages.flatMap((message) => {
    const parsed = address.safeParse(message.body);
    if (parsed.success) return { message, ...parsed.data };
    services.log("error", { event: "webhook.message_malformed", messageId: message.id });
    message.ack(); // It would be as malformed the next time.
    return [];
  });
  const unreached = await dispatchWebhooks(services, groupByAccount(named));
  for (const { message, accountId, eventId } of named) {
    if (!unreached.has(accountId)) message.ack();
    else if (isLastQueue(batch)) {
      services.log("error", { event: "webhook.message_dead", accountId, eventId });
      message.ack(); // The outbox still has the event, and the sweep brings it.
    } else message.retry({ delaySeconds: retryDelaySeconds });
  }
}

/** The dead-letter queue gets what the first one could not deliver, for one more try. */
function isLastQueue({ queue }: MessageBatch): boolean {
  return queue.endsWith("-dead");
}
