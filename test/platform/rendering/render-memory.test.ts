import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderMemory } from "../../../src/platform/rendering/render-memory.ts";
import type { RenderMemory, ReservedMemory } from "../../../src/ports/rendering.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Reserving = { outcome: "waiting" | "reserved" | "refused"; reserved: ReservedMemory | null };

const createMs = 20_000;

function reserving(memory: RenderMemory, bytes: number, accountId = "a", timeoutMs = 1_000): Reserving {
  const reserving: Reserving = { outcome: "waiting", reserved: null };
  void memory.reserve({ accountId, bytes, timeoutMs, deadline: Date.now() + createMs }).then((reserved) => {
    reserving.outcome = reserved ? "reserved" : "refused";
    reserving.reserved = reserved;
  });
  return reserving;
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const outcomes = (...all: Reserving[]) => all.map(({ outcome }) => outcome);

it("reserves memory up to the limit, and lets a further render wait until there is enough", async () => {
  const memory = renderMemory(100);
  const [first, second, third] = [reserving(memory, 60), reserving(memory, 40), reserving(memory, 50)];
  await settle();
  expect(outcomes(first, second, third)).toEqual(["reserved", "reserved", "waiting"]);

  second.reserved?.release();
  await settle();
  expect(third.outcome).toBe("waiting");

  first.reserved?.release();
  await settle();
  expect(third.outcome).toBe("reserved");
});

it("lets a render that needs more than the limit start when it is alone", async () => {
  const memory = renderMemory(100);
  const [first, second] = [reserving(memory, 10), reserving(memory, 200)];
  await settle();
  expect(second.outcome).toBe("waiting");

  first.reserved?.release();
  await settle();
  expect(second.outcome).toBe("reserved");
});

it("gives the memory that a render does not take to the next one", async () => {
  const memory = renderMemory(100);
  const [first, second] = [reserving(memory, 100), reserving(memory, 50)];
  await settle();

  first.reserved?.resize(50);
  await settle();

  expect(second.outcome).toBe("reserved");
});

it("lets accounts that hold little go first", async () => {
  const memory = renderMemory(100);
  const [first, other] = [reserving(memory, 50, "a"), reserving(memory, 50, "b")];
  const waiting = [reserving(memory, 50, "a"), reserving(memory, 50, "c")] as const;
  await settle();

  other.reserved?.release();
  await settle();

  expect(outcomes(first, ...waiting)).toEqual(["reserved", "waiting", "reserved"]);
});

it("refuses a render that has waited for its maximum time, and lets the next one start", async () => {
  const memory = renderMemory(100);
  const first = reserving(memory, 60, "a", 5_000);
  const large = reserving(memory, 90, "b", 1_000);
  const small = reserving(memory, 30, "c", 5_000);
  await settle();
  expect(outcomes(first, large, small)).toEqual(["reserved", "waiting", "waiting"]);

  await vi.advanceTimersByTimeAsync(1_000);

  expect(outcomes(first, large, small)).toEqual(["reserved", "refused", "reserved"]);
});

it("frees what a request that was stopped from outside has not released, after the deadline of its create", async () => {
  const memory = renderMemory(100);
  const stopped = reserving(memory, 100);
  await settle();
  expect(stopped.outcome).toBe("reserved");

  await vi.advanceTimersByTimeAsync(createMs + 1);
  const next = reserving(memory, 60);
  await settle();

  expect(next.outcome).toBe("reserved");
});

it("tells what is reserved before the render goes on, and when a reservation changes", async () => {
  const seen: number[] = [];
  const memory = renderMemory(100, (heldBytes) => void seen.push(heldBytes));
  const deadline = Date.now() + 5_000;

  const first = await memory.reserve({ accountId: "a", bytes: 60, timeoutMs: 100, deadline });
  await memory.reserve({ accountId: "b", bytes: 30, timeoutMs: 100, deadline });
  first?.resize(10);

  expect(seen).toEqual([60, 90, 40]);
});
