// The queue between the outbox and the senders. A message names an event and carries nothing of it.
import type { CallbackQueue, EventAddress } from "../ports.ts";
import { withDeadline } from "./deadline.ts";

export function callbackQueue(queue: Queue<EventAddress>, sendTimeoutMs: number): CallbackQueue {
  return {
    async announce(event) {
      await withDeadline("the callback queue", sendTimeoutMs, queue.send(event));
    },
  };
}
