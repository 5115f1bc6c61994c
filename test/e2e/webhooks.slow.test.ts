import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWithReceiver, type ServiceWithReceiver } from "./webhook-receiver.ts";

let running: ServiceWithReceiver;

beforeAll(async () => {
  running = await startWithReceiver();
}, 120_000);

afterAll(() => running.stop());

it("delivers an event signed with the secret that the operator's command shows", async () => {
  const { secrets } = await running.service.cli<{ secrets: string[] }>(
    "webhook-secret",
    "show",
    "--account",
    running.account.id,
  );

  const id = await running.create();

  await expect.poll(() => running.messages.map((message) => message.id), { timeout: 10_000 }).toContain(id);
  const [message] = running.messages;
  const event = new Verifier(secrets[0] ?? "").verify(message?.body ?? "", message?.headers ?? {});
  expect(event).toMatchObject({ type: "document.completed", data: { status: "completed" } });
  await expect
    .poll(() => running.webhooks("--status", "delivered"), { timeout: 10_000 })
    .toMatchObject({
      webhooks: [{ id, status: "delivered", attempts: 1, nextAttemptAt: null, lastStatus: 200, lastError: null }],
    });
});

it("delivers one signed event for a batch that has ended", async () => {
  const shown = await running.service.cli<{ secrets: string[] }>(
    "webhook-secret",
    "show",
    "--account",
    running.account.id,
  );
  running.messages.length = 0;

  const id = await running.createBatch();

  await expect.poll(() => running.messages.map((message) => message.id), { timeout: 20_000 }).toEqual([id]);
  const [message] = running.messages;
  expect(new Verifier(shown.secrets[0] ?? "").verify(message?.body ?? "", message?.headers ?? {})).toMatchObject({
    type: "batch.completed",
    data: { status: "ended", counts: { total: 2, completed: 2 }, resultsUrl: expect.stringContaining("/results") },
  });
});

it("sends an event again when the operator redelivers the event", async () => {
  running.messages.length = 0;
  const { webhooks: listed } = await running.webhooks();
  const id = listed[0]?.id ?? "";

  const response = await running.service.cli("webhook", "redeliver", "--id", id);

  expect(response).toEqual({ id, status: "pending" });
  await expect.poll(() => running.messages.map((message) => message.id), { timeout: 15_000 }).toEqual([id]);
});

it("signs events with the old and the new secret after a rotation", async () => {
  running.messages.length = 0;
  const { secrets } = await running.service.cli<{ secrets: string[] }>(
    "webhook-secret",
    "rotate",
    "--account",
    running.account.id,
  );

  const id = await running.create();

  await expect.poll(() => running.messages.map((message) => message.id), { timeout: 10_000 }).toEqual([id]);
  expect(secrets).toHaveLength(2);
  for (const secret of secrets)
    new Verifier(secret).verify(running.messages[0]?.body ?? "", running.messages[0]?.headers ?? {});
});
