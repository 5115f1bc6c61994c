// The outbox in a real D1: an event is there exactly when its document's insert won, and its delivery stands as reported.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { webhookEventOf, type WebhookEvent } from "../../../src/core/webhooks/webhook-event.ts";
import { type DeliveryAttempt, type Delivery } from "../../../src/core/webhooks/delivery.ts";
import {
  newFileKey,
  type CompletedDocument,
  type FailedDocument,
  type StoredDocument,
} from "../../../src/core/documents/document.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { callTimeoutMs } from "../app.ts";
import { losingD1 } from "../storage/spied-d1.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const documents = documentStore(d1);
const webhooks = webhookStore(d1);
const createdAt = Date.UTC(2026, 10, 21);
const url = "https://hooks.receiver.dev/hook";

describe("an event is written with its document", () => {
  it.for([completedDocument(), failedDocument()])("that is $status, as it was made", async (document) => {
    const event = eventOf(document);

    const outcome = await documents.insert(document, event);

    expect(outcome).toEqual({ status: "inserted" });
    expect(await pendingOf(event)).toEqual([
      { ...event, delivery: { status: "pending", attempts: 0, nextAttemptAt: createdAt, round: 0, history: [] } },
    ]);
  });

  it("and not where none is given", async () => {
    const document = completedDocument();

    await documents.insert(document);

    expect(await webhooks.list(document.accountId)).toEqual([]);
  });

  it("with a payload of any characters", async () => {
    const document = completedDocument({
      warnings: ["漢字 🎉", "'; DROP TABLE webhook_events; --", "a\u0000b", "\ud800"],
    });
    const event = eventOf(document);

    await documents.insert(document, event);

    expect((await pendingOf(event))[0]?.payload).toBe(event.payload);
  });

  it("once, when the insert is made again", async () => {
    const document = completedDocument();
    const event = eventOf(document);
    await documents.insert(document, event);

    const outcome = await documents.insert(document, { ...event, payload: "{}", createdAt: createdAt + 1 });

    expect(outcome).toEqual({ status: "inserted" });
    expect(await pendingOf(event)).toMatchObject([event]);
  });

  it("once, when the answer to the insert was lost", async () => {
    const document = completedDocument();
    const event = eventOf(document);

    const outcome = await documentStore(losingD1("batch")).insert(document, event);

    expect(outcome).toEqual({ status: "inserted" });
    expect(await pendingOf(event)).toMatchObject([event]);
  });

  it("or not at all: when the event cannot be written, the document is not there either", async () => {
    const document = completedDocument();
    const event = { ...eventOf(document), url: null as unknown as string };

    await expect(documents.insert(document, event)).rejects.toThrow();

    expect(await documents.find(document.accountId, document.id)).toBeNull();
  });
});

describe("an event is not written", () => {
  const base = completedDocument();
  const rivals: { name: string; first: StoredDocument; second: StoredDocument }[] = [
    { name: "a completed document to a failure", first: base, second: failedDocument(base) },
    { name: "a failed document to a completion", first: failedDocument(base), second: base },
    { name: "a completed document to one of another file", first: base, second: { ...base, sha256: "f".repeat(64) } },
    {
      name: "a failed document to a failure for another reason",
      first: failedDocument(base),
      second: { ...failedDocument(base), error: { code: "RENDER_FAILED", message: "Another reason." } },
    },
  ];
  const fresh = ({ first, second }: (typeof rivals)[number]) => {
    const mine = { id: crypto.randomUUID(), accountId: crypto.randomUUID() };
    return [
      { ...first, ...mine },
      { ...second, ...mine },
    ] as const;
  };

  it.for(rivals)("a second time where D1 prefers $name: the first one's stays", async (rival) => {
    const [first, second] = fresh(rival);
    const event = eventOf(first);
    await documents.insert(first, event);

    await documents.insert(second, eventOf(second));

    expect(await pendingOf(event)).toMatchObject([{ payload: event.payload }]);
  });

  it.for(rivals)("of the one that came second where D1 prefers $name, which asked for none", async (rival) => {
    const [first, second] = fresh(rival);
    await documents.insert(first);

    await documents.insert(second, eventOf(second));

    expect(await webhooks.list(first.accountId)).toEqual([]);
  });

  it("of a document that has been deleted since", async () => {
    const document = completedDocument();
    await documents.insert(document);
    await documents.remove(document.accountId, document.id);

    const outcome = await documents.insert(document, eventOf(document));

    expect(outcome).toEqual({ status: "deleted" });
    expect(await webhooks.list(document.accountId)).toEqual([]);
  });
});

