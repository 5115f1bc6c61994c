// The senders from outside.
import type { CallbackSenders } from "../ports.ts";
import { objectCall, type ObjectNamespace } from "./object-client.ts";

/** What a `CallbackSender` object answers to. */
export type SenderObject = { handOver(accountId: string, eventIds: string[]): Promise<void> };

export function senderClient(namespace: ObjectNamespace<SenderObject>, tryTimeoutMs: number): CallbackSenders {
  const call = objectCall("CallbackSender", namespace, tryTimeoutMs);
  return { handOver: (accountId, eventIds) => call(accountId, (sender) => sender.handOver(accountId, eventIds)) };
}
