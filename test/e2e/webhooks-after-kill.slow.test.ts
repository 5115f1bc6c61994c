import { afterAll, beforeAll, expect, it } from "vitest";
import { startWithReceiver, type ServiceWithReceiver } from "./webhook-receiver.ts";

let running: ServiceWithReceiver;

beforeAll(async () => {
  running = await startWithReceiver();
}, 120_000);

afterAll(() => running.stop());

it("delivers all events even if the service is killed before the receiver responds", async () => {
  running.isResponding = false;
  const ids = await Promise.all(Array.from({ length: 6 }, () => running.create()));

  await running.killAndRestart(() => (running.isResponding = true));

  await expect
    .poll(() => new Set(running.messages.map((message) => message.id)), { timeout: 70_000, interval: 200 })
    .toEqual(new Set(ids));
  await expect.poll(() => running.webhooks("--status", "pending"), { timeout: 10_000 }).toEqual({ webhooks: [] });
});
