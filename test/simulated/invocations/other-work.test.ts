// The alarm of the quota, the queue's consumer and the scheduled run under the limits of the platform.
import { expect, it, vi } from "vitest";
import { AccountQuota } from "../../../src/objects/account-quota.ts";
import { recordsPerAlarm } from "../../../src/objects/accounts/quota-storage.ts";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import { consumeWebhookMessages } from "../../../src/operations/webhooks/dispatch-webhooks.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { dispatchServices, maintenanceServices } from "../../../src/services/maintenance-services.ts";
import { memoryBucket, memoryD1 } from "../../fakes/bindings.ts";
import { objectStorage } from "../../fakes/object-storage.ts";
import { completedDocument, eventOf, reserveRequest } from "../../fixtures/documents.ts";
import { withoutThreads } from "../../objects/batches/without-threads.ts";
import { drive, namespaceOf } from "./batch-world.ts";
import { limitedBindings, newInvocation, platformLimits } from "./invocation.ts";

vi.mock("cloudflare:workers", () => import("../../fakes/cloudflare-workers.ts"));

withoutThreads();

/** Each of its methods resolves with an empty list. */
const object = new Proxy({}, { get: () => async () => [] });

/** Bindings whose calls belong to one invocation, and the database without it. */
function newWorld() {
  const invocation = newInvocation();
  const objects = namespaceOf(() => object);
  const env = {
    ...{ DB: memoryD1(), FILES: memoryBucket().bucket, TEMPLATES: memoryBucket().bucket },
    WEBHOOKS: { send: async () => {} },
    ...{ ACCOUNT_QUOTA: objects, BATCH_RUNNER: objects, BROWSER_POOL: objects, WEBHOOK_SENDER: objects },
  } as unknown as Env;
  const { counts, call } = invocation;
  return { counts, d1: d1Client(env.DB, 5_000), env: limitedBindings(env, call) };
}

const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

it("an alarm of the quota settles as many expired holds as it may, and the next alarm settles the rest", async () => {
  const { env, counts } = newWorld();
  const storage = objectStorage();
  const quota = new AccountQuota({ storage } as DurableObjectState, env);
  const count = recordsPerAlarm + 1;
  const accountId = crypto.randomUUID();
  for (const request of each(count, () => reserveRequest({ accountId }, { limit: count, inFlightLimit: count })))
    await quota.reserve(JSON.stringify(request));
  vi.advanceTimersByTime(61_000);

  const left: number[] = [];
  for (const _ of [1, 2]) {
    await drive(quota.alarm());
    left.push(await quota.unsettled());
  }

  expect(left).toEqual([1, 0]);
  expect([counts.subrequests < platformLimits.subrequests / 2, counts.queries < platformLimits.queries / 2]).toEqual([
    true,
    true,
  ]);
});

it.each([100, 101])("a queue batch with events of %i accounts is dispatched", async (count) => {
  const { env, counts } = newWorld();
  const acknowledged: string[] = [];
  const messages = each(count, (index) => ({
    id: `${index}`,
    body: { accountId: crypto.randomUUID(), eventId: `evt_${index}` },
    ack: () => void acknowledged.push(`${index}`),
    retry: () => {},
  }));

  await drive(consumeWebhookMessages(dispatchServices(env), messages));

  expect([acknowledged.length, counts.queries <= 2 * count]).toEqual([count, true]);
});

it("a scheduled run dispatches overdue events, and removes expired documents of as many accounts as it may", async () => {
  const { env, d1, counts } = newWorld();
  const createdAt = Date.now() - 24 * 3_600_000;
  const documents = each(1_001, () =>
    completedDocument({ createdAt, expiresAt: createdAt + 60_000, completedAt: createdAt }),
  );
  for (const document of documents) {
    const event = eventOf(completedDocument({ createdAt }));
    await documentStore(d1).insert(document);
    await webhookStore(d1).insert(event);
  }
  const log = vi.fn();

  await drive(runMaintenance({ ...maintenanceServices(env), log }));

  expect(log.mock.calls.filter(([level]) => level === "error")).toEqual([]);
  expect(log).toHaveBeenCalledWith("warn", { event: "webhook.overdue", accounts: 1_000, events: 1_000 });
  expect(log).toHaveBeenCalledWith("info", { event: "retention.removed", what: "expired", count: 1_001 });
  const { subrequests, queries } = counts;
  expect([subrequests < platformLimits.subrequests / 2, queries < platformLimits.queries / 2]).toEqual([true, true]);
});
