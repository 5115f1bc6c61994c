// Tests which tasks of an object run together, and when the next ones begin after a failure.
import { expect, it } from "vitest";
import { TaskLoop, type Task, type TaskEnd } from "../../../src/objects/batches/task-loop.ts";

const idle = () => new Promise((resolve) => setImmediate(resolve));
const crash = () => Promise.reject<TaskEnd>(new Error("down"));

function loopWith({ atOnce = 2, sliceMs = 100 }: { atOnce?: number; sliceMs?: number } = {}) {
  const state = { nowMs: 0, failures: 0, asked: new Array<boolean>() };
  const tasks: Task[] = [];
  const started: PromiseWithResolvers<TaskEnd>[] = [];
  /** Adds a task that ends when the test says so. */
  const add = (rest: Partial<Task> = {}) => {
    const run = () => {
      const end = Promise.withResolvers<TaskEnd>();
      started.push(end);
      return end.promise;
    };
    tasks.push({ run, ...rest });
  };
  const loop = new TaskLoop({
    atOnce: () => atOnce,
    slice: { ms: sliceMs, longMs: 3 * sliceMs, tasks: 100 },
    now: () => state.nowMs,
    next: (isIdle) => (state.asked.push(isIdle), tasks.shift() ?? null),
    failed: () => void state.failures++,
  });
  const end = async (index: number, taskEnd: TaskEnd = "done") => {
    started[index]?.resolve(taskEnd);
    await idle();
  };
  return { loop, state, tasks, started, add, end };
}

it("a loop runs a limited number of tasks at the same time, starts another when one ends, and ends when none is left", async () => {
  const { loop, started, add, end } = loopWith();
  for (const _ of [1, 2, 3]) add();
  const run = loop.run();
  const counts = [started.length];
  await end(1);
  counts.push(started.length);
  await loop.run(); // A second run does nothing.
  const wasRunning = loop.isRunning;

  await end(0);
  await end(2);
  await run;

  expect([counts, wasRunning, loop.isRunning]).toEqual([[2, 3], true, false]);
});

it("a task that is added during a run starts when the loop is woken", async () => {
  const { loop, started, add, end } = loopWith();
  add();
  const run = loop.run();
  add();
  await idle();
  const before = started.length;

  loop.wake();
  await idle();

  expect([before, started.length]).toEqual([1, 2]);
  for (const index of [0, 1]) await end(index);
  await run;
});

it("no task starts after the end of the slice", async () => {
  const { loop, state, started, tasks, add, end } = loopWith({ sliceMs: 10 });
  for (const _ of [1, 2, 3]) add();
  const run = loop.run();
  state.nowMs = 10;

  for (const index of [0, 1]) await end(index);
  await run;

  expect([started.length, tasks.length]).toEqual([2, 1]);
});

it("nothing else runs while an exclusive task runs", async () => {
  const { loop, state, started, add, end } = loopWith({ atOnce: 3 });
  add({ isAlone: true });
  for (const _ of [1, 2]) add();
  const run = loop.run();
  const alone = started.length;

  await end(0);

  expect([alone, started.length, state.asked.slice(0, 3)]).toEqual([1, 3, [true, true, false]]);
  for (const index of [1, 2]) await end(index);
  await run;
});

it("the pause grows with each consecutive failure, up to a minute, until a task succeeds", async () => {
  const { loop, state, add, end } = loopWith();
  const pauses: number[] = [];
  const next = async (run: () => Promise<TaskEnd>) => {
    state.nowMs = loop.pausedUntilMs;
    add({ run });
    await loop.run();
    pauses.push(loop.pausedUntilMs - state.nowMs);
  };
  for (const _ of Array(8)) await next(crash);
  await next(async () => "done");
  await next(crash);
  await next(async () => ({ retryAfterSeconds: 30 }));
  await next(async () => ({ retryAfterSeconds: 300 }));

  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 0, 1, 30, 60].map((seconds) => seconds * 1_000));
  expect(state.failures).toBe(9);
  await end(0);
});

it("tasks that fail together count as one failure, and no other task starts during the pause", async () => {
  const { loop, started, tasks, add, end } = loopWith();
  for (const _ of [1, 2, 3]) add();
  const run = loop.run();

  for (const index of [0, 1]) await end(index, { retryAfterSeconds: 0 });
  await run;
  await loop.run();

  expect([loop.pausedUntilMs, started.length, tasks.length]).toEqual([1_000, 2, 1]);
});

it("a stopped loop waits for the tasks in progress and starts no more tasks", async () => {
  const { loop, started, add, end } = loopWith({ atOnce: 1 });
  for (const _ of [1, 2]) add();
  const run = loop.run();
  let isStopped = false;
  const stopping = loop.stop().then(() => (isStopped = true));
  await idle();
  const before = isStopped;

  await end(0);
  await Promise.all([run, stopping]);

  expect([before, isStopped, started.length]).toEqual([false, true, 1]);
});

it("while a long task runs, other tasks start even after the end of the slice, but only for a limited time", async () => {
  const { loop, state, started, add, end } = loopWith({ sliceMs: 100 });
  add({ isLong: true });
  for (const _ of [1, 2, 3]) add();
  const run = loop.run();
  state.nowMs = 299;
  await end(1);
  const beside = started.length;
  state.nowMs = 300;
  await end(2);
  const after = started.length;
  await end(0);
  await run;

  expect([beside, after, started.length]).toEqual([3, 3, 3]);
});
