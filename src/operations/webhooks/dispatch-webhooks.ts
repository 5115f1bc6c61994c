// Dispatches webhook events to the senders of their accounts: events named in queue messages, and overdue events, whose
// messages were lost and which are still in the outbox. It delivers nothing itself, so a slow receiver cannot delay a
// message.
import { z } from "zod";
import { withinTime } from "colophon-base/deadline";
import { eventIdsByAccount } from "../../core/webhooks/webhook-event.ts";
import type { DispatchServices, ShardServices } from "../../ports/services.ts";
import type { WebhookMessage } from "../../ports/webhooks.ts";

const address = z.object({ accountId: z.string().min(1), eventId: z.string().min(1) });

/** The time after which the queue delivers a message again if the event's sender could not be reached. */
const retryDelaySeconds = 5;

/** Locally, the queue's next messages wait for these, so the messages for a sender that hangs because of its shard are retried later. */
const maxWaitMs = 2_000;

/**
 * The maximum number of overdue events that one scheduled run dispatches in all shards together; further events wait for the next run.
 */
const maxOverdue = 1_000;
const maxEventsPerCall = 100;

/**
 * Acknowledges or retries each message separately. The queue drops a message that has failed too many times, and the
 * scheduled run dispatches its event.
 */
export async function consumeWebhookMessages(
  services: DispatchServices,
  messages: readonly WebhookMessage[],
): Promise<void> {
  const named = messages.flatMap((message) => {
    const parsed = address.safeParse(message.body);
    if (parsed.success) return { message, ...parsed.data };
    services.log("error", { event: "webhook.message_malformed", messageId: message.id });
    message.ack(); // A retry would fail in the same way. If the event exists, the outbox still has it.
    return [];
  });
  const unreached = await dispatchWebhooks(services, eventIdsByAccount(named), maxWaitMs);
  for (const { message, accountId } of named) {
    if (unreached.has(accountId)) message.retry({ delaySeconds: retryDelaySeconds });
    else message.ack();
  }
}

/**
 * Dispatches events to the senders of their accounts. `byAccount` contains the event ids of each account. Returns the
 * accounts whose sender could not be reached in time; all other senders have accepted their events.
 */
export async function dispatchWebhooks(
  services: DispatchServices,
  byAccount: Map<string, string[]>,
  limitMs = 60_000,
): Promise<Set<string>> {
  const unreached = new Set<string>();
  const dispatchAll = async (accountId: string, eventIds: string[]) => {
    const isReached = await withinTime(limitMs, dispatchTo(services, accountId, eventIds), () => false);
    if (!isReached) unreached.add(accountId);
  };
  await Promise.all([...byAccount].map(([accountId, eventIds]) => dispatchAll(accountId, eventIds)));
  return unreached;
}

/** Dispatches events to one account's sender. Returns false when the sender could not be reached. */
async function dispatchTo({ senders, log }: DispatchServices, accountId: string, eventIds: string[]): Promise<boolean> {
  try {
    for (let from = 0; from < eventIds.length; from += maxEventsPerCall) {
      await senders.accept(accountId, eventIds.slice(from, from + maxEventsPerCall));
    }
    return true;
  } catch (cause) {
    log("warn", { event: "webhook.dispatch_failed", accountId, events: eventIds.length, cause });
    return false;
  }
}

/**
 * Dispatches overdue events of a shard, whose queue message was probably lost, and returns the ids of the dispatched ones by
 * account. Events whose sender could not be reached are still overdue in the next run.
 */
export async function dispatchOverdueWebhooks(services: ShardServices): Promise<Map<string, string[]>> {
  const { events: outbox, shards, now, log } = services;
  const overdue = await outbox.overdue(now(), Math.ceil(maxOverdue / shards.length));
  const events = [...overdue.values()].flat().length;
  if (events > 0) log("warn", { event: "webhook.overdue", accounts: overdue.size, events });
  const unreached = await dispatchWebhooks(services, overdue);
  return new Map([...overdue].filter(([accountId]) => !unreached.has(accountId)));
}
