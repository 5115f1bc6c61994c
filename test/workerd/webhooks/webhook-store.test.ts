// What the contract of webhook stores leaves to a real D1: competing inserts, lost responses, and many ids at once.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { webhookEventOf, type WebhookEvent } from "../../../src/core/webhooks/webhook-event.ts";
import type { Delivery } from "../../../src/core/webhooks/delivery.ts";
import type { CompletedDocument, EndedDocument } from "../../../src/core/documents/document.ts";
import type { WebhookFilter } from "../../../src/ports/webhooks.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { audit, everything } from "../../fixtures/audit.ts";
import { completedDocument, failureOf } from "../../fixtures/documents.ts";
import { callTimeoutMs } from "../app.ts";
import { insertAccountRow } from "../storage/account-row.ts";
import { losingD1 } from "../storage/spied-d1.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const documents = documentStore(d1);
const webhooks = webhookStore(d1);
const createdAt = Date.UTC(2026, 10, 21);
const url = "https://hooks.receiver.dev/hook";

describe("a document's event", () => {
  it("may have a payload with any characters", async () => {
    const document = completedDocument({
      warnings: ["漢字 🎉", "'; DROP TABLE webhook_events; --", "a\u0000b", "\ud800"],
    });
    const event = eventOf(document);

    await documents.insert(document, event);

    expect((await pendingOf(event))[0]?.payload).toBe(event.payload);
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

it.each(["{", "null", "[null]"])(
  "an event with unreadable attempts (%s) is read with its neighbours",
  async (history) => {
    const [document, other] = [completedDocument(), completedDocument()];
    const events = [eventOf(document), { ...eventOf(other), accountId: document.accountId }];
    for (const event of events) await webhooks.insert(event);
    const update = env.DB.prepare("UPDATE webhook_events SET history = ? WHERE id = ?");
    await update.bind(history, events[0]?.id).run();

    const ids = events.map(({ id }) => id);
    const pending = await webhooks.pending(document.accountId, ids);

    const histories = Object.fromEntries(pending.map(({ id, delivery }) => [id, delivery.history]));
    expect(ids.map((id) => histories[id])).toMatchObject([[{ error: expect.stringContaining("unreadable") }], []]);
  },
);

describe("an event is not stored", () => {
  const base = completedDocument();
  const rivals: { name: string; first: EndedDocument; second: EndedDocument }[] = [
    { name: "a failure that follows a completion", first: base, second: failureOf(base) },
    { name: "a completion that follows a failure", first: failureOf(base), second: base },
    { name: "a second completion with another file", first: base, second: { ...base, sha256: "f".repeat(64) } },
    {
      name: "a second completion at another time",
      first: base,
      second: { ...base, completedAt: base.completedAt + 1 },
    },
    {
      name: "a second failure for another reason",
      first: failureOf(base),
      second: { ...failureOf(base), error: { code: "RENDER_FAILED", message: "Another reason." } },
    },
  ];

  it.for(rivals)("for $name, when the first insert had no event", async (rival) => {
    const mine = { id: crypto.randomUUID(), accountId: crypto.randomUUID() };
    const second = { ...rival.second, ...mine };
    await documents.insert({ ...rival.first, ...mine });

    await documents.insert(second, eventOf(second));

    expect(await listOf(mine)).toEqual([]);
  });
});

describe("two concurrent inserts of one document", () => {
  it.for(Array.from({ length: 4 }, (_, run) => run))(
    "store only the event of the stored document, and return that document to the other caller (run %i)",
    async () => {
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

it("the pending events are those with the given ids, each once, even if there are more ids than D1 can bind", async () => {
  const event = await writeEvent();
  await writeEvent({ accountId: event.accountId });
  const unknown = ["", "') OR 1=1 --", '"]', "\u0000", "\ud800", ...Array.from({ length: 500 }, (_, i) => `evt_${i}`)];

  const pending = await webhooks.pending(event.accountId, [...unknown, event.id, event.id]);

  expect(pending.map(({ id }) => id)).toEqual([event.id]);
});

describe("a report", () => {
  it("can cover many events at once", async () => {
    const { accountId } = await writeEvent();
    const events = await Promise.all(Array.from({ length: 60 }, () => writeEvent({ accountId })));

    await webhooks.report(
      accountId,
      events.map(({ id }) => ({ eventId: id, delivery: endedDelivery("delivered") })),
    );

    expect((await listOf({ accountId }, { status: "delivered" })).length).toBe(60);
    expect((await listOf({ accountId }, { status: "pending" })).length).toBe(1);
  });

  it("is stored even if D1's response was lost", async () => {
    const event = await writeEvent();

    await webhookStore(losingD1()).report(event.accountId, [
      { eventId: event.id, delivery: endedDelivery("delivered") },
    ]);

    expect((await listOf(event))[0]?.delivery).toEqual(endedDelivery("delivered"));
  });
});

it("the operator's list has events of the same time in the order of their ids", async () => {
  const { accountId } = await writeEvent();
  for (let i = 0; i < 6; i++) await writeEvent({ accountId });

  const ids = (await listOf({ accountId })).map(({ id }) => id);

  expect(ids).toEqual(ids.toSorted().toReversed());
  expect(ids).toHaveLength(7);
});

describe("an event that is redelivered", () => {
  it("does not affect other events", async () => {
    const event = await writeEvent();
    const other = await writeEvent({ accountId: event.accountId });
    const before = await pendingOf(other);

    await webhooks.redeliver(event.id, audit(event.accountId, { createdAt: createdAt + 60_000 }));

    expect(await pendingOf(other)).toEqual(before);
  });

  it("gets a new round with every redelivery", async () => {
    const event = await writeEvent();

    for (let i = 0; i < 3; i++)
      await webhooks.redeliver(event.id, audit(event.accountId, { createdAt: createdAt + i }));

    expect((await pendingOf(event))[0]?.delivery.round).toBe(3);
  });

  it("is pending again, and `redeliver` returns its id, even if D1's response was lost", async () => {
    const event = await writeEvent();
    await webhooks.report(event.accountId, [{ eventId: event.id, delivery: endedDelivery("dead") }]);

    const found = await webhookStore(losingD1("batch")).redeliver(event.id, audit(event.accountId, { createdAt }));

    expect(found).toEqual([event.id]);
    expect((await pendingOf(event))[0]?.delivery).toMatchObject({ status: "pending", attempts: 0 });
  });
});

function eventOf(document: EndedDocument, nowMs = createdAt): WebhookEvent {
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

async function listOf({ accountId }: Pick<WebhookEvent, "accountId">, filter: WebhookFilter = {}) {
  return (await webhooks.list(accountId, filter, everything)).items;
}

function pendingOf({ accountId, id }: WebhookEvent) {
  return webhooks.pending(accountId, [id]);
}

function endedDelivery(status: "delivered" | "dead"): Delivery {
  const attempt = { at: createdAt, durationMs: 5, status: 204, error: null, response: "" };
  return { status, attempts: 1, nextAttemptAt: null, round: 0, history: [attempt] };
}
