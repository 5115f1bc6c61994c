// Brings events to their senders: those that a message names, and those that the outbox says were left behind.
import type { EventAddress } from "../../core/webhooks/webhook-event.ts";
import type { DispatchServices } from "../../ports.ts";

/** More than this are left for the next run of the clock. */
const maxOverdue = 1_000;
/** Events of a sender that could not be reached make way for others, ms. */
const unreachedForMs = 60_000;
/** One call names at most so many events. */
const eventsACall = 100;

/** The accounts whose sender could not be reached; the others have taken theirs. */
export async function dispatchWebhooks(
  { senders, log }: DispatchServices,
  byAccount: Map<string, string[]>,
): Promise<Set<string>> {
  const unreached = new Set<string>();
  const dispatchAll = async (accountId: string, eventIds: string[]) => {
    try {
      for (let from = 0; from < eventIds.length; from += eventsACall) {
        await senders.accept(accountId, eventIds.slice(from, from + eventsACall));
      }
    } catch (cause) {
      log("warn", { event: "webhook.dispatch_failed", accountId, events: eventIds.length, cause });
      unreached.add(accountId);
    }
  };
  await Promise.all([...byAccount].map(([accountId, eventIds]) => dispatchAll(accountId, eventIds)));
  return unreached;
}

/** What a lost message left. */
export async function dispatchOverdueWebhooks(services: DispatchServices): Promise<void> {
  const { webhooks, now } = services;
  const overdue = await webhooks.overdue(now(), maxOverdue);
  const unreached = await dispatchWebhooks(services, overdue);
  const putOff = [...unreached].map((accountId) =>
    webhooks.putOff(accountId, overdue.get(accountId) ?? [], now() + unreachedForMs),
  );
  await Promise.all(putOff);
}

export function groupByAccount(events: EventAddress[]): Map<string, string[]> {
  const byAccount = new Map<string, Set<string>>();
  for (const { accountId, eventId } of events) {
    const known = byAccount.get(accountId) ?? new Set<string>();
    byAccount.set(accountId, known.add(eventId));
  }
  return new Map([...byAccount].map(([accountId, eventIds]) => [accountId, [...eventIds]]));
}
