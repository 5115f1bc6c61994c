import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { attemptDelaysMs } from "../../src/core/webhooks/delivery.ts";
import { rotateWebhookSecret } from "../../src/operations/accounts/manage-accounts.ts";
import { dispatchOverdueWebhooks } from "../../src/operations/webhooks/dispatch-webhooks.ts";
import { dispatchServices } from "../../src/services/maintenance-services.ts";
import { operatorServices } from "../../src/services/operator-services.ts";
import { audit } from "../fixtures/audit.ts";
import { newTenant, post } from "../fixtures/tenant.ts";
import {
  documentOf,
  recordEvent,
  newAccount,
  received,
  rejectedBy,
  summaryOf,
  senderOf,
  store,
  waitForDelivery,
  urlOf,
  type Account,
} from "./outbox.ts";

afterEach(() => void vi.useRealTimers());

async function secretsOf({ accountId }: Account): Promise<string[]> {
  const { secrets, now } = operatorServices(env);
  return secrets.valid(accountId, now());
}

/** Returns the only message in the account's log, with the account's newest secret. Throws unless there is exactly one. */
async function onlyMessage(account: Account) {
  const [message, ...others] = await received(account);
  const [secret = ""] = await secretsOf(account);
  if (!message || others.length > 0) throw new Error(`${others.length + 1} messages instead of one`);
  return { ...message, payload: message.body, secret };
}

describe("an event that is delivered", () => {
  it.each(["completed", "failed"] as const)(
    "arrives with a signature that both verification libraries accept (document.%s)",
    async (status) => {
      const account = await newAccount();
      const document = documentOf(account.accountId, status);

      const id = await recordEvent(account, urlOf(account, "ok"), { document });

      await waitForDelivery(account, id, "delivered", 1);
      const message = await onlyMessage(account);
      expect(await rejectedBy(message)).toEqual([]);
      expect(message.headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Colophon-Webhooks/1.0",
      });
      expect(JSON.parse(message.body)).toMatchObject({
        type: `document.${status}`,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: { id: document.id, status, templateId: document.templateId },
      });
    },
  );

  it("is rejected by both verification libraries if any part of its message was changed", async () => {
    const account = await newAccount();
    const id = await recordEvent(account, urlOf(account, "ok"));
    await waitForDelivery(account, id, "delivered");
    const message = await onlyMessage(account);
    const withHeader = (name: string, value: string) => ({
      ...message,
      headers: { ...message.headers, [name]: value },
    });
    const anHourAgo = String(Number(message.headers["webhook-timestamp"]) - 3_600);
    const tampered = {
      body: { ...message, payload: message.payload.replace("document.completed", "document.failed") },
      id: withHeader("webhook-id", `${id}x`),
      timestamp: withHeader("webhook-timestamp", String(Number(message.headers["webhook-timestamp"]) + 1)),
      "old timestamp": withHeader("webhook-timestamp", anHourAgo),
      secret: { ...message, secret: `whsec_${btoa("another secret of some length")}` },
    };

    const refusals = await Promise.all(Object.values(tampered).map(rejectedBy));

    expect(refusals).toEqual(Object.keys(tampered).map(() => ["standardwebhooks", "svix"]));
  });

  it("arrives even if the render fails", async () => {
    const tenant = await newTenant(env, { page: "{{ name | asset }}" });
    const account = { accountId: tenant.accountId, log: tenant.accountId };
    const body = { templateId: tenant.templateId, data: { name: "nothing" }, webhookUrl: urlOf(account, "ok") };

    const response = await post(exports.default, tenant, body);

    expect(response.status).toBe(422);
    await vi.waitFor(async () => expect(await received(account)).toHaveLength(1), { timeout: 10_000 });
    const message = await onlyMessage(account);
    expect(await rejectedBy(message)).toEqual([]);
    expect(JSON.parse(message.body)).toMatchObject({ type: "document.failed", data: { status: "failed" } });
  });

  it("is recorded with at most 1 KB of the receiver's response", async () => {
    const account = await newAccount();

    const id = await recordEvent(account, urlOf(account, "ok"));

    const { delivery } = await waitForDelivery(account, id, "delivered");
    expect(delivery.history).toEqual([
      { at: expect.any(Number), durationMs: expect.any(Number), status: 200, error: null, response: "x".repeat(1_024) },
    ]);
  });

  it("counts as delivered when the status of the response arrives, even if the body never ends", async () => {
    const account = await newAccount();

    const id = await recordEvent(account, urlOf(account, "trickle"));

    const { delivery } = await waitForDelivery(account, id, "delivered", 1);
    expect(delivery.history[0]?.response).toBe("so far");
  });
});

