// Tests the outbox in a real D1. If several inserts of one document compete, only the insert that succeeds stores its
// event. An event's delivery has the state that was reported last.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { webhookEventOf, type WebhookEvent } from "../../../src/core/webhooks/webhook-event.ts";
import { type DeliveryAttempt, type Delivery } from "../../../src/core/webhooks/delivery.ts";
import type { CompletedDocument, StoredDocument } from "../../../src/core/documents/document.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { completedDocument, failedDocument, failureOf } from "../../fixtures/documents.ts";
import { callTimeoutMs } from "../app.ts";
import { insertAccountRow } from "../storage/account-row.ts";
import { losingD1 } from "../storage/spied-d1.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const documents = documentStore(d1);
const webhooks = webhookStore(d1);
const createdAt = Date.UTC(2026, 10, 21);
const url = "https://hooks.receiver.dev/hook";

describe("a document's event", () => {
  it.for([completedDocument(), failedDocument()])(
    "is stored unchanged for a document that is $status",
    async (document) => {
      const event = eventOf(document);

      const outcome = await documents.insert(document, event);

      expect(outcome).toEqual({ status: "inserted" });
      expect(await pendingOf(event)).toEqual([
        { ...event, delivery: { status: "pending", attempts: 0, nextAttemptAt: createdAt, round: 0, history: [] } },
      ]);
    },
  );

  it("is stored only if it is inserted with the document", async () => {
    const document = completedDocument();

    await documents.insert(document);

    expect(await webhooks.list(document.accountId)).toEqual([]);
  });

  it("may have a payload with any characters", async () => {
    const document = completedDocument({
      warnings: ["漢字 🎉", "'; DROP TABLE webhook_events; --", "a\u0000b", "\ud800"],
    });
    const event = eventOf(document);

    await documents.insert(document, event);

    expect((await pendingOf(event))[0]?.payload).toBe(event.payload);
  });

  it("is stored once, even if the insert is repeated", async () => {
    const document = completedDocument();
    const event = eventOf(document);
    await documents.insert(document, event);

    const outcome = await documents.insert(document, { ...event, payload: "{}", createdAt: createdAt + 1 });

    expect(outcome).toEqual({ status: "inserted" });
    expect(await pendingOf(event)).toMatchObject([event]);
  });

  it("is stored once, even if the response to the insert was lost", async () => {
    const document = completedDocument();
    const event = eventOf(document);

    const outcome = await documentStore(losingD1("batch")).insert(document, event);

    expect(outcome).toEqual({ status: "inserted" });
    expect(await pendingOf(event)).toMatchObject([event]);
  });

  it("prevents the document from being stored if the event itself cannot be stored", async () => {
    const document = completedDocument();
    const event = { ...eventOf(document), url: null as unknown as string };

    await expect(documents.insert(document, event)).rejects.toThrow();

    expect(await documents.find(document.accountId, document.id)).toBeNull();
  });
});

describe("an event is not stored", () => {
  const base = completedDocument();
  const rivals: { name: string; first: StoredDocument; second: StoredDocument }[] = [
    { name: "a failure that follows a completion", first: base, second: failureOf(base) },
    { name: "a completion that follows a failure", first: failureOf(base), second: base },
    {
      name: "a second completion with another file",
      first: base,
      second: { ...base, sha256: "f".repeat(64) },
    },
    {
      name: "a second failure for another reason",
      first: failureOf(base),
      second: { ...failureOf(base), error: { code: "RENDER_FAILED", message: "Another reason." } },
    },
  ];
  const fresh = ({ first, second }: (typeof rivals)[number]) => {
    const mine = { id: crypto.randomUUID(), accountId: crypto.randomUUID() };
    return [
      { ...first, ...mine },
      { ...second, ...mine },
    ] as const;
  };

  it.for(rivals)("for $name, and the first event remains", async (rival) => {
    const [first, second] = fresh(rival);
    const event = eventOf(first);
    await documents.insert(first, event);

    await documents.insert(second, eventOf(second));

    expect(await pendingOf(event)).toMatchObject([{ payload: event.payload }]);
  });

  it.for(rivals)("for $name, even if the first insert had no event", async (rival) => {
    const [first, second] = fresh(rival);
    await documents.insert(first);

    await documents.insert(second, eventOf(second));

    expect(await webhooks.list(first.accountId)).toEqual([]);
  });

  it("for a document that was deleted in the meantime", async () => {
    const document = completedDocument();
    await documents.insert(document);
    await documents.remove(document.accountId, document.id);

    const outcome = await documents.insert(document, eventOf(document));

    expect(outcome).toEqual({ status: "deleted" });
    expect(await webhooks.list(document.accountId)).toEqual([]);
  });
});

