// A webhook store that keeps the outbox in memory.
import type { Delivery } from "../../src/core/webhooks/delivery.ts";
import type { WebhookEvent } from "../../src/core/webhooks/webhook-event.ts";
import { newestFirst } from "../../src/core/pagination.ts";
import type { WebhookStore } from "../../src/ports/webhooks.ts";

/**
 * `dispatchAt` is the time from which the event is overdue, in ms since the epoch. It is null once the webhook sender has
 * reported on the event.
 */
type Entry = { event: WebhookEvent; delivery: Delivery; dispatchAt: number | null };

export type FakeWebhookStore = WebhookStore & { add(event: WebhookEvent): void };

const dispatchWithinMs = 10_000;

export function fakeWebhookStore(): FakeWebhookStore {
  const entries = new Map<string, Entry>();
  const entriesOf = (accountId: string, eventIds: string[]) =>
    [...entries.values()].filter(({ event }) => event.accountId === accountId && eventIds.includes(event.id));
  const add = (event: WebhookEvent) => {
    const { createdAt } = event;
    const delivery: Delivery = { status: "pending", attempts: 0, nextAttemptAt: createdAt, round: 0, history: [] };
    entries.set(event.id, { event, delivery, dispatchAt: createdAt + dispatchWithinMs });
  };
  return {
    add,
    insert: async (event) => {
      if (!entries.has(event.id)) add(event);
    },
    pending: async (accountId, eventIds) =>
      entriesOf(accountId, eventIds)
        .filter(({ delivery }) => delivery.status === "pending")
        .map(({ event, delivery }) => ({ ...event, delivery })),
    report: async (accountId, reports) => {
      for (const { eventId, delivery } of reports) {
        for (const entry of entriesOf(accountId, [eventId])) {
          if (entry.delivery.round !== delivery.round) continue;
          entries.set(eventId, { event: entry.event, delivery: structuredClone(delivery), dispatchAt: null });
        }
      }
    },
    overdue: async (nowMs, limit) => {
      const overdue = [...entries.values()]
        .flatMap(({ event, dispatchAt }) => (dispatchAt === null ? [] : [{ event, dispatchAt }]))
        .filter(({ dispatchAt }) => dispatchAt <= nowMs)
        .toSorted((a, b) => a.dispatchAt - b.dispatchAt)
        .slice(0, limit);
      const byAccount = Map.groupBy(overdue, ({ event }) => event.accountId);
      return new Map([...byAccount].map(([accountId, found]) => [accountId, found.map(({ event }) => event.id)]));
    },
    list: async (accountId, status) =>
      [...entries.values()]
        .filter(
          ({ event, delivery }) => event.accountId === accountId && (status ?? delivery.status) === delivery.status,
        )
        .toSorted((a, b) => newestFirst(a.event, b.event))
        .map(({ event: { payload: _, ...summary }, delivery }) => ({ ...summary, delivery })),
    redeliver: async (eventId, nowMs) => {
      const entry = entries.get(eventId);
      if (!entry) return false;
      const { history, round } = entry.delivery;
      entry.delivery = { status: "pending", attempts: 0, nextAttemptAt: nowMs, round: round + 1, history };
      entry.dispatchAt = nowMs;
      return true;
    },
  };
}
