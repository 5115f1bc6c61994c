// The outbox in D1, including competing inserts, lost responses, and many ids in one call.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { EndedDocument } from "../../../src/core/documents/document.ts";
import type { Delivery } from "../../../src/core/webhooks/delivery.ts";
import type { WebhookEvent } from "../../../src/core/webhooks/webhook-event.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { shardArchives } from "../../../src/platform/maintenance/row-archives.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import type { WebhookFilter } from "../../../src/ports/webhooks.ts";
import { audit, everything } from "../../fixtures/audit.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { completedDocument, eventOf, failureOf } from "../../fixtures/documents.ts";
import { callTimeoutMs } from "../app.ts";
import { insertAccountRow } from "../storage/account-row.ts";
import { losingD1 } from "../storage/spied-d1.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const documents = documentStore(singleDatabase(d1));
const webhooks = webhookStore(singleDatabase(d1));
const outbox = shardArchives(d1, d1).events;
const createdAt = Date.UTC(2026, 10, 21);
const minuteMs = 60_000;
const fresh: Delivery = { status: "pending", attempts: 0, nextAttemptAt: createdAt, round: 0, history: [] };
const attempt = { at: createdAt, durationMs: 5, status: 500, error: null, response: "no" };
const failedOnce: Delivery = { ...fresh, attempts: 1, nextAttemptAt: createdAt + minuteMs, history: [attempt] };
const delivered: Delivery = { ...failedOnce, status: "delivered", nextAttemptAt: null };

it("a document's event may have a payload with any characters", async () => {
  const document = completedDocument();
  const payload = JSON.stringify(["漢字 🎉", "'; DROP TABLE webhook_events; --", "a\u0000b", "\ud800"]);
  const event = eventOf(document, { payload });

  await documents.insert(document, event);

  expect((await pendingOf(event))[0]?.payload).toBe(payload);
});

it("a document is not stored if its event cannot be stored", async () => {
  const document = completedDocument();
  const event = { ...eventOf(document), url: null as unknown as string };

  await expect(documents.insert(document, event)).rejects.toThrow();

  expect(await documents.find(document.accountId, document.id)).toBeNull();
});

it.each(["{", "null", "[null]"])("an event with unreadable attempts (%s) is read with others", async (history) => {
  const [document, other] = [completedDocument(), completedDocument()];
  const events = [eventOf(document), { ...eventOf(other), accountId: document.accountId }];
  for (const event of events) await webhooks.insert(event);
  const update = env.DB.prepare("UPDATE webhook_events SET history = ? WHERE id = ?");
  await update.bind(history, events[0]?.id).run();

  const ids = events.map(({ id }) => id);
  const pending = await webhooks.pending(document.accountId, ids);

  const histories = Object.fromEntries(pending.map(({ id, delivery }) => [id, delivery.history]));
  expect(ids.map((id) => histories[id])).toMatchObject([[{ error: expect.stringContaining("unreadable") }], []]);
});

const base = completedDocument();
const rivals: { name: string; first: EndedDocument; second: EndedDocument }[] = [
  { name: "a failure that follows a completion", first: base, second: failureOf(base) },
  { name: "a completion that follows a failure", first: failureOf(base), second: base },
  { name: "a second completion with another file", first: base, second: { ...base, sha256: "f".repeat(64) } },
];

it.for(rivals)("an event is not stored for $name, when the first insert had no event", async (rival) => {
  const mine = { id: crypto.randomUUID(), accountId: crypto.randomUUID() };
  const second = { ...rival.second, ...mine };
  await documents.insert({ ...rival.first, ...mine });

  await documents.insert(second, eventOf(second));

  expect(await listOf(mine)).toEqual([]);
});

it("two concurrent inserts of one document store only the event of the stored document, and return that document to the other caller", async () => {
  const completed = completedDocument();
  const failed = failureOf(completed);

  const outcomes = await Promise.all(
    [completed, failed].map((document) => documents.insert(document, eventOf(document))),
  );

  const stored = await documents.find(completed.accountId, completed.id);
  const reported = outcomes.map((outcome) => (outcome.status === "existing" ? outcome.document.status : "mine"));
  expect(reported).toEqual(stored?.status === "completed" ? ["mine", "completed"] : ["failed", "mine"]);
  const events = await pendingOf(eventOf(completed));
  expect(events.map(({ payload }) => JSON.parse(payload).type)).toEqual([`document.${stored?.status}`]);
});

it("an event stays in the outbox when its document is deleted", async () => {
  const document = completedDocument();
  const event = eventOf(document);
  await documents.insert(document, event);

  await documents.remove(document.accountId, document.id);

  expect(await pendingOf(event)).toMatchObject([event]);
});

it("the pending events are the events with the given ids, each once, even if there are more ids than D1 can bind", async () => {
  const event = await added();
  await added({ accountId: event.accountId });
  const unknown = ["", "') OR 1=1 --", '"]', "\u0000", "\ud800", ...Array.from({ length: 500 }, (_, i) => `evt_${i}`)];

  const pending = await webhooks.pending(event.accountId, [...unknown, event.id, event.id]);

  expect(pending.map(({ id }) => id)).toEqual([event.id]);
});

it("a report is stored even if D1's response was lost", async () => {
  const event = await added();

  await webhookStore(singleDatabase(losingD1())).report(event.accountId, [{ eventId: event.id, delivery: delivered }]);

  expect((await listOf(event))[0]?.delivery).toEqual(delivered);
});