describe("two concurrent inserts of one document", () => {
  it.for(Array.from({ length: 10 }, (_, run) => run))(
    "store only the event of the stored document (run %i)",
    async () => {
      const completed = completedDocument();
      const failed = failureOf(completed);

      await Promise.all([documents.insert(completed, eventOf(completed)), documents.insert(failed, eventOf(failed))]);

      const stored = await documents.find(completed.accountId, completed.id);
      const events = await pendingOf(eventOf(completed));
      expect(events.map(({ payload }) => JSON.parse(payload).type)).toEqual([`document.${stored?.status}`]);
    },
  );
});

it("an event stays in the outbox when its document is deleted", async () => {
  const document = completedDocument();
  const event = eventOf(document);
  await documents.insert(document, event);

  await documents.remove(document.accountId, document.id);

  expect(await pendingOf(event)).toMatchObject([event]);
});

describe("the pending events with the given ids", () => {
  it.for(["delivered", "dead"] as const)("exclude events that are %s", async (status) => {
    const event = await writeEvent();
    const other = await writeEvent({ accountId: event.accountId });
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: endedDelivery(status) }]);

    const pending = await webhooks.pending(event.accountId, [event.id, other.id]);

    expect(pending.map(({ id }) => id)).toEqual([other.id]);
  });

  it("include no other events of the account", async () => {
    const event = await writeEvent();
    await writeEvent({ accountId: event.accountId });

    expect((await pendingOf(event)).map(({ id }) => id)).toEqual([event.id]);
  });

  it("include no events of another account", async () => {
    const event = await writeEvent();

    expect(await webhooks.pending(crypto.randomUUID(), [event.id])).toEqual([]);
  });

  it("are an empty list for no ids and for unknown ids", async () => {
    const { accountId } = await writeEvent();

    const found = [
      await webhooks.pending(accountId, []),
      await webhooks.pending(accountId, ["", "evt_none", "') OR 1=1 --", '"]', "\u0000", "\ud800"]),
    ];

    expect(found).toEqual([[], []]);
  });

  it("are each returned once, even if there are more ids than D1 can bind as parameters", async () => {
    const event = await writeEvent();
    const ids = Array.from({ length: 500 }, (_, index) => `evt_${index}`);

    const pending = await webhooks.pending(event.accountId, [...ids, event.id, event.id]);

    expect(pending.map(({ id }) => id)).toEqual([event.id]);
  });
});

describe("a report", () => {
  const attempt = (at: number): DeliveryAttempt => ({
    at,
    durationMs: 7,
    status: 500,
    error: "responded with 500",
    response: "漢字 🎉 '; --",
  });

  it("replaces the stored state of the event's delivery", async () => {
    const event = await writeEvent();
    const delivery: Delivery = {
      status: "pending",
      attempts: 2,
      nextAttemptAt: createdAt + 5_000,
      round: 0,
      history: [attempt(2), attempt(1)],
    };

    await webhooks.report(event.accountId, [{ eventId: event.id, delivery }]);

    expect(await pendingOf(event)).toEqual([{ ...event, delivery }]);
  });

  it("can cover many events at once", async () => {
    const { accountId } = await writeEvent();
    const events = await Promise.all(Array.from({ length: 60 }, () => writeEvent({ accountId })));

    await webhooks.report(
      accountId,
      events.map(({ id }) => ({ eventId: id, delivery: endedDelivery("delivered") })),
    );

    expect((await webhooks.list(accountId, "delivered")).length).toBe(60);
    expect((await webhooks.list(accountId, "pending")).length).toBe(1);
  });

  it("without events does nothing", async () => {
    await expect(webhooks.report(crypto.randomUUID(), [])).resolves.toBeUndefined();
  });

  it("from another account changes nothing", async () => {
    const event = await writeEvent();
    const before = await pendingOf(event);

    await webhooks.report(crypto.randomUUID(), [{ eventId: event.id, delivery: endedDelivery("delivered") }]);

    expect(await pendingOf(event)).toEqual(before);
  });

  it("about an unknown event is ignored", async () => {
    const event = await writeEvent();

    await webhooks.report(event.accountId, [
      { eventId: "evt_none", delivery: endedDelivery("dead") },
      { eventId: event.id, delivery: endedDelivery("delivered") },
    ]);

    expect((await webhooks.list(event.accountId)).map(({ delivery }) => delivery.status)).toEqual(["delivered"]);
  });

  it("is stored even if D1's response was lost", async () => {
    const event = await writeEvent();

    await webhookStore(losingD1()).report(event.accountId, [
      { eventId: event.id, delivery: endedDelivery("delivered") },
    ]);

    expect((await webhooks.list(event.accountId))[0]?.delivery).toEqual(endedDelivery("delivered"));
  });
});

