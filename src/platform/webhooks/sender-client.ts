// Implements the webhook senders by calling the account's `WebhookSender` object.
import type { WebhookSenders } from "../../ports/webhooks.ts";
import { objectCall, type Calls, type ObjectNamespace } from "../object-client.ts";

/** The object has the same method. */
export function senderClient(namespace: ObjectNamespace<WebhookSenders>, calls: Calls): WebhookSenders {
  const call = objectCall("WebhookSender", namespace, calls);
  return { accept: (accountId, eventIds) => call(accountId, (sender) => sender.accept(accountId, eventIds)) };
}
