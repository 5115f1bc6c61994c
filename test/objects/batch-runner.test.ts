// Tests when an account's `BatchRunner` tries again after a failure of the service. `batch-faults.test.ts` tests the outcomes.
import { expect, it, vi } from "vitest";
import type { Batch } from "../../src/core/batches/batch.ts";
import { withoutThreads } from "./batches/without-threads.ts";
import { faultWorld, minuteMs, month, monthlyRenders } from "./batches/fault-world.ts";

vi.mock("cloudflare:workers", () => import("../fakes/cloudflare-workers.ts"));

withoutThreads();

const batchId = "00000000-0000-4000-9000-000000000000";
const total = 9;

/** An account whose calls fail only if the test says so, with an open batch. */
async function runnerWorld() {
  const world = await faultWorld(0);
  world.faults.rate = 0;
  const { account, template, state, storage } = world;
  const { batches, batchFiles, at } = world.servicesOf({ isDead: false });
  /** Lets all calls take effect. */
  const settled = async () => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (world.calls.release());
  };
  const done = async <T>(work: Promise<T>) => (await Promise.all([work, settled()]))[0];
  const items = Array.from({ length: total }, (_, index) => `{"data":{"name":"${index}"}}\n`).join("");
  world.items.set(batchId, items);
  await done(batchFiles.keepTemplate(account.id, batchId, template));
  await done(batches.open(account.id, batchId));
  const options = { format: "pdf", deviceScaleFactor: 1 } as const;
  const batch: Batch = {
    ...{
      id: batchId,
      accountId: account.id,
      retentionDays: "keep",
      template,
      options,
      output: ["documents"],
      month,
      at,
    },
    ...{ webhookUrl: null, createdAt: state.nowMs, expiresAt: state.nowMs + 600 * minuteMs, secret: "s" },
    ...{ baseUrl: "https://colophon.test/api/v1", cdnUrl: "https://files.test/files" },
  };
  const accept = () => {
    const request = { batch, customIds: Array<null>(total).fill(null), idempotency: null, limit: monthlyRenders };
    return done(
      batches.accept(account.id, { ...request, chunks: [{ firstIndex: 0, offset: 0, length: items.length }] }),
    );
  };
  const drop = () => done(batches.drop(account.id, batchId));
  const alarmMs = async () => ((await storage.getAlarm()) ?? NaN) - state.nowMs;
  /** Fires the alarm and returns when the next one is due, in ms. */
  const fireAlarm = async () => {
    await storage.deleteAlarm();
    world.alarms.again();
    await settled();
    return alarmMs();
  };
  return { ...world, accept, drop, alarmMs, fireAlarm };
}

it("a batch that cannot be removed is removed a minute later", async () => {
  const { calls, items, drop, alarmMs, fireAlarm } = await runnerWorld();
  await drop();
  calls.isDown.add("contents");
  const alarms = [await alarmMs(), await fireAlarm()];
  const kept = items.size;
  calls.isDown.clear();

  alarms.push(await fireAlarm());

  expect([alarms, kept, items.size]).toEqual([[0, minuteMs, NaN], 1, 0]);
});

it("a batch that was dropped is not accepted when the call arrives late", async () => {
  const { accept, drop, fireAlarm, quota } = await runnerWorld();
  await drop();
  const before = await accept().catch((error: Error) => error.message);
  await fireAlarm();
  const after = await accept().catch((error: Error) => error.message);

  expect([before, after]).toEqual(Array(2).fill(`batch ${batchId} is not open any more`));
  expect(await quota.usage(month)).toEqual({ used: 0, reserved: 0 });
});

it("while no file can be stored, only the items that were in progress are tried, and then the service rests", async () => {
  const { calls, accept, fireAlarm, storage } = await runnerWorld();
  await accept();
  calls.isDown.add("files");

  const dueMs = await fireAlarm();

  const suspects = storage.sql.exec("SELECT * FROM items WHERE is_suspect = 1").toArray();
  expect([dueMs, suspects.length]).toEqual([1_000, 3]);
});

it("an item whose document was recorded is not rendered again when the response of the database was lost", async () => {
  const { accept, fireAlarm, state, documents } = await runnerWorld();
  const { insert } = documents;
  let lost = 0;
  documents.insert = async (document, event) => {
    const outcome = await insert(document, event);
    if (lost++ < 3) throw new Error("Network connection lost.");
    return outcome;
  };
  await accept();
  await fireAlarm();
  const files = [...state.files];

  state.nowMs += 1_000;
  await fireAlarm();

  expect([...state.files].slice(0, 3)).toEqual(files);
  expect([state.files.size, files.length]).toEqual([total, 3]);
});