describe("an attempt", () => {
  it.each([
    [
      "the receiver responds with a redirect, which is not followed",
      "redirect",
      { status: 302, error: expect.stringContaining("redirects") },
    ],
    ["the receiver responds with an error", "fails", { status: 500, error: "responded with 500" }],
    ["no response arrives in time", "hang", { status: null, error: "no response within 1.5 s" }],
    ["the connection is reset", "reset", { status: null, error: expect.any(String) }],
  ])("fails if %s", async (_what, behaviour, attempt) => {
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

  it("that gets Retry-After delays the next attempt by the time in the header", async () => {
    const account = await newAccount();

    const id = await recordEvent(account, urlOf(account, "later"));

    const { delivery } = await waitForDelivery(account, id, "pending", 1);
    expect((delivery.nextAttemptAt ?? 0) - Date.now()).toBeGreaterThan(7_100_000);
  });

  it("that gets 410 Gone ends the delivery", async () => {
    const account = await newAccount();

    const id = await recordEvent(account, urlOf(account, "gone"));

    const { delivery } = await waitForDelivery(account, id, "dead", 1);
    expect(delivery.nextAttemptAt).toBeNull();
  });

  it("ends the delivery without a request if the URL is not allowed", async () => {
    const account = await newAccount();

    const id = await recordEvent(account, "http://127.0.0.1:1/");

    const { delivery } = await waitForDelivery(account, id, "dead", 1);
    expect(delivery.history).toMatchObject([{ status: null, error: expect.stringMatching(/^the URL must/) }]);
  });
});

describe("an event", () => {
  /** Sets the clock to the time of the next attempt, and runs the alarm that makes the attempt. */
  async function nextAttempt(account: Account, id: string): Promise<void> {
    const { delivery } = await summaryOf(account, id);
    vi.setSystemTime(delivery.nextAttemptAt ?? 0);
    await runDurableObjectAlarm(senderOf(account));
  }

  it("is sent after each delay in the retry table until its delivery is dead, and again when it is redelivered", async () => {
    const account = await newAccount();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const id = await recordEvent(account, urlOf(account, "fails"));
    const waitsMs: number[] = [];
    for (let attempt = 1; attempt < attemptDelaysMs.length; attempt++) {
      const { delivery } = await waitForDelivery(account, id, "pending", attempt);
      waitsMs.push(
        (delivery.nextAttemptAt ?? 0) - (delivery.history[0]?.at ?? 0) - (delivery.history[0]?.durationMs ?? 0),
      );
      await nextAttempt(account, id);
    }
    const { delivery } = await waitForDelivery(account, id, "dead", attemptDelaysMs.length);
    const messages = await received(account);
    await store.redeliver(id, audit(account.accountId));
    await dispatchOverdueWebhooks(dispatchServices(env));
    const again = await waitForDelivery(account, id, "pending", 1);

    expect(delivery.nextAttemptAt).toBeNull();
    for (const [index, waitMs] of waitsMs.entries()) {
      const delayMs = attemptDelaysMs[index + 1] ?? 0;
      expect(waitMs).toBeGreaterThanOrEqual(delayMs);
      expect(waitMs).toBeLessThanOrEqual(delayMs * 1.1 + 1);
    }
    expect(waitsMs).toHaveLength(9);
    expect(new Set(messages.map((message) => message.id))).toEqual(new Set([id]));
    expect(new Set(messages.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(attemptDelaysMs.length);
    expect(await received(account)).toHaveLength(attemptDelaysMs.length + 1);
    expect(again.delivery.history).toHaveLength(10);
  });

  it("is sent again when its next attempt is due, even if its sender has restarted", async () => {
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

  it("whose queue message was lost is dispatched by the sweep once the event is overdue", async () => {
    const account = await newAccount();
    const id = await recordEvent(account, urlOf(account, "ok"), { send: false });
    await dispatchOverdueWebhooks(dispatchServices(env));
    const tooEarly = await received(account);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });

    await dispatchOverdueWebhooks(dispatchServices(env));

    expect(tooEarly).toEqual([]);
    await waitForDelivery(account, id, "delivered", 1);
    expect((await store.overdue(Date.now(), 1_000)).get(account.accountId)).toBeUndefined();
  });
});

describe("after a rotation of the secret", () => {
  it("messages are signed with the old and the new secret during the overlap, and only with the new secret afterwards", async () => {
    const account = await newAccount();
    const [old = ""] = await secretsOf(account);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const [newest = ""] = await rotateWebhookSecret(operatorServices(env), account.accountId);
    const during = await recordEvent(account, urlOf(account, "ok"));
    await waitForDelivery(account, during, "delivered");
    const [first] = await received(account);
    vi.setSystemTime(Date.now() + 24 * 3_600_000 + 1);
    const after = await recordEvent(account, urlOf(account, "ok"));
    await waitForDelivery(account, after, "delivered");
    const [, second] = await received(account);
    if (!first || !second) throw new Error("a message is missing");
    const signedBy = async ({ body, headers }: typeof first) => {
      const [signature = ""] = headers["webhook-signature"]?.split(" ").slice(-1) ?? [];
      return { signatures: headers["webhook-signature"]?.split(" ").length, signature, body };
    };

    const refusals = {
      during: [
        await rejectedBy({ secret: old, payload: first.body, headers: first.headers }),
        await rejectedBy({ secret: newest, payload: first.body, headers: first.headers }),
      ],
      signatures: [(await signedBy(first)).signatures, (await signedBy(second)).signatures],
    };

    expect(refusals).toEqual({ during: [[], []], signatures: [2, 1] });
    expect(await secretsOf(account)).toEqual([newest]);
  });
});

describe("a failing receiver", () => {
  it("gets all waiting events once it responds with 200 again", async () => {
    const account = await newAccount();

    const ids = await Promise.all(Array.from({ length: 40 }, () => recordEvent(account, urlOf(account, "recovers"))));

    for (const id of ids) await waitForDelivery(account, id, "delivered");
    const messages = await received(account);
    expect(messages.filter(({ outcome }) => outcome === 500)).toHaveLength(6);
    expect(messages.filter(({ outcome }) => outcome === 200)).toHaveLength(40);
  });
});
