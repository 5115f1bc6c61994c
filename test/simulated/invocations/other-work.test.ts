// The alarm of the quota, the queue's consumer and the scheduled run under the limits of the platform.
import { beforeAll, expect, it, vi } from "vitest";
import { AccountQuota } from "../../../src/objects/account-quota.ts";
import { recordsPerAlarm } from "../../../src/objects/accounts/quota-storage.ts";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import { consumeWebhookMessages } from "../../../src/operations/webhooks/dispatch-webhooks.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { dispatchServices, maintenanceServices } from "../../../src/services/maintenance-services.ts";
import { readShards } from "../../../src/settings.ts";
import { memoryBucket, memoryD1 } from "../../fakes/bindings.ts";
import { objectStorage, storageOf } from "../../fakes/object-storage.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { completedDocument, eventOf, reserveRequest } from "../../fixtures/documents.ts";
import { withoutThreads } from "../../objects/batches/without-threads.ts";
import { namespaceOf } from "./batch-world.ts";
import { drive, driveLimited, limitedBindings, newInvocation, platformLimits } from "./invocation.ts";

vi.mock("cloudflare:workers", () => import("../../fakes/cloudflare-workers.ts"));

withoutThreads();
beforeAll(() => {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
});

/** Bindings whose calls belong to one invocation, the bindings without it, and the calls of the objects. */
function newWorld({ killAt, shards = 1 }: { killAt?: { call: number; hasEffect: boolean }; shards?: number } = {}) {
  const invocation = newInvocation({ killAt });
  const calledObjects: string[] = [];
  const called = (name: string) => async () => (calledObjects.push(name), []);
  const objects = namespaceOf(() => new Proxy({}, { get: (_, name) => called(String(name)) }));
  const env = {
    ...{
      DB: memoryD1(),
      FILES: memoryBucket().bucket,
      PRIVATE_FILES: memoryBucket().bucket,
      TEMPLATES: memoryBucket().bucket,
    },
    ...Object.fromEntries(each(shards - 1, (index) => [`DB_${index + 1}`, memoryD1("shard")])),
    WEBHOOKS: { send: async () => {} },
    ...{ ACCOUNT_QUOTA: objects, BATCH_RUNNER: objects, BROWSER_POOL: objects, WEBHOOK_SENDER: objects },
  } as unknown as Env;
  const { counts, call } = invocation;
  const d1 = d1Client(env.DB, 5_000);
  return { calledObjects, counts, d1, bindings: env, env: limitedBindings(env, call), invocation };
}

type World = ReturnType<typeof newWorld>;

/** Kills the work of a new world at each of its calls, with and without the call's effect. `check` runs after each kill. */
async function killedAtEachCall(
  prepare: (world: World) => Promise<(env: Env) => Promise<unknown>>,
  check: (world: World, work: (env: Env) => Promise<unknown>) => Promise<void>,
): Promise<number> {
  for (let call = 1; ; call++) {
    for (const hasEffect of [true, false]) {
      const world = newWorld({ killAt: { call, hasEffect } });
      const work = await prepare(world);
      const outcome = await driveLimited(world.invocation, work(world.env));
      if (outcome === "done") return call - 1;
      await check(world, work);
    }
  }
}

const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Inserts a download that was recorded too long ago to be kept. */
async function oldDownload(shard: D1Database): Promise<void> {
  const insert = "INSERT INTO document_downloads (id, account_id, document_id, created_at) VALUES ('d', 'a', 'b', 0)";
  await shard.prepare(insert).run();
}

