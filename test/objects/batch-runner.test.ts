// Tests when an account's `BatchRunner` retries after a failure of the service. `batch-faults.test.ts` tests the outcomes.
import { expect, it, vi } from "vitest";
import type { Batch } from "../../src/core/batches/batch.ts";
import { faultWorld, minuteMs, month, monthlyRenders } from "./batches/fault-world.ts";
import { withoutThreads } from "./batches/without-threads.ts";

vi.mock("cloudflare:workers", () => import("../fakes/cloudflare-workers.ts"));

withoutThreads();

const batchId = "00000000-0000-4000-9000-000000000000";
const total = 9;

/** An account whose calls fail only if the test says so, with an open batch. `lines` are its items. */
async function runnerWorld(lines = Array.from({ length: total }, (_, index) => `{"data":{"name":"${index}"}}`)) {
  const world = await faultWorld(0);
  world.faults.rate = 0;
  const { account, template, state, storage } = world;
  const { batches, batchFiles, origin: at } = world.servicesOf({ isDead: false });
  /** Lets all calls take effect. */
  const settled = async () => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (world.calls.release());
  };
  const done = async <T>(work: Promise<T>) => (await Promise.all([work, settled()]))[0];
  const items = lines.map((line) => `${line}\n`).join("");
  const open = async (id: string) => {
    world.items.set(id, items);
    await done(batchFiles.keepTemplate(account.id, id, template));
    await done(batches.open(account.id, id));
  };
  await open(batchId);
  const options = { format: "pdf", deviceScaleFactor: 1 } as const;
  const batch: Batch = {
    ...{
      id: batchId,
      accountId: account.id,
      retentionDays: "keep",
      template,
      options,
      output: ["documents"],
      merged: { startOn: "any" },
      month,
      at,
    },
    ...{ webhookUrl: null, createdAt: state.nowMs, expiresAt: state.nowMs + 600 * minuteMs, secret: "s" },
    ...{ baseUrl: "https://colophon.test/api/v1", cdnUrl: "https://files.test/files" },
  };
  const accept = (id = batchId) => {
    const customIds = Array<null>(lines.length).fill(null);
    const request = { batch: { ...batch, id, secret: id }, customIds, idempotency: null, limit: monthlyRenders };
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
  /** Fires each alarm when it is due, until the time has passed. Returns the number of alarms. */
  const pass = async (ms: number) => {
    const untilMs = state.nowMs + ms;
    let count = 0;
    for (let at = await storage.getAlarm(); at !== null && at <= untilMs; at = await storage.getAlarm()) {
      state.nowMs = Math.max(at, state.nowMs);
      await fireAlarm();
      count++;
    }
    state.nowMs = untilMs;
    return count;
  };
  const countsOf = async (id = batchId) => (await world.live().find(account.id, id))?.counts;
  return { ...world, open, accept, drop, done, alarmMs, fireAlarm, pass, countsOf };
}

it("the removal of a batch is repeated a minute later if it fails", async () => {
  const { calls, items, drop, alarmMs, fireAlarm } = await runnerWorld();
  await drop();
  calls.isDown.add("contents");
  const alarms = [await alarmMs(), await fireAlarm()];
  const kept = items.size;
  calls.isDown.clear();

  alarms.push(await fireAlarm());

  expect([alarms, kept, items.size]).toEqual([[0, minuteMs, NaN], 1, 0]);
});

it("a dropped batch is not accepted when the call to accept it arrives late", async () => {
  const { accept, drop, fireAlarm, quota } = await runnerWorld();
  await drop();
  const before = await accept().catch((error: Error) => error.message);
  await fireAlarm();
  const after = await accept().catch((error: Error) => error.message);

  expect([before, after]).toEqual(Array(2).fill(`batch ${batchId} is no longer open`));
  expect(await quota.usage(month)).toEqual({ used: 0, reserved: 0 });
});

it("while no file can be stored, only the items in progress are tried, and then the batch pauses", async () => {
  const { calls, accept, fireAlarm, storage } = await runnerWorld();
  await accept();
  calls.isDown.add("files");

  const dueMs = await fireAlarm();

  const suspects = storage.sql.exec("SELECT * FROM items WHERE is_suspect = 1").toArray();
  expect([dueMs, suspects.length]).toEqual([1_000, 3]);
});

it("an item whose document was recorded is not rendered again after the database's response was lost", async () => {
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

  expect([lost, files.length]).toEqual([total, total]);
  expect([...state.files]).toEqual(files);
});

const good = (name: string) => `{"data":{"name":"${name}"}}`;
const broken = "\u0000";

it.each([
  ["first", [broken, good("1"), good("2"), good("3")], 1],
  ["last", [good("1"), good("2"), broken], 1],
  ["in the majority", [...Array<string>(9).fill(broken), good("1")], 9],
])(
  "items that the service cannot read fail after a few tries, without other items, when they are %s",
  async (_where, lines, bad) => {
    const { open, accept, pass, countsOf, state, quota, live, account } = await runnerWorld(lines);
    const other = batchId.replace("9000", "9001");
    await open(other);
    await accept();
    await accept(other);

    await pass(30_000);
    const early = [(await countsOf())?.completed, (await countsOf(other))?.completed];
    const count = await pass(10 * minuteMs);

    const failed = { total: lines.length, completed: lines.length - bad, failed: bad, canceled: 0 };
    expect(early).toEqual([failed.completed, failed.completed]);
    expect([await countsOf(), await countsOf(other)]).toEqual([failed, failed]);
    expect((await live().results(account.id, batchId, 0, 10))?.[lines.indexOf(broken)]?.outcome).toMatchObject({
      ...{ status: "failed", error: { code: "INTERNAL_ERROR" } },
    });
    expect(await quota.usage(month)).toEqual({ used: 2 * failed.completed, reserved: 0 });
    expect([count < 40 * bad, state.files.size]).toEqual([true, 2 * failed.completed]);
  },
);

it.each([["d1"], ["files"], ["contents"], ["d1", "files", "contents"]] as const)(
  "while these parts are down for an hour, no item fails, and afterwards all are completed: %s %s %s",
  async (...parts) => {
    const { calls, accept, pass, countsOf } = await runnerWorld();
    await accept();
    for (const part of parts) calls.isDown.add(part);
    const alarms = await pass(60 * minuteMs);
    const during = await countsOf();
    calls.isDown.clear();

    await pass(20 * minuteMs);

    expect([alarms < 400, during]).toEqual([true, { total, completed: 0, failed: 0, canceled: 0 }]);
    expect(await countsOf()).toEqual({ total, completed: total, failed: 0, canceled: 0 });
  },
);

it("an object whose batches have ended sets no alarm until the first of them expires", async () => {
  const { accept, pass, alarmMs } = await runnerWorld();
  await accept();
  await pass(minuteMs);

  expect([await pass(60 * minuteMs), await alarmMs()]).toEqual([0, (600 - 61) * minuteMs]);
});

it("a new instance logs once that the previous run did not end", async () => {
  const { accept, alarms, kill, fireAlarm, state } = await runnerWorld();
  await accept();
  alarms.again();
  await new Promise((resolve) => setImmediate(resolve));
  kill();

  await fireAlarm();
  await fireAlarm();

  const interrupted = state.log.filter(({ event }) => event === "batch.run_interrupted");
  expect(interrupted).toMatchObject([{ level: "warn", beganAt: state.nowMs }]);
});
