// Sends many events at once to a receiver that fails nearly half of its requests. Each event has two queue messages.
// `npm run test:all` sends 300 events, and `npm run test:long` sends 10,000.
import { env } from "cloudflare:workers";
import { expect, inject, it, vi } from "vitest";
import type { EventAddress } from "../../src/core/webhooks/webhook-event.ts";
import { listOf, newAccount, received, recordEvent, urlOf, type Account } from "./outbox.ts";

const events = Number(env.STORM_EVENTS ?? 300);
const accounts = 10;
const timeoutMs = 60_000 + events * 60;

async function sendTwice(messages: EventAddress[]): Promise<void> {
  for (let from = 0; from < messages.length; from += 50) {
    const part = messages.slice(from, from + 50).map((body) => ({ body }));
    await env.WEBHOOKS.sendBatch([...part, ...part]);
  }
}

/** Throws if any event of the account has not been attempted yet. */
async function allAttempted(account: Account): Promise<void> {
  const rows = await listOf(account);
  const open = rows.filter(({ delivery }) => delivery.attempts === 0);
  if (open.length > 0) throw new Error(`${open.length} events were not attempted yet`);
}

it(
  `each of ${events} events is delivered or waits for its next attempt, and no event is sent again after a 200`,
  async () => {
    const tenants = await Promise.all(Array.from({ length: accounts }, newAccount));
    const created: EventAddress[] = [];
    await Promise.all(
      tenants.map(async (account) => {
        for (let index = 0; index < events / accounts; index++) {
          const eventId = await recordEvent(account, urlOf(account, "storm"), { send: false });
          created.push({ accountId: account.accountId, eventId });
        }
      }),
    );

    await sendTwice(created);
    for (const account of tenants) await vi.waitFor(() => allAttempted(account), { timeout: timeoutMs, interval: 500 });

    const messages = (await Promise.all(tenants.map(received))).flat();
    const rows = (await Promise.all(tenants.map(listOf))).flat();
    const pending = rows.filter(({ delivery }) => delivery.status === "pending");
    const delivered = rows.filter(({ delivery }) => delivery.status === "delivered");
    console.log(
      `${inject("receiverOrigin")}: ${messages.length} requests, ${delivered.length} delivered, ${pending.length} pending`,
    );
    expect(new Set(messages.map(({ id }) => id))).toEqual(new Set(created.map(({ eventId }) => eventId)));
    expect(rows).toHaveLength(created.length);
    expect(delivered.length + pending.length).toBe(created.length);
    expect(pending.filter(({ delivery }) => delivery.nextAttemptAt === null)).toEqual([]);
    const requestsById = Map.groupBy(messages, ({ id }) => id);
    // Checks the service's own records, because the service treats a 200 that arrives after the timeout as a failure.
    const sentAgain = rows.filter(({ delivery }) => delivery.history.slice(1).some(({ status }) => status === 200));
    expect(sentAgain).toEqual([]);
    const attemptsById = new Map(rows.map(({ id, delivery }) => [id, delivery.attempts]));
    const sentOften = [...requestsById].filter(([id, requests]) => requests.length > (attemptsById.get(id) ?? 0) + 1);
    expect(sentOften).toEqual([]);
  },
  timeoutMs,
);
