import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Delivery } from "../../../src/core/webhooks/delivery.ts";
import type { WebhookEvent } from "../../../src/core/webhooks/webhook-event.ts";
import type { WebhookFilter } from "../../../src/ports/webhooks.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { audit, everything } from "../../fixtures/audit.ts";
import { completedDocument, eventOf } from "../../fixtures/documents.ts";
import { insertAccountRow } from "../storage/account-row.ts";

const { documents } = requestServices(env, () => {});
const { webhooks } = operatorServices(env);
const minuteMs = 60_000;
const createdAt = Date.UTC(2026, 10, 21);
const fresh: Delivery = { status: "pending", attempts: 0, nextAttemptAt: createdAt, round: 0, history: [] };
const attempt = { at: createdAt, durationMs: 5, status: 500, error: null, response: "no" };
const failedOnce: Delivery = { ...fresh, attempts: 1, nextAttemptAt: createdAt + minuteMs, history: [attempt] };
const delivered: Delivery = { ...failedOnce, status: "delivered", nextAttemptAt: null };

describe("the outbox", () => {
  /** Stores the event with its document. */
  const add = async (event: WebhookEvent) => {
    const { documentId: id, accountId } = event;
    await insertAccountRow(accountId);
    await documents.insert(completedDocument({ id, accountId }), event);
    return event;
  };
  const added = (rest: Partial<WebhookEvent> = {}) => add(eventOf(completedDocument({ createdAt }), rest));
  const overdueOf = async (accountId: string, nowMs: number) =>
    (await webhooks.overdue(nowMs, 1_000)).get(accountId) ?? [];

  it("returns a new event as pending and due at once, but only for its own account", async () => {
    const event = await added();

    expect(await webhooks.pending(event.accountId, [event.id, "evt_unknown"])).toEqual([{ ...event, delivery: fresh }]);
    expect(await webhooks.pending(crypto.randomUUID(), [event.id])).toEqual([]);
  });

  it("no longer returns an event as pending after a report of its delivery", async () => {
    const { accountId, id: eventId } = await added();

    await webhooks.report(accountId, [{ eventId, delivery: failedOnce }]);
    expect(await webhooks.pending(accountId, [eventId])).toMatchObject([{ delivery: failedOnce }]);
    await webhooks.report(accountId, [{ eventId, delivery: delivered }]);

    expect(await webhooks.pending(accountId, [eventId])).toEqual([]);
    const { items } = await webhooks.list(accountId, {}, everything);
    expect(items).toMatchObject([{ id: eventId, delivery: delivered }]);
  });

  it("ignores an empty list of reports, and reports from another account or about an unknown event", async () => {
    const { accountId, id: eventId } = await added();

    await webhooks.report(crypto.randomUUID(), [{ eventId, delivery: delivered }]);
    await webhooks.report(accountId, [{ eventId: "evt_unknown", delivery: delivered }]);
    await webhooks.report(accountId, []);

    const { items } = await webhooks.list(accountId, {}, everything);
    expect(items).toMatchObject([{ id: eventId, delivery: fresh }]);
  });

  it("returns an event as overdue if its sender has not reported within ten seconds of its creation", async () => {
    const { accountId, id: eventId } = await added();

    expect(await overdueOf(accountId, createdAt + 9_999)).toEqual([]);
    expect(await overdueOf(accountId, createdAt + 10_000)).toEqual([eventId]);
    await webhooks.report(accountId, [{ eventId, delivery: failedOnce }]);

    expect(await overdueOf(accountId, createdAt + minuteMs)).toEqual([]);
  });

  it("returns at most `limit` overdue events, the oldest first", async () => {
    const document = completedDocument({ createdAt: 1_000 });
    const [older, newer] = [
      eventOf(document, { createdAt: 2_000 }),
      eventOf(completedDocument({ accountId: document.accountId }), { createdAt: 3_000 }),
    ];
    for (const event of [newer, older]) await add(event);

    const [first, both] = [await webhooks.overdue(20_000, 1), await webhooks.overdue(20_000, 2)];

    expect([...first]).toEqual([[document.accountId, [older.id]]]);
    expect([...both]).toEqual([[document.accountId, [older.id, newer.id]]]);
    for (const { accountId, id } of [older, newer])
      await webhooks.report(accountId, [{ eventId: id, delivery: delivered }]);
  });

  it("lists an account's events without payloads, newest first, and can filter the list by status and document", async () => {
    const accountId = crypto.randomUUID();
    const [older, newer] = [await added({ accountId }), await added({ accountId, createdAt: createdAt + 1 })];
    await webhooks.report(accountId, [{ eventId: older.id, delivery: delivered }]);
    const { payload: _, ...newest } = newer;

    const idsOf = async (filter: WebhookFilter) =>
      (await webhooks.list(accountId, filter, everything)).items.map(({ id }) => id);
    const { items, ...listed } = await webhooks.list(accountId, {}, everything);

    expect(items[0]).toMatchObject({ ...newest, delivery: { ...fresh, nextAttemptAt: createdAt + 1 } });
    expect(items[0]).not.toHaveProperty("payload");
    expect(listed).toEqual({ more: null, total: 2 });
    expect(await idsOf({})).toEqual([newer.id, older.id]);
    expect(await idsOf({ status: "delivered" })).toEqual([older.id]);
    expect(await idsOf({ documentId: newer.documentId })).toEqual([newer.id]);
  });

  it("ignores reports from the previous round when an event is redelivered", async () => {
    const { accountId, id: eventId } = await added();
    await webhooks.report(accountId, [{ eventId, delivery: delivered }]);
    const nowMs = createdAt + minuteMs;
    const again = { ...delivered, status: "pending", attempts: 0, nextAttemptAt: nowMs, round: 1 };

    expect(await webhooks.redeliver(eventId, audit(accountId, { createdAt: nowMs }))).toEqual([eventId]);
    await webhooks.report(accountId, [{ eventId, delivery: failedOnce }]);

    expect(await webhooks.pending(accountId, [eventId])).toMatchObject([{ delivery: again }]);
    expect(await webhooks.find(accountId, eventId)).toMatchObject({ earlierAttempts: delivered.attempts });
    expect(await overdueOf(accountId, nowMs)).toEqual([eventId]);
  });

  it("cannot redeliver an event that does not exist in the account", async () => {
    const { accountId, id: eventId } = await added();

    expect(await webhooks.redeliver("evt_unknown", audit(accountId))).toEqual([]);
    expect(await webhooks.redeliver(eventId, audit(crypto.randomUUID()))).toEqual([]);
  });

  it("redelivers the account's dead events that were created since a time", async () => {
    const accountId = crypto.randomUUID();
    const [old, dead, pending] = [
      await added({ accountId }),
      await added({ accountId, createdAt: createdAt + 1 }),
      await added({ accountId, createdAt: createdAt + 2 }),
    ];
    for (const { id: eventId } of [old, dead])
      await webhooks.report(accountId, [{ eventId, delivery: { ...delivered, status: "dead" } }]);

    expect(await webhooks.redeliverDead(createdAt + 1, audit(accountId))).toEqual([dead.id]);

    const ids = [old.id, dead.id, pending.id];
    const found = (await webhooks.pending(accountId, ids)).map(({ id, delivery }) => [id, delivery.round]);
    expect(found.toSorted()).toEqual(
      [
        [dead.id, 1],
        [pending.id, 0],
      ].toSorted(),
    );
  });

  it("finds an event with its payload in its own account", async () => {
    const event = await added();

    expect(await webhooks.find(event.accountId, event.id)).toMatchObject({ ...event, delivery: fresh });
    expect(await webhooks.find(crypto.randomUUID(), event.id)).toBeNull();
  });
});