describe("of two rivals at the same time", () => {
  it.for(Array.from({ length: 10 }, (_, run) => run))("one event is written, the winner's (run %i)", async () => {
    const completed = completedDocument();
    const failed = failedDocument(completed);

    await Promise.all([documents.insert(completed, eventOf(completed)), documents.insert(failed, eventOf(failed))]);

    const truth = await documents.find(completed.accountId, completed.id);
    const events = await pendingOf(eventOf(completed));
    expect(events.map(({ payload }) => JSON.parse(payload).type)).toEqual([`document.${truth?.status}`]);
  });
});

it("an event outlives its document", async () => {
  const document = completedDocument();
  const event = eventOf(document);
  await documents.insert(document, event);

  await documents.remove(document.accountId, document.id);

  expect(await pendingOf(event)).toMatchObject([event]);
});

describe("the pending ones of some events", () => {
  it.for(["delivered", "dead"] as const)("are without those that are %s", async (status) => {
    const event = await written();
    const other = await written({ accountId: event.accountId });
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: ended(status) }]);

    const pending = await webhooks.pending(event.accountId, [event.id, other.id]);

    expect(pending.map(({ id }) => id)).toEqual([other.id]);
  });

  it("are only those that were asked for", async () => {
    const event = await written();
    await written({ accountId: event.accountId });

    expect((await pendingOf(event)).map(({ id }) => id)).toEqual([event.id]);
  });

  it("are none of another account", async () => {
    const event = await written();

    expect(await webhooks.pending(crypto.randomUUID(), [event.id])).toEqual([]);
  });

  it("are none of no ids, and none of ids that are nothing", async () => {
    const { accountId } = await written();

    const found = [
      await webhooks.pending(accountId, []),
      await webhooks.pending(accountId, ["", "evt_none", "') OR 1=1 --", '"]', "\u0000", "\ud800"]),
    ];

    expect(found).toEqual([[], []]);
  });

  it("may be asked for by more ids than D1 binds parameters, and come once each", async () => {
    const event = await written();
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
    error: "answered 500",
    response: "漢字 🎉 '; --",
  });

  it("is what the outbox says from then on", async () => {
    const event = await written();
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

  it("may be of many events at once", async () => {
    const { accountId } = await written();
    const events = await Promise.all(Array.from({ length: 60 }, () => written({ accountId })));

    await webhooks.report(
      accountId,
      events.map(({ id }) => ({ eventId: id, delivery: ended("delivered") })),
    );

    expect((await webhooks.list(accountId, "delivered")).length).toBe(60);
    expect((await webhooks.list(accountId, "pending")).length).toBe(1);
  });

  it("of nothing is nothing", async () => {
    await expect(webhooks.report(crypto.randomUUID(), [])).resolves.toBeUndefined();
  });

  it("of another account changes nothing", async () => {
    const event = await written();
    const before = await pendingOf(event);

    await webhooks.report(crypto.randomUUID(), [{ eventId: event.id, delivery: ended("delivered") }]);

    expect(await pendingOf(event)).toEqual(before);
  });

  it("of an event that is not there changes nothing, and is no error", async () => {
    const event = await written();

    await webhooks.report(event.accountId, [
      { eventId: "evt_none", delivery: ended("dead") },
      { eventId: event.id, delivery: ended("delivered") },
    ]);

    expect((await webhooks.list(event.accountId)).map(({ delivery }) => delivery.status)).toEqual(["delivered"]);
  });

  it("whose answer was lost is made again", async () => {
    const event = await written();

    await webhookStore(losingD1()).report(event.accountId, [{ eventId: event.id, delivery: ended("delivered") }]);

    expect((await webhooks.list(event.accountId))[0]?.delivery).toEqual(ended("delivered"));
  });
});

