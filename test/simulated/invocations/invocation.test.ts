// Tests that the limits are enforced, with bindings that respond immediately.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { memoryBucket, memoryD1 } from "../../fakes/bindings.ts";
import { limitedBindings, newInvocation, platformLimits } from "./invocation.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const objects = () => ({ idFromName: (name: string) => name, get: () => ({}) });

function bindings(options: Parameters<typeof newInvocation>[0] = {}) {
  const invocation = newInvocation(options);
  const { bucket, objects: stored } = memoryBucket();
  const env = {
    ...{ DB: memoryD1(), FILES: bucket, TEMPLATES: bucket, WEBHOOKS: {} },
    ...{ ACCOUNT_QUOTA: objects(), BATCH_RUNNER: objects(), BROWSER_POOL: objects(), WEBHOOK_SENDER: objects() },
  } as unknown as Env;
  return { invocation, stored, ...limitedBindings(env, invocation.call) };
}

const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

it("an invocation cannot exceed its number of subrequests", async () => {
  const { FILES } = bindings({ subrequests: 3 });
  const calls = Promise.all(["a", "b", "c", "d"].map((key) => statusOf(FILES.put(key, "x"))));
  await vi.runAllTimersAsync();

  expect(await calls).toEqual(["done", "done", "done", "Too many subrequests by single Worker invocation."]);
});

it("an invocation cannot exceed its number of D1 queries, and each statement of a batch counts as one", async () => {
  const { DB, invocation } = bindings();
  const statement = DB.prepare("SELECT 1 AS one").bind();
  const calls = [DB.batch(Array.from({ length: platformLimits.queries }, () => statement)), statement.all()];
  const statuses = Promise.all(calls.map(statusOf));
  await vi.runAllTimersAsync();

  expect(await statuses).toEqual(["done", "Too many D1 queries by single Worker invocation."]);
  expect(invocation.counts).toMatchObject({ subrequests: 2, queries: platformLimits.queries + 1 });
});

it("an invocation that has used up its processor time is ended at its next call", async () => {
  let usedMs = 0;
  const { FILES, stored, invocation } = bindings({ meter: () => usedMs });
  const before = FILES.put("a", "x");
  await vi.runAllTimersAsync();
  await before;
  usedMs = platformLimits.cpuMs + 1;
  void FILES.put("b", "x");
  await vi.runAllTimersAsync();

  expect([await statusOf(invocation.ended), [...stored.keys()]]).toEqual(["the processor time is used up", ["a"]]);
});

it("at most six connections of an invocation wait for a response at the same time", async () => {
  const { FILES } = bindings();
  let responses = 0;
  const heads = Array.from({ length: 8 }, () => FILES.head("a").then(() => responses++));
  await vi.advanceTimersByTimeAsync(25);
  const first = responses;
  await vi.advanceTimersByTimeAsync(25);
  await Promise.all(heads);

  expect([first, responses]).toEqual([platformLimits.connections, 8]);
});

it.each([true, false])(
  "nothing responds to an invocation that was killed at a call (effect: %s)",
  async (hasEffect) => {
    const { FILES, stored, invocation } = bindings({ killAt: { call: 2, hasEffect } });
    let responses = 0;
    for (const key of ["a", "b", "c"]) void FILES.put(key, "x").then(() => responses++);
    const ended = statusOf(invocation.ended);
    await vi.runAllTimersAsync();

    expect([await ended, responses, [...stored.keys()].toSorted()]).toEqual([
      "killed",
      0,
      hasEffect ? ["a", "b"] : ["a"],
    ]);
  },
);
