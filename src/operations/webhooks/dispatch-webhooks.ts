// Dispatches webhook events to the senders of their accounts. It dispatches the events named in queue messages, and
// overdue events, whose messages were lost and which are still in the outbox.
import type { DispatchServices } from "../../ports/services.ts";

/** The maximum number of overdue events that one scheduled run dispatches; further events wait for the next run. */
const maxOverdue = 1_000;
const maxEventsPerCall = 100;

/**
 * Dispatches events to the senders of their accounts. `byAccount` contains the event ids of each account. Returns the
 * accounts whose sender could not be reached; all other senders have accepted their events.
 */
export async function dispatchWebhooks(
  services: DispatchServices,
  byAccount: Map<string, string[]>,
): Promise<Set<string>> {
  const unreached = new Set<string>();
  const dispatchAll = async (accountId: string, eventIds: string[]) => {
    if (!(await dispatchTo(services, accountId, eventIds))) unreached.add(accountId);
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
 * Dispatches overdue events, whose queue message was probably lost, and returns the ids of the dispatched ones by account. Those
 * whose sender could not be reached are still overdue in the next run.
 */
export async function dispatchOverdueWebhooks(services: DispatchServices): Promise<Map<string, string[]>> {
  const { webhooks, now, log } = services;
  const overdue = await webhooks.overdue(now(), maxOverdue);
  const events = [...overdue.values()].flat().length;
  if (events > 0) log("warn", { event: "webhook.overdue", accounts: overdue.size, events });
  const unreached = await dispatchWebhooks(services, overdue);
  return new Map([...overdue].filter(([accountId]) => !unreached.has(accountId)));
}