describe("overdue", () => {
  // Long before all other events: the oldest of all accounts come first.
  const longAgo = 1_000;
  beforeEach(() => env.DB.prepare("DELETE FROM webhook_events WHERE created_at < 100000").run());

  it("is an event ten seconds after it was made, not before", async () => {
    const event = await written({}, longAgo);

    const found = [await webhooks.overdue(longAgo + 9_999, 10), await webhooks.overdue(longAgo + 10_000, 10)];

    expect(found).toEqual([new Map(), new Map([[event.accountId, [event.id]]])]);
  });

  it("is no event that is in its sender's keeping, pending or not", async () => {
    const event = await written({}, longAgo);
    const delivery: Delivery = { status: "pending", attempts: 1, nextAttemptAt: longAgo, round: 0, history: [] };
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery }]);

    expect(await webhooks.overdue(longAgo + 99_999, 10)).toEqual(new Map());
  });

  it("is an event that was sent again, at once", async () => {
    const event = await written({}, longAgo);
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: ended("dead") }]);

    await webhooks.redeliver(event.id, longAgo + 50_000);

    expect(await webhooks.overdue(longAgo + 50_000, 10)).toEqual(new Map([[event.accountId, [event.id]]]));
  });

  it("is put off for a while, but not once it is in its sender's keeping", async () => {
    const [waiting, taken] = [await written({}, longAgo), await written({}, longAgo)];
    const delivery: Delivery = { status: "pending", attempts: 1, nextAttemptAt: longAgo, round: 0, history: [] };
    await webhooks.report(taken.accountId, [{ eventId: taken.id, delivery }]);

    for (const { accountId, id } of [waiting, taken]) await webhooks.putOff(accountId, [id], longAgo + 70_000);

    const found = [await webhooks.overdue(longAgo + 69_999, 10), await webhooks.overdue(longAgo + 70_000, 10)];
    expect(found).toEqual([new Map(), new Map([[waiting.accountId, [waiting.id]]])]);
  });

  it("comes by account, the oldest first, no more than asked for", async () => {
    const first = await written({}, longAgo);
    const other = await written({}, longAgo + 1);
    const second = await written({ accountId: first.accountId }, longAgo + 2);
    await written({}, longAgo + 3);

    const overdue = await webhooks.overdue(longAgo + 99_000, 3);

    expect([...overdue]).toEqual([
      [first.accountId, [first.id, second.id]],
      [other.accountId, [other.id]],
    ]);
  });
});

describe("the operator's list", () => {
  it("is the newest first, then by id, without payloads", async () => {
    const { accountId } = await written({}, createdAt);
    for (const at of [2, 1, 2, 2, 2, 2].map((ms) => createdAt + ms)) await written({ accountId }, at);

    const listed = await webhooks.list(accountId);

    const expected = listed.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    expect(listed).toEqual(expected);
    expect(listed.length).toBe(7);
    expect(listed.some((row) => "payload" in row)).toBe(false);
  });

  it("says of each event where it goes, of what document, and how it stands", async () => {
    const { payload: _, ...event } = await written();
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: ended("dead") }]);

    expect(await webhooks.list(event.accountId)).toEqual([{ ...event, delivery: ended("dead") }]);
  });

  it.for(["pending", "delivered", "dead"] as const)("may be of those that are %s", async (status) => {
    const pending = await written();
    const { accountId } = pending;
    const delivered = await written({ accountId });
    const dead = await written({ accountId });
    await webhooks.report(accountId, [
      { eventId: delivered.id, delivery: ended("delivered") },
      { eventId: dead.id, delivery: ended("dead") },
    ]);

    const listed = await webhooks.list(accountId, status);

    expect(listed.map(({ id }) => id)).toEqual([{ pending, delivered, dead }[status].id]);
  });

  it("has nothing of another account", async () => {
    await written();

    expect(await webhooks.list(crypto.randomUUID())).toEqual([]);
  });
});

