// Counts the rows that an account's objects write for a create, including indexes, and how many times they set their alarms,
// because the platform bills both.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { AccountQuota } from "../../../src/objects/account-quota.ts";
import { WebhookSender } from "../../../src/objects/webhook-sender.ts";
import { fakeServices } from "../../fakes/services.ts";
import { eventTo, fakeDelivery, fakeOutbox } from "../../fakes/webhooks.ts";
import { reserveRequest } from "../../fixtures/documents.ts";

const accountId = crypto.randomUUID();

it.each([
  { what: "without an idempotency key writes 6 rows", key: null, reserved: 2 },
  { what: "with an idempotency key writes 7 rows", key: { key: "k", bodyHash: "b" }, reserved: 3 },
])("a create $what in its account's quota, one of them for the later removal", async ({ key, reserved }) => {
  const services = { ...fakeServices(), completedByMonth: async () => ({}) };
  const request = reserveRequest({ accountId }, { idempotency: key });
  const written = await runInDurableObject(env.ACCOUNT_QUOTA.getByName(crypto.randomUUID()), async (_, state) => {
    const quota = new AccountQuota(state, env, services);
    await quota.usage("2026-11");
    return writesOf(state.storage, [
      () => quota.reserve(JSON.stringify(request)),
      () => quota.commit(request.hold.draft.id),
      () => ((services.state.nowMs += request.hold.leaseMs), quota.alarm()),
      () => ((services.state.nowMs += 25 * 3_600_000), quota.alarm()),
    ]);
  });

  expect(written).toEqual([`${reserved} rows, 1 alarm`, "3 rows, 0 alarm", "0 rows, 1 alarm", "1 rows, 0 alarm"]);
});

it("a delivered webhook writes 8 rows in its account's sender, one of them for the later removal", async () => {
  const webhooks = fakeOutbox();
  const services = fakeDelivery({ webhooks });
  const event = eventTo("https://hooks.receiver.dev/", { accountId });
  webhooks.add(event);
  const written = await runInDurableObject(env.WEBHOOK_SENDER.getByName(crypto.randomUUID()), async (_, state) => {
    const sender = new WebhookSender(state, env, services);
    await sender.accept(accountId, []);
    const unreported = () => state.storage.sql.exec("SELECT 1 FROM deliveries WHERE is_reported = 0").toArray();
    return writesOf(state.storage, [
      () =>
        sender
          .accept(accountId, [event.id])
          .then(() => vi.waitUntil(() => unreported().length === 0, { timeout: 10_000 })),
      () => ((services.state.nowMs += 45_000), sender.alarm()),
    ]);
  });

  expect(written).toEqual(["7 rows, 1 alarm", "1 rows, 0 alarm"]);
});

/** Runs the steps, and returns the number of rows written and alarms set by each. No alarm is really set. */
async function writesOf(storage: DurableObjectStorage, steps: (() => Promise<unknown>)[]): Promise<string[]> {
  const exec = vi.spyOn(storage.sql, "exec");
  const setAlarm = vi.spyOn(storage, "setAlarm").mockResolvedValue();
  const written: string[] = [];
  for (const step of steps) {
    await step();
    const rows = exec.mock.results.reduce((sum, { value }) => sum + (value as SqlStorageCursor<never>).rowsWritten, 0);
    written.push(`${rows} rows, ${setAlarm.mock.calls.length} alarm`);
    for (const spy of [exec, setAlarm]) spy.mockClear();
  }
  return written;
}