it("the outbox returns a new event as pending and due immediately, but only for its own account", async () => {
  const event = await added();

  expect(await webhooks.pending(event.accountId, [event.id, "evt_unknown"])).toEqual([{ ...event, delivery: fresh }]);
  expect(await webhooks.pending(crypto.randomUUID(), [event.id])).toEqual([]);
  expect(await webhooks.find(event.accountId, event.id)).toMatchObject({ ...event, delivery: fresh });
  expect(await webhooks.find(crypto.randomUUID(), event.id)).toBeNull();
});

it("the outbox no longer returns an event as pending after its delivery was reported", async () => {
  const { accountId, id: eventId } = await added();

  await webhooks.report(accountId, [{ eventId, delivery: failedOnce }]);
  expect(await webhooks.pending(accountId, [eventId])).toMatchObject([{ delivery: failedOnce }]);
  await webhooks.report(accountId, [{ eventId, delivery: delivered }]);

  expect(await webhooks.pending(accountId, [eventId])).toEqual([]);
  const { items } = await webhooks.list(accountId, {}, everything);
  expect(items).toMatchObject([{ id: eventId, delivery: delivered }]);
});

it("the outbox ignores an empty list of reports, and reports from another account or about an unknown event", async () => {
  const { accountId, id: eventId } = await added();

  await webhooks.report(crypto.randomUUID(), [{ eventId, delivery: delivered }]);
  await webhooks.report(accountId, [{ eventId: "evt_unknown", delivery: delivered }]);
  await webhooks.report(accountId, []);

  const { items } = await webhooks.list(accountId, {}, everything);
  expect(items).toMatchObject([{ id: eventId, delivery: fresh }]);
});

it("the outbox returns an event as overdue if its sender has not reported within ten seconds of its creation", async () => {
  const { accountId, id: eventId } = await added();

  expect(await overdueOf(accountId, createdAt + 9_999)).toEqual([]);
  expect(await overdueOf(accountId, createdAt + 10_000)).toEqual([eventId]);
  await webhooks.report(accountId, [{ eventId, delivery: failedOnce }]);

  expect(await overdueOf(accountId, createdAt + minuteMs)).toEqual([]);
});

it("the outbox returns at most `limit` overdue events, oldest first", async () => {
  const newer = await added({ createdAt: 3_000 });
  const older = await added({ createdAt: 2_000, accountId: newer.accountId });

  const [first, both] = [await outbox.overdue(20_000, 1), await outbox.overdue(20_000, 2)];

  expect([...first]).toEqual([[newer.accountId, [older.id]]]);
  expect([...both]).toEqual([[newer.accountId, [older.id, newer.id]]]);
  for (const { accountId, id } of [older, newer])
    await webhooks.report(accountId, [{ eventId: id, delivery: delivered }]);
});

it("the outbox lists an account's events newest first without payloads, and can filter them by status and document", async () => {
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

it("the outbox ignores reports from the previous round when an event is redelivered", async () => {
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

it("the outbox cannot redeliver an event that does not exist in the account", async () => {
  const { accountId, id: eventId } = await added();

  expect(await webhooks.redeliver("evt_unknown", audit(accountId))).toEqual([]);
  expect(await webhooks.redeliver(eventId, audit(crypto.randomUUID()))).toEqual([]);
});

it("the outbox redelivers the account's dead events that were created after a given time", async () => {
  const accountId = crypto.randomUUID();
  const [old, dead, pending] = [
    await added({ accountId }),
    await added({ accountId, createdAt: createdAt + 1 }),
    await added({ accountId, createdAt: createdAt + 2 }),
  ];
  for (const { id: eventId } of [old, dead])
    await webhooks.report(accountId, [{ eventId, delivery: { ...delivered, status: "dead" } }]);

  expect(await webhooks.redeliverDead(createdAt + 1, audit(accountId))).toEqual([dead.id]);

  const found = await webhooks.pending(accountId, [old.id, dead.id, pending.id]);
  expect(Object.fromEntries(found.map(({ id, delivery }) => [id, delivery.round]))).toEqual({
    [dead.id]: 1,
    [pending.id]: 0,
  });
});

it("an event that is redelivered is pending again, and `redeliver` returns its id, even if D1's response was lost", async () => {
  const event = await added();
  await webhooks.report(event.accountId, [{ eventId: event.id, delivery: { ...delivered, status: "dead" } }]);

  const found = await webhookStore(singleDatabase(losingD1("batch"))).redeliver(
    event.id,
    audit(event.accountId, { createdAt }),
  );

  expect(found).toEqual([event.id]);
  expect((await pendingOf(event))[0]?.delivery).toMatchObject({ status: "pending", attempts: 0 });
});

/** Stores an event with its document. */
async function added(rest: Partial<WebhookEvent> = {}): Promise<WebhookEvent> {
  const event = eventOf(completedDocument({ createdAt }), rest);
  const { documentId: id, accountId } = event;
  await insertAccountRow(accountId);
  await documents.insert(completedDocument({ id, accountId }), event);
  return event;
}

async function overdueOf(accountId: string, nowMs: number): Promise<string[]> {
  return (await outbox.overdue(nowMs, 1_000)).get(accountId) ?? [];
}

async function listOf({ accountId }: Pick<WebhookEvent, "accountId">, filter: WebhookFilter = {}) {
  return (await webhooks.list(accountId, filter, everything)).items;
}

function pendingOf({ accountId, id }: WebhookEvent) {
  return webhooks.pending(accountId, [id]);
}
