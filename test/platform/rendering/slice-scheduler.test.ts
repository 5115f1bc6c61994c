import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SliceScheduler } from "colophon-render/render-services";
import { sliceScheduler } from "../../../src/platform/rendering/slice-scheduler.ts";

let scheduler: SliceScheduler;
/** The names of the renders in the order in which their slices began. */
let begun: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  scheduler = sliceScheduler();
  begun = [];
});
afterEach(() => void vi.useRealTimers());

type Render = { name: string; accountId?: string; deadline?: number };

async function pause({ name, accountId = name, deadline = 20_000 }: Render): Promise<void> {
  await scheduler.pause({ accountId, deadline });
  begun.push(name);
}

it("other events can be handled between two slices", async () => {
  vi.useRealTimers();
  let ticks = 0;
  let isTicking = true;
  const tick = () => void (ticks++, isTicking && setImmediate(tick));
  tick();
  const ticksAtSlices: number[] = [];
  const deadline = Date.now() + 20_000;
  const slices = Array.from({ length: 32 }, (_, n) =>
    scheduler.pause({ accountId: `account ${n}`, deadline }).then(() => ticksAtSlices.push(ticks)),
  );

  await Promise.all(slices);
  isTicking = false;

  expect(new Set(ticksAtSlices).size).toBe(32);
});

it("a promise for the end of each slice is passed to the function that keeps the request alive", async () => {
  const ends: Promise<void>[] = [];
  await scheduler.pause({ accountId: "a", deadline: 20_000, keepAlive: (slice) => ends.push(slice) });
  void pause({ name: "next" });

  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(ends);

  expect(ends).toHaveLength(1);
  expect(begun).toEqual(["next"]);
});

it("the renders of one account finish in the order of their deadlines", async () => {
  const render = async (name: string, deadline: number) => {
    for (let slice = 0; slice < 3; slice++) await pause({ name, accountId: "a", deadline });
  };
  const rendered = [render("first", 1_000), render("last", 3_000), render("second", 2_000)];

  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(rendered);

  expect(begun.join(" ")).toBe("first first first second second second last last last");
});

it("a single render of one account runs before many renders of a different account", async () => {
  for (let count = 1; count <= 32; count++) void pause({ name: `bomb ${count}`, accountId: "many" });
  void pause({ name: "single", accountId: "one" });

  await vi.advanceTimersByTimeAsync(100);

  expect(begun.indexOf("single")).toBeLessThanOrEqual(2);
});

it("a render stops waiting at its deadline, even while another render uses the processor", async () => {
  void pause({ name: "running" });
  const isOver = vi.fn();
  void pause({ name: "late", deadline: 0 }).then(isOver);
  void pause({ name: "later", deadline: 10_000 });
  await vi.advanceTimersByTimeAsync(0);

  expect(isOver).toHaveBeenCalled();
});
