import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { operatorServices } from "../../src/services/operator-services.ts";
import { audit } from "../fixtures/audit.ts";
import { dispatchOverdue } from "../fixtures/databases.ts";
import { newTenant, post } from "../fixtures/tenant.ts";
import {
  documentOf,
  recordEvent,
  isAccepted,
  newAccount,
  received,
  summaryOf,
  senderOf,
  store,
  waitForDelivery,
  urlOf,
  type Account,
} from "./outbox.ts";

afterEach(() => void vi.useRealTimers());

/** Returns the only message in the account's log, with the account's newest secret. Throws unless there is exactly one. */
async function onlyMessage(account: Account) {
  const [message, ...others] = await received(account);
  const [secret = ""] = await operatorServices(env).secrets.valid(account.accountId, Date.now());
  if (!message || others.length > 0) throw new Error(`${others.length + 1} messages instead of one`);
  return { ...message, payload: message.body, secret };
}

it("a delivered event has a signature that a receiver's library accepts, and rejects if the body was changed", async () => {
  const account = await newAccount();
  const document = documentOf(account.accountId);

  const id = await recordEvent(account, urlOf(account, "ok"), { document });

  await waitForDelivery(account, id, "delivered", 1);
  const message = await onlyMessage(account);
  expect(await isAccepted(message)).toBe(true);
  expect(await isAccepted({ ...message, payload: `${message.payload} ` })).toBe(false);
  expect(message.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "Colophon-Webhooks/1.0",
  });
  expect(JSON.parse(message.body)).toMatchObject({ type: "document.completed", data: { id: document.id } });
});

it("an event is delivered even if the render fails", async () => {
  const tenant = await newTenant(env, { page: "{{ name | asset }}" });
  const account = { accountId: tenant.accountId, log: tenant.accountId };
  const body = { templateId: tenant.templateId, data: { name: "nothing" }, webhookUrl: urlOf(account, "ok") };

  const response = await post(exports.default, tenant, body);

  expect(response.status).toBe(422);
  await vi.waitFor(async () => expect(await received(account)).toHaveLength(1), { timeout: 10_000 });
  const message = await onlyMessage(account);
  expect(await isAccepted(message)).toBe(true);
  expect(JSON.parse(message.body)).toMatchObject({ type: "document.failed", data: { status: "failed" } });
});

it("a delivered event is recorded with at most 1 KB of the receiver's response", async () => {
  const account = await newAccount();

  const id = await recordEvent(account, urlOf(account, "ok"));

  const { delivery } = await waitForDelivery(account, id, "delivered");
  expect(delivery.history).toEqual([
    { at: expect.any(Number), durationMs: expect.any(Number), status: 200, error: null, response: "x".repeat(1_024) },
  ]);
});

it.each([
  [
    "the receiver responds with a redirect, which is not followed",
    "redirect",
    { status: 302, error: expect.stringContaining("redirects") },
  ],
  ["the receiver responds with an error", "fails", { status: 500, error: "responded with 500" }],
  ["no response arrives in time", "hang", { status: null, error: "no response within 1.5 s" }],
  ["the connection is reset", "reset", { status: null, error: expect.any(String) }],
])("an attempt fails if %s", async (_what, behaviour, attempt) => {
  const account = await newAccount();

  const id = await recordEvent(account, urlOf(account, behaviour));

  const { delivery } = await waitForDelivery(account, id, "pending", 1);
  expect(delivery.history).toMatchObject([attempt]);
  const { at, durationMs } = delivery.history[0] ?? { at: 0, durationMs: 0 };
  const dueInMs = (delivery.nextAttemptAt ?? 0) - at - durationMs;
  expect(dueInMs).toBeGreaterThanOrEqual(5_000);
  expect(dueInMs).toBeLessThan(6_000);
  expect(await received({ ...account, log: "redirected" })).toEqual([]);
});

it("after a response with Retry-After, the next attempt is delayed by the time in the header", async () => {
  const account = await newAccount();

  const id = await recordEvent(account, urlOf(account, "later"));

  const { delivery } = await waitForDelivery(account, id, "pending", 1);
  expect((delivery.nextAttemptAt ?? 0) - Date.now()).toBeGreaterThan(7_100_000);
});

it("an event is not sent again after 410 Gone until it is redelivered", async () => {
  const account = await newAccount();
  const id = await recordEvent(account, urlOf(account, "gone"));
  const { delivery } = await waitForDelivery(account, id, "dead", 1);

  await store.redeliver(id, audit(account.accountId));
  await dispatchOverdue(env);

  const again = await waitForDelivery(account, id, "dead", 1);
  expect(delivery.nextAttemptAt).toBeNull();
  expect(again.delivery.history).toHaveLength(2);
  expect((await received(account)).map((message) => message.id)).toEqual([id, id]);
});

it("an event is sent again when its next attempt is due, even if its sender has restarted", async () => {
  const account = await newAccount();
  const id = await recordEvent(account, urlOf(account, "fails"));
  await waitForDelivery(account, id, "pending", 1);
  await evictDurableObject(senderOf(account));
  const { delivery } = await summaryOf(account, id);
  vi.useFakeTimers({ toFake: ["Date"], now: delivery.nextAttemptAt ?? 0 });

  await runDurableObjectAlarm(senderOf(account));

  await waitForDelivery(account, id, "pending", 2);
  expect(await received(account)).toHaveLength(2);
});