describe("the list of overdue events", () => {
  // Earlier than any event of the other tests. The list begins with the oldest events of all accounts, so these come first.
  const longAgo = 1_000;
  beforeEach(() => env.DB.prepare("DELETE FROM webhook_events WHERE created_at < 100000").run());

  it("includes an event ten seconds after it was created, and not before", async () => {
    const event = await writeEvent({}, longAgo);

    const found = [await webhooks.overdue(longAgo + 9_999, 10), await webhooks.overdue(longAgo + 10_000, 10)];

    expect(found).toEqual([new Map(), new Map([[event.accountId, [event.id]]])]);
  });

  it("excludes an event that its sender has stored, even if the event is pending", async () => {
    const event = await writeEvent({}, longAgo);
    const delivery: Delivery = { status: "pending", attempts: 1, nextAttemptAt: longAgo, round: 0, history: [] };
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery }]);

    expect(await webhooks.overdue(longAgo + 99_999, 10)).toEqual(new Map());
  });

  it("includes an event at once when the operator redelivers it", async () => {
    const event = await writeEvent({}, longAgo);
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: endedDelivery("dead") }]);

    await webhooks.redeliver(event.id, longAgo + 50_000);

    expect(await webhooks.overdue(longAgo + 50_000, 10)).toEqual(new Map([[event.accountId, [event.id]]]));
  });

  it("includes a postponed event from its new time on, unless its sender has stored the event", async () => {
    const [undispatched, stored] = [await writeEvent({}, longAgo), await writeEvent({}, longAgo)];
    const delivery: Delivery = { status: "pending", attempts: 1, nextAttemptAt: longAgo, round: 0, history: [] };
    await webhooks.report(stored.accountId, [{ eventId: stored.id, delivery }]);

    for (const { accountId, id } of [undispatched, stored]) await webhooks.postpone(accountId, [id], longAgo + 70_000);

    const found = [await webhooks.overdue(longAgo + 69_999, 10), await webhooks.overdue(longAgo + 70_000, 10)];
    expect(found).toEqual([new Map(), new Map([[undispatched.accountId, [undispatched.id]]])]);
  });

  it("includes the oldest events up to the limit, grouped by account", async () => {
    const first = await writeEvent({}, longAgo);
    const other = await writeEvent({}, longAgo + 1);
    const second = await writeEvent({ accountId: first.accountId }, longAgo + 2);
    await writeEvent({}, longAgo + 3);

    const overdue = await webhooks.overdue(longAgo + 99_000, 3);

    expect([...overdue]).toEqual([
      [first.accountId, [first.id, second.id]],
      [other.accountId, [other.id]],
    ]);
  });
});

describe("the operator's list", () => {
  it("orders events newest first and then by id, and omits payloads", async () => {
    const { accountId } = await writeEvent({}, createdAt);
    for (const at of [2, 1, 2, 2, 2, 2].map((ms) => createdAt + ms)) await writeEvent({ accountId }, at);

    const listed = await webhooks.list(accountId);

    const expected = listed.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    expect(listed).toEqual(expected);
    expect(listed.length).toBe(7);
    expect(listed.some((row) => "payload" in row)).toBe(false);
  });

  it("has the URL, the document and the delivery of each event", async () => {
    const { payload: _, ...event } = await writeEvent();
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: endedDelivery("dead") }]);

    expect(await webhooks.list(event.accountId)).toEqual([{ ...event, delivery: endedDelivery("dead") }]);
  });

  it.for(["pending", "delivered", "dead"] as const)("can be restricted to events that are %s", async (status) => {
    const pending = await writeEvent();
    const { accountId } = pending;
    const delivered = await writeEvent({ accountId });
    const dead = await writeEvent({ accountId });
    await webhooks.report(accountId, [
      { eventId: delivered.id, delivery: endedDelivery("delivered") },
      { eventId: dead.id, delivery: endedDelivery("dead") },
    ]);

    const listed = await webhooks.list(accountId, status);

    expect(listed.map(({ id }) => id)).toEqual([{ pending, delivered, dead }[status].id]);
  });

  it("has no events of another account", async () => {
    await writeEvent();

    expect(await webhooks.list(crypto.randomUUID())).toEqual([]);
  });
});

