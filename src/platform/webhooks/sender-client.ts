// Implements the webhook senders by calling the account's `WebhookSender` object.
import type { WebhookSenders } from "../../ports/webhooks.ts";
import { objectCall, type Calls, type ObjectNamespace } from "../object-client.ts";

/** The methods of a `WebhookSender` object. */
export type SenderObject = { accept(accountId: string, eventIds: string[]): Promise<void> };

export function senderClient(namespace: ObjectNamespace<SenderObject>, calls: Calls): WebhookSenders {
  const call = objectCall("WebhookSender", namespace, calls);
  return { accept: (accountId, eventIds) => call(accountId, (sender) => sender.accept(accountId, eventIds)) };
}
