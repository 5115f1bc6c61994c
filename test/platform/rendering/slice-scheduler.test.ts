import { beforeEach, expect, it } from "vitest";
import { sliceScheduler } from "../../../src/platform/rendering/slice-scheduler.ts";
import type { SliceScheduler } from "../../../src/ports/rendering.ts";

const startMs = 1_000_000;
const farDeadline = startMs + 1_000_000;

type Timer = { at: number; fire: () => void };

let nowMs: number;
let timers: Timer[];
let scheduler: SliceScheduler;
/** The names of the renders in the order in which their slices began. */
let begun: string[];

beforeEach(() => {
  nowMs = startMs;
  timers = [];
  begun = [];
  scheduler = sliceScheduler(
    () => nowMs,
    (ms) => new Promise<void>((resolve) => timers.push({ at: nowMs + ms, fire: resolve })),
  );
});

/** Runs one turn of the event loop: fires all timers that are due, and lets each render run before the next fires. */
async function turn(): Promise<void> {
  const due = timers.filter(({ at }) => at <= nowMs);
  timers = timers.filter(({ at }) => at > nowMs);
  for (const { fire } of due) {
    fire();
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let step = 0; step < 20; step++) await Promise.resolve();
}

/** Runs turns of the event loop for this long, one each millisecond. */
async function elapse(ms: number): Promise<void> {
  for (const end = nowMs + ms; nowMs < end; nowMs++) await turn();
}

type Render = { name: string; accountId?: string; workDone?: number; deadline?: number; sliceMs?: number };

/** Pauses a render. When its slice begins, the clock advances by the duration of the slice. */
function pause({ name, accountId = name, workDone = 1, deadline = farDeadline, sliceMs = 0 }: Render): void {
  void scheduler.pause({ accountId, deadline }, workDone).then(() => {
    begun.push(name);
    nowMs += sliceMs;
  });
}

it("lets the first slice of a render begin at once, even while other renders wait", async () => {
  pause({ name: "long", workDone: 50_000_000 });

  pause({ name: "new", workDone: 0 });
  await settled();

  expect(begun).toEqual(["new"]);
});

it("is not delayed by the first slices of other renders", async () => {
  pause({ name: "long", workDone: 50_000_000 });

  for (let count = 0; count < 5; count++) {
    pause({ name: "new", workDone: 0 });
    await elapse(1);
  }

  expect(begun).toContain("long");
});

it("lets the render go first that has done least work", async () => {
  pause({ name: "heavy", workDone: 50_000_000 });
  pause({ name: "light", workDone: 2_000_000 });
  pause({ name: "medium", workDone: 10_000_000 });

  await elapse(100);

  expect(begun).toEqual(["light", "medium", "heavy"]);
});

it("lets the render with the next deadline go first among those that have done about the same work", async () => {
  pause({ name: "later", accountId: "a", workDone: 20_000_000, deadline: startMs + 20_000 });
  pause({ name: "sooner", accountId: "a", workDone: 90_000_000, deadline: startMs + 10_000 });

  await elapse(100);

  expect(begun).toEqual(["sooner", "later"]);
});

it("lets a heavy render of one account go before many lighter renders of another", async () => {
  for (let count = 1; count <= 32; count++) pause({ name: `bomb ${count}`, accountId: "many", workDone: 2_000_000 });
  pause({ name: "single", accountId: "one", workDone: 50_000_000 });

  await elapse(100);

  expect(begun.indexOf("single")).toBe(0);
});

it("begins one slice in each turn of the event loop, although the timers of all renders are due", async () => {
  for (let count = 0; count < 32; count++) pause({ name: `render ${count}`, sliceMs: 20 });
  const slicesByTurn: number[] = [];

  for (let count = 0; count < 200 && begun.length < 32; count++) {
    const before = begun.length;
    await turn();
    slicesByTurn.push(begun.length - before);
    nowMs++;
  }

  expect(begun).toHaveLength(32);
  expect(Math.max(...slicesByTurn)).toBe(1);
});

it("begins the slices of 32 renders in order of their deadlines", async () => {
  const names = Array.from({ length: 32 }, (_, index) => `render ${index}`);
  for (const [index, name] of [...names.entries()].toReversed()) {
    pause({ name, accountId: "same", deadline: farDeadline + index, sliceMs: 20 });
  }

  await elapse(5_000);

  expect(begun).toEqual(names);
});

it("goes on after a second when the render that was next has been stopped", async () => {
  pause({ name: "stopped", workDone: 1 });
  timers = [];
  pause({ name: "other", workDone: 50_000_000 });

  await elapse(1_000);
  const duringFirstSecond = [...begun];
  await elapse(20);

  expect(duringFirstSecond).toEqual([]);
  expect(begun).toEqual(["other"]);
});

it("goes on at once when the render whose slice was running has been stopped or has finished", async () => {
  pause({ name: "finished" });
  pause({ name: "other", workDone: 2 });

  await elapse(3);

  expect(begun).toEqual(["finished", "other"]);
});

it("lets a render go that was silent for more than a second, but was not stopped", async () => {
  pause({ name: "silent", workDone: 50_000_000 });
  pause({ name: "other" });
  await turn();
  nowMs += 5_000;

  await elapse(50);

  expect(begun).toEqual(["other", "silent"]);
});

it("stops waiting at the deadline, although it is not the turn of the render", async () => {
  pause({ name: "late", workDone: 50_000_000, deadline: startMs + 300 });
  const preferLight = () => pause({ name: "light", workDone: 1 });

  for (let count = 0; count < 400; count++) {
    preferLight();
    await elapse(1);
  }

  const lights = begun.indexOf("late");
  expect(lights).toBeGreaterThan(100);
});