describe("an event that is sent again", () => {
  it.for(["delivered", "dead"] as const)("is pending in a new round, whatever it was (%s)", async (status) => {
    const event = await written();
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: ended(status) }]);

    const found = await webhooks.redeliver(event.id, createdAt + 60_000);

    expect(found).toBe(true);
    expect(await pendingOf(event)).toEqual([
      {
        ...event,
        delivery: { ...ended(status), status: "pending", round: 1, attempts: 0, nextAttemptAt: createdAt + 60_000 },
      },
    ]);
  });

  it("is not there when it is not there", async () => {
    expect(await webhooks.redeliver("evt_none", createdAt)).toBe(false);
  });

  it("leaves all others alone", async () => {
    const event = await written();
    const other = await written({ accountId: event.accountId });
    const before = await pendingOf(other);

    await webhooks.redeliver(event.id, createdAt + 60_000);

    expect(await pendingOf(other)).toEqual(before);
  });

  it("makes void what a sender still says of the round before, and stays due", async () => {
    const event = await written();
    await webhooks.redeliver(event.id, createdAt + 60_000);
    const before = await pendingOf(event);

    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: ended("delivered") }]);

    expect(await pendingOf(event)).toEqual(before);
    const overdue = await webhooks.overdue(createdAt + 60_000, 100_000);
    expect(overdue.get(event.accountId)).toEqual([event.id]);
  });

  it("ends as its own round says", async () => {
    const event = await written();
    await webhooks.redeliver(event.id, createdAt + 60_000);

    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: { ...ended("delivered"), round: 1 } }]);

    expect((await webhooks.list(event.accountId))[0]?.delivery).toEqual({ ...ended("delivered"), round: 1 });
  });

  it("has a round of its own each time", async () => {
    const event = await written();

    for (let i = 0; i < 3; i++) await webhooks.redeliver(event.id, createdAt + i);

    expect((await pendingOf(event))[0]?.delivery.round).toBe(3);
  });

  it("is found, and pending, when the answer to that was lost", async () => {
    const event = await written();
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: ended("dead") }]);

    const found = await webhookStore(losingD1()).redeliver(event.id, createdAt);

    expect(found).toBe(true);
    expect((await pendingOf(event))[0]?.delivery).toMatchObject({ status: "pending", attempts: 0 });
  });
});

function completedDocument(rest: Partial<CompletedDocument> = {}): CompletedDocument {
  return {
    id: crypto.randomUUID(),
    accountId: crypto.randomUUID(),
    templateId: crypto.randomUUID(),
    templateVersion: 1,
    format: "pdf",
    width: 794,
    height: 1123,
    deviceScaleFactor: 2,
    fileKey: newFileKey("pdf"),
    month: "2026-11",
    createdAt,
    status: "completed",
    completedAt: createdAt + 1_000,
    pageCount: 2,
    fileSize: 1_234,
    sha256: "0".repeat(64),
    warnings: [],
    ...rest,
  };
}

function failedDocument(rest: Partial<CompletedDocument> = {}): FailedDocument {
  const {
    completedAt: _,
    pageCount: __,
    fileSize: ___,
    sha256: ____,
    warnings: _____,
    ...draft
  } = completedDocument(rest);
  return { ...draft, status: "failed", error: { code: "RENDER_FAILED", message: "The table has no end." } };
}

function eventOf(document: StoredDocument, nowMs = createdAt): WebhookEvent {
  return webhookEventOf(document, { url, cdnUrl: "https://files.test/files", nowMs });
}

/** A document's event in the outbox; of a new account unless one is given. */
async function written(rest: Partial<CompletedDocument> = {}, nowMs = createdAt): Promise<WebhookEvent> {
  const document = completedDocument(rest);
  const event = eventOf(document, nowMs);
  await documents.insert(document, event);
  return event;
}

function pendingOf({ accountId, id }: WebhookEvent) {
  return webhooks.pending(accountId, [id]);
}

function ended(status: "delivered" | "dead"): Delivery {
  const attempt = { at: createdAt, durationMs: 5, status: 204, error: null, response: "" };
  return { status, attempts: 1, nextAttemptAt: null, round: 0, history: [attempt] };
}
