// Tests the consumer of the webhook queue, which acknowledges or retries each message separately.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import worker from "../../../src/index.ts";
import { consumeWebhookMessages } from "../../../src/operations/webhooks/dispatch-webhooks.ts";
import { fakeDispatch } from "../../fakes/webhooks.ts";

const queue = "colophon-webhooks";

/** Returns a batch of the messages m0, m1 and so on, with these bodies. */
function batchOf(bodies: unknown[]): MessageBatch {
  return createMessageBatch(
    queue,
    bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body })),
  );
}

/** Consumes messages with these bodies, while the senders of the accounts in `unreachable` cannot be reached. */
async function consumed(bodies: unknown[], { unreachable = [] as string[] } = {}) {
  const services = fakeDispatch(unreachable);
  const batch = batchOf(bodies);
  await consumeWebhookMessages(services, batch.messages);
  const { explicitAcks, retryMessages, ackAll, retryBatch } = await getQueueResult(batch, createExecutionContext());
  return { services, acked: explicitAcks, retried: retryMessages, ofAll: { ackAll, retry: retryBatch.retry } };
}

const address = (accountId: string, eventId: string) => ({ accountId, eventId });

const malformed: unknown[] = [
  ...[null, "evt_1", [address("a", "evt_1")], new Uint8Array([1]), { accountId: "a" }, address("a", "")],
  ...[
    { accountId: 1, eventId: "evt_1" },
    { accountId: "a", eventId: null },
  ],
];

it("messages are dispatched in one call to each sender and acknowledged one by one", async () => {
  const bodies = [address("a", "evt_1"), address("b", "evt_2"), address("a", "evt_3")];
  const { services, acked, retried, ofAll } = await consumed(bodies);

  expect(services.state.accepted).toEqual([
    { accountId: "a", eventIds: ["evt_1", "evt_3"] },
    { accountId: "b", eventIds: ["evt_2"] },
  ]);
  expect([acked, retried, ofAll]).toEqual([["m0", "m1", "m2"], [], { ackAll: false, retry: false }]);
});

it("messages are dispatched even if they have additional properties", async () => {
  const { services } = await consumed([{ ...address("a", "evt_1"), since: 2027 }]);

  expect(services.state.accepted).toEqual([{ accountId: "a", eventIds: ["evt_1"] }]);
});

const bodies = [address("a", "evt_1"), address("b", "evt_2"), address("a", "evt_3"), address("c", "evt_4")];

it("the messages of an account whose sender is unreachable are retried, while messages of other accounts are acknowledged", async () => {
  const { acked, retried } = await consumed(bodies, { unreachable: ["a"] });

  expect(acked).toEqual(["m1", "m3"]);
  expect(retried.map(({ msgId }) => msgId)).toEqual(["m0", "m2"]);
});

it("the messages of an account whose sender is unreachable are retried after five seconds", async () => {
  const retries: unknown[] = [];
  const batch = batchOf([address("a", "evt_1")]);
  // The test records the delay itself, because `getQueueResult` does not report the delay.
  for (const message of batch.messages) message.retry = (options) => void retries.push(options);

  await consumeWebhookMessages(fakeDispatch(["a"]), batch.messages);

  expect(retries).toEqual([{ delaySeconds: 5 }]);
});

it.each(malformed.map((body) => ({ shown: JSON.stringify(body), body })))(
  "a malformed message is acknowledged and logged, and never retried ($shown)",
  async ({ body }) => {
    const { services, acked, retried } = await consumed([body]);

    expect([acked, retried, services.state.accepted]).toEqual([["m0"], [], []]);
    expect(services.state.log).toEqual([{ level: "error", event: "webhook.message_malformed", messageId: "m0" }]);
  },
);

it("the Worker acknowledges a message about an unknown event", async () => {
  const batch = batchOf([address(crypto.randomUUID(), "evt_none")]);
  const context = createExecutionContext();

  await worker.queue(batch, env);

  expect((await getQueueResult(batch, context)).explicitAcks).toEqual(["m0"]);
});