describe("an event that is redelivered", () => {
  it.for(["delivered", "dead"] as const)(
    "is pending in a new round, even if its delivery had ended (%s)",
    async (status) => {
      const event = await writeEvent();
      await webhooks.report(event.accountId, [{ eventId: event.id, delivery: endedDelivery(status) }]);

      const found = await webhooks.redeliver(event.id, createdAt + 60_000);

      expect(found).toBe(true);
      expect(await pendingOf(event)).toEqual([
        {
          ...event,
          delivery: {
            ...endedDelivery(status),
            status: "pending",
            round: 1,
            attempts: 0,
            nextAttemptAt: createdAt + 60_000,
          },
        },
      ]);
    },
  );

  it("must exist, or `redeliver` returns false", async () => {
    expect(await webhooks.redeliver("evt_none", createdAt)).toBe(false);
  });

  it("does not affect other events", async () => {
    const event = await writeEvent();
    const other = await writeEvent({ accountId: event.accountId });
    const before = await pendingOf(other);

    await webhooks.redeliver(event.id, createdAt + 60_000);

    expect(await pendingOf(other)).toEqual(before);
  });

  it("ignores a report about the previous round, and stays due", async () => {
    const event = await writeEvent();
    await webhooks.redeliver(event.id, createdAt + 60_000);
    const before = await pendingOf(event);

    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: endedDelivery("delivered") }]);

    expect(await pendingOf(event)).toEqual(before);
    const overdue = await webhooks.overdue(createdAt + 60_000, 100_000);
    expect(overdue.get(event.accountId)).toEqual([event.id]);
  });

  it("takes its state from a report about its current round", async () => {
    const event = await writeEvent();
    await webhooks.redeliver(event.id, createdAt + 60_000);

    await webhooks.report(event.accountId, [
      { eventId: event.id, delivery: { ...endedDelivery("delivered"), round: 1 } },
    ]);

    expect((await webhooks.list(event.accountId))[0]?.delivery).toEqual({ ...endedDelivery("delivered"), round: 1 });
  });

  it("gets a new round with every redelivery", async () => {
    const event = await writeEvent();

    for (let i = 0; i < 3; i++) await webhooks.redeliver(event.id, createdAt + i);

    expect((await pendingOf(event))[0]?.delivery.round).toBe(3);
  });

  it("is pending again, and `redeliver` returns true, even if D1's response was lost", async () => {
    const event = await writeEvent();
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: endedDelivery("dead") }]);

    const found = await webhookStore(losingD1()).redeliver(event.id, createdAt);

    expect(found).toBe(true);
    expect((await pendingOf(event))[0]?.delivery).toMatchObject({ status: "pending", attempts: 0 });
  });
});

function eventOf(document: StoredDocument, nowMs = createdAt): WebhookEvent {
  return webhookEventOf(document, { url, cdnUrl: "https://files.test/files", nowMs });
}

/** Inserts a document and its event, and returns the event. Uses a new account unless `rest` has an account id. */
async function writeEvent(rest: Partial<CompletedDocument> = {}, nowMs = createdAt): Promise<WebhookEvent> {
  const document = completedDocument(rest);
  await insertAccountRow(document.accountId);
  const event = eventOf(document, nowMs);
  await documents.insert(document, event);
  return event;
}

function pendingOf({ accountId, id }: WebhookEvent) {
  return webhooks.pending(accountId, [id]);
}

function endedDelivery(status: "delivered" | "dead"): Delivery {
  const attempt = { at: createdAt, durationMs: 5, status: 204, error: null, response: "" };
  return { status, attempts: 1, nextAttemptAt: null, round: 0, history: [attempt] };
}
