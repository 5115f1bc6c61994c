import { expect, it } from "vitest";
import { documentRecord, type EndedDocument } from "../../../src/core/documents/document.ts";
import {
  afterAttempt,
  attemptDelaysMs,
  type AttemptOutcome,
  type Delivery,
} from "../../../src/core/webhooks/delivery.ts";
import { eventIdsByAccount, webhookEventOf } from "../../../src/core/webhooks/webhook-event.ts";
import { completedDocument, failureOf } from "../../fixtures/documents.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** The documented delays before each attempt. They are repeated here so that the tests fail if only the code changes. */
const delaysMs = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * second);

const cdnUrl = "https://files.test/files";
const nowMs = Date.parse("2026-11-21T09:30:00.123Z");

const completed = completedDocument({
  id: "0b9cfd9e-3c0f-4f43-9f3b-5a54e0b2b8a1",
  accountId: "account-1",
  templateVersion: 3,
  fileKey: "token.pdf",
  createdAt: Date.parse("2026-11-21T09:29:58.000Z"),
  completedAt: Date.parse("2026-11-21T09:29:59.500Z"),
  pageCount: 2,
  warnings: ["漢字 🎉 \u0000 \u2028 </script>"],
});
const failed = failureOf(completed);

const url = "https://hooks.receiver.dev/hook";
const eventOf = (document: EndedDocument, at = nowMs) => webhookEventOf(document, { url, cdnUrl, nowMs: at });

it.each([
  { document: completed, type: "document.completed" },
  { document: failed, type: "document.failed" },
])(
  "the event of a document has the type $type, the time, and the record that the API returns",
  ({ document, type }) => {
    const { payload } = eventOf(document);

    expect(JSON.parse(payload)).toEqual({
      type,
      timestamp: "2026-11-21T09:30:00.123Z",
      data: documentRecord(document, cdnUrl),
    });
  },
);

it("the event of a document names the account, the document and the URL, but its payload contains only the document", () => {
  const event = eventOf(failed);

  expect(event).toMatchObject({ accountId: "account-1", documentId: failed.id, url, createdAt: nowMs });
  for (const secret of ["account-1", "token.pdf", '2026-11"', "fileKey"]) expect(event.payload).not.toContain(secret);
});

it("the event of a document has an id that depends on neither the time nor the document's status", () => {
  const ids = [eventOf(completed), eventOf(completed, nowMs + hour), eventOf(failed)].map(({ id }) => id);

  expect(new Set(ids)).toEqual(new Set(["evt_0b9cfd9e3c0f4f439f3b5a54e0b2b8a1"]));
});

const fresh: Delivery = { status: "pending", attempts: 0, nextAttemptAt: nowMs, round: 0, history: [] };

function outcome(rest: Partial<AttemptOutcome> = {}): AttemptOutcome {
  return {
    at: nowMs,
    durationMs: 200,
    result: "failed",
    status: 500,
    error: "responded with 500",
    response: "oops",
    retryAfterMs: null,
    ...rest,
  };
}

/**
 * Returns the state of a delivery before its first attempt, and after each of `count` failed attempts. Each attempt is made
 * when it is due.
 */
function failures(count: number, random = 0): Delivery[] {
  const deliveries = [fresh];
  for (let made = 0; made < count; made++) {
    const before = deliveries.at(-1) ?? fresh;
    deliveries.push(afterAttempt(before, outcome({ at: before.nextAttemptAt ?? Number.NaN }), random));
  }
  return deliveries;
}

it("the delays before the attempts are as documented", () => {
  expect(attemptDelaysMs).toEqual(delaysMs);
});

it.each([
  { jitter: "no jitter", random: 0, factor: 1 },
  { jitter: "half of the jitter", random: 0.5, factor: 1.05 },
  { jitter: "nearly all of the jitter", random: 1 - Number.EPSILON, factor: 1.1 },
])("a receiver that always fails gets ten attempts after the documented delays, with $jitter", ({ random, factor }) => {
  const deliveries = failures(10, random);

  const waits = deliveries.slice(1, -1).map(({ nextAttemptAt }, index) => {
    const ended = (deliveries[index]?.nextAttemptAt ?? Number.NaN) + 200;
    return (nextAttemptAt ?? Number.NaN) - ended;
  });
  expect(waits).toEqual(delaysMs.slice(1).map((delayMs) => Math.ceil(delayMs * factor - 1e-3)));
  expect(deliveries.map(({ status }) => status)).toEqual([...Array<string>(10).fill("pending"), "dead"]);
  expect(deliveries.at(-1)).toMatchObject({ attempts: 10, nextAttemptAt: null });
});

it.each(
  [0, 9].flatMap((count) => [
    { count, result: "delivered", status: "delivered" } as const,
    { count, result: "refused", status: "dead" } as const,
  ]),
)("an attempt that is $result after $count failures ends the delivery", ({ count, result, status }) => {
  const before = failures(count).at(-1) ?? fresh;

  const delivery = afterAttempt(before, outcome({ result, retryAfterMs: hour }), 0.5);

  expect(delivery).toMatchObject({ status, attempts: count + 1, nextAttemptAt: null });
});

it("the delay after an attempt starts when the attempt ends", () => {
  const delivery = afterAttempt(fresh, outcome({ durationMs: 15_000 }), 0);

  expect(delivery.nextAttemptAt).toBe(nowMs + 15_000 + 5_000);
});

const waitAfter = (count: number, retryAfterMs: number | null, random = 0) => {
  const before = failures(count).at(-1) ?? fresh;
  const { nextAttemptAt } = afterAttempt(before, outcome({ status: 503, retryAfterMs }), random);
  return (nextAttemptAt ?? Number.NaN) - nowMs - 200;
};

it.each([
  { what: "more than the delay in the table", asked: minute, waits: minute },
  { what: "a year", asked: 365 * 24 * hour, waits: 24 * hour },
  { what: "less than the delay in the table", asked: 1 * second, waits: 5 * second },
  { what: "a delay that cannot be parsed", asked: null, waits: 5 * second },
])("a receiver that asks for $what in Retry-After gets the next attempt after $waits ms", ({ asked, waits }) => {
  expect(waitAfter(0, asked)).toBe(waits);
});

it("a receiver that sends Retry-After gets the next attempt no earlier than the delay in the table plus the jitter", () => {
  expect(waitAfter(0, 5_001, 1)).toBe(5_500);
});

it("the history records the start, the duration and the result of an attempt", () => {
  const { history } = afterAttempt(fresh, outcome({ retryAfterMs: 7 }), 0);

  expect(history).toEqual([{ at: nowMs, durationMs: 200, status: 500, error: "responded with 500", response: "oops" }]);
});

it("the history keeps the ten newest attempts of all rounds", () => {
  const old = failures(10).at(-1) ?? fresh;

  const again = afterAttempt({ ...old, status: "pending", attempts: 0, round: 1 }, outcome({ at: 1 }), 0);

  expect(again.history.map(({ at }) => at)).toEqual([1, ...old.history.slice(0, 9).map(({ at }) => at)]);
});

it("the ids of events by account keep the order of the events, without duplicates", () => {
  const byAccount = eventIdsByAccount([
    { accountId: "b", eventId: "evt_2" },
    { accountId: "a", eventId: "evt_1" },
    { accountId: "b", eventId: "evt_1" },
    { accountId: "b", eventId: "evt_2" },
  ]);

  expect([...byAccount]).toEqual([
    ["b", ["evt_2", "evt_1"]],
    ["a", ["evt_1"]],
  ]);
});