it("an alarm of the quota settles as many expired holds as the limits allow, and the next alarm settles the rest", async () => {
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

it("a scheduled run dispatches overdue events, and removes expired documents of as many accounts as the limits allow", async () => {
  const { env, d1, counts } = newWorld();
  const createdAt = Date.now() - 24 * 3_600_000;
  const documents = each(1_001, () =>
    completedDocument({ createdAt, expiresAt: createdAt + 60_000, completedAt: createdAt }),
  );
  for (const document of documents) {
    const event = eventOf(completedDocument({ createdAt }));
    await documentStore(singleDatabase(d1)).insert(document);
    await webhookStore(singleDatabase(d1)).insert(event);
  }
  const log = vi.fn();

  await drive(runMaintenance({ ...maintenanceServices(env), log }));

  expect(log.mock.calls.filter(([level]) => level === "error")).toEqual([]);
  expect(log).toHaveBeenCalledWith("warn", { event: "webhook.overdue", accounts: 1_000, events: 1_000 });
  expect(log).toHaveBeenCalledWith("info", { event: "retention.removed", what: "expired", count: 1_001 });
  const { subrequests, queries } = counts;
  expect([subrequests < platformLimits.subrequests / 2, queries < platformLimits.queries / 2]).toEqual([true, true]);
});

it("a scheduled run works in fifty shards, all of which have overdue events, expired documents, old events and old downloads", async () => {
  const { env, bindings, counts } = newWorld({ shards: 50 });
  const createdAt = Date.now() - 40 * 24 * 3_600_000;
  for (const shard of readShards(bindings).values()) {
    const databases = singleDatabase(d1Client(shard, 5_000));
    await documentStore(databases).insert(
      completedDocument({ createdAt, expiresAt: createdAt + 60_000, completedAt: createdAt }),
    );
    await webhookStore(databases).insert(eventOf(completedDocument({ createdAt })));
    await oldDownload(shard);
    await shard.prepare("UPDATE webhook_events SET status = 'dead', dispatch_at = NULL").run();
    await webhookStore(databases).insert(eventOf(completedDocument({ createdAt: Date.now() - 3_600_000 })));
  }
  const log = vi.fn();

  for (let run = 0; run < 2; run++) {
    await drive(runMaintenance({ ...maintenanceServices(env), log }));
    vi.advanceTimersByTime(60_000);
  }

  const logged = (what: string) =>
    log.mock.calls.filter(([, entry]) => entry.what === what).map(([, entry]) => entry.count);
  expect(log.mock.calls.filter(([level]) => level === "error")).toEqual([]);
  expect([logged("expired"), logged("events"), logged("downloads")]).toEqual([
    [30, 20],
    [30, 20],
    [30, 20],
  ]);
  expect(counts.queries).toBeLessThan(platformLimits.queries);
});

it("the next scheduled run completes the work of a killed run", async () => {
  const createdAt = Date.now() - 40 * 24 * 3_600_000;
  const calls = await killedAtEachCall(
    async ({ d1, bindings }) => {
      for (const expiresAt of [createdAt + 60_000, createdAt + 30 * 24 * 3_600_000]) {
        const document = completedDocument({ createdAt, expiresAt, completedAt: createdAt });
        await documentStore(singleDatabase(d1)).insert(document);
        await bindings.FILES.put(document.fileKey, "file");
      }
      await webhookStore(singleDatabase(d1)).insert(eventOf(completedDocument({ createdAt })));
      await oldDownload(bindings.DB);
      return (env) => runMaintenance({ ...maintenanceServices(env), log: () => {} });
    },
    async ({ bindings, calledObjects }, work) => {
      await drive(work(bindings));

      const select = "SELECT id FROM documents UNION ALL SELECT id FROM document_downloads";
      const { results } = await bindings.DB.prepare(select).all();
      const { objects } = await bindings.FILES.list();
      expect([results, objects, calledObjects.includes("accept")]).toEqual([[], [], true]);
    },
  );

  expect(calls).toBeGreaterThan(15);
});

it("the messages of a killed queue consumer are dispatched when the queue repeats them", async () => {
  const calls = await killedAtEachCall(
    async () => (env) => {
      const ack = () => {};
      const body = { accountId: crypto.randomUUID(), eventId: "evt_1" };
      return consumeWebhookMessages(dispatchServices(env), [{ id: "1", body, ack, retry: ack }]);
    },
    async ({ bindings, calledObjects }, work) => {
      await drive(work(bindings));

      expect(calledObjects.at(-1)).toBe("accept");
    },
  );

  expect(calls).toBeGreaterThanOrEqual(2);
});

it("holds are settled once even if the alarm of the quota is killed, and at most one more alarm fires in an idle hour", async () => {
  const accountId = crypto.randomUUID();
  let storage = objectStorage();
  let killed = { isDead: false };
  const open = (env: Env, its: { isDead: boolean }) =>
    new AccountQuota({ storage: storageOf(its, storage) } as DurableObjectState, env);
  const calls = await killedAtEachCall(
    async ({ env }) => {
      storage = objectStorage();
      killed = { isDead: false };
      const quota = open(env, killed);
      for (const request of each(3, () => reserveRequest({ accountId }, { limit: 3 })))
        await quota.reserve(JSON.stringify(request));
      vi.advanceTimersByTime(61_000);
      return () => quota.alarm();
    },
    async ({ bindings }) => {
      killed.isDead = true;
      const restarted = open(bindings, { isDead: false });
      const untilMs = Date.now() + 3_600_000;
      let alarms = 0;
      for (let at = 0; at <= untilMs; at = (await storage.getAlarm()) ?? Infinity) {
        vi.advanceTimersByTime(Math.max(0, at - Date.now()));
        await storage.deleteAlarm();
        await drive(restarted.alarm());
        alarms++;
      }

      const failed = await bindings.DB.prepare("SELECT count(*) AS n FROM documents WHERE status = 'failed'").all();
      expect([await restarted.unsettled(), alarms <= 2, failed.results]).toEqual([0, true, [{ n: 3 }]]);
    },
  );

  expect(calls).toBeGreaterThanOrEqual(3);
});
