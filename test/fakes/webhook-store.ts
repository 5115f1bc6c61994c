// A webhook store that keeps the outbox in memory.
import type { Delivery } from "../../src/core/webhooks/delivery.ts";
import type { WebhookEvent } from "../../src/core/webhooks/webhook-event.ts";
import type { AuditEvent } from "../../src/ports/accounts.ts";
import type { WebhookStore } from "../../src/ports/webhooks.ts";
import { pageOf } from "./state.ts";

/**
 * `dispatchAt` is the time from which the event is overdue, in ms since the epoch. It is null once the webhook sender has
 * reported on the event.
 */
type Entry = { earlierAttempts: number; event: WebhookEvent; delivery: Delivery; dispatchAt: number | null };

export type FakeWebhookStore = WebhookStore & { add(event: WebhookEvent): void };

const dispatchWithinMs = 10_000;

export function fakeWebhookStore(): FakeWebhookStore {
  const entries = new Map<string, Entry>();
  const entriesOf = (accountId: string, eventIds: string[]) =>
    [...entries.values()].filter(({ event }) => event.accountId === accountId && eventIds.includes(event.id));
  const add = (event: WebhookEvent) => {
    const { createdAt } = event;
    const delivery: Delivery = { status: "pending", attempts: 0, nextAttemptAt: createdAt, round: 0, history: [] };
    entries.set(event.id, { earlierAttempts: 0, event, delivery, dispatchAt: createdAt + dispatchWithinMs });
  };
  const redeliver = async ({ accountId, createdAt }: AuditEvent, isMeant: (entry: Entry) => boolean) => {
    const meant = [...entries.values()].filter((entry) => entry.event.accountId === accountId && isMeant(entry));
    for (const entry of meant) {
      const { history, round, attempts } = entry.delivery;
      entry.earlierAttempts += attempts;
      entry.delivery = { status: "pending", attempts: 0, nextAttemptAt: createdAt, round: round + 1, history };
      entry.dispatchAt = createdAt;
    }
    return meant.map(({ event }) => event.id);
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
          entries.set(eventId, { ...entry, delivery: structuredClone(delivery), dispatchAt: null });
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
    list: async (accountId, { status, documentId }, page) => {
      const mine = [...entries.values()].filter(
        ({ event, delivery }) =>
          event.accountId === accountId &&
          (status ?? delivery.status) === delivery.status &&
          (documentId ?? event.documentId) === event.documentId,
      );
      return pageOf(
        mine.map(({ event: { payload: _, ...summary }, delivery, earlierAttempts }) => {
          return { ...summary, delivery, earlierAttempts };
        }),
        page,
      );
    },
    find: async (accountId, eventId) => {
      const [entry] = entriesOf(accountId, [eventId]);
      return entry ? { ...entry.event, delivery: entry.delivery, earlierAttempts: entry.earlierAttempts } : null;
    },
    redeliver: (eventId, audit) => redeliver(audit, ({ event }) => event.id === eventId),
    redeliverDead: (sinceMs, audit) =>
      redeliver(audit, ({ event, delivery }) => delivery.status === "dead" && event.createdAt >= sinceMs),
  };
}
