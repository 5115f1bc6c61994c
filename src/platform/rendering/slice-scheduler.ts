// Lets the Liquid renders of one isolate take turns. Between two slices, everything else that has arrived is handled.
import type { SliceScheduler } from "../../ports/rendering.ts";

/** A render between two slices. `seenAt` is when it last asked whether it may go on, in ms since the epoch. */
type Waiter = { workDone: number; seenAt: number };

/** How often a waiting render asks whether it may go on. */
const pollMs = 10;
/** A render that has not asked within this time was stopped from outside. */
const abandonedMs = 1_000;

/**
 * Returns a scheduler. Renders ask again and again instead of waking each other, because a request that is stopped from
 * outside runs no more code: it could neither wake the next render nor give up its turn.
 */
export function sliceScheduler(
  now: () => number = () => Date.now(),
  sleep: (ms: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): SliceScheduler {
  const waiters = new Set<Waiter>();
  let sliceBeganAt: number | null = null;

  const isNext = (waiter: Waiter): boolean => {
    const time = now();
    waiter.seenAt = time;
    if (sliceBeganAt !== null && time - sliceBeganAt < abandonedMs) return false;
    for (const other of waiters) {
      if (time - other.seenAt > abandonedMs) waiters.delete(other);
      else if (other.workDone < waiter.workDone) return false;
    }
    return true;
  };

  return {
    async pause(workDone) {
      const waiter = { workDone, seenAt: now() };
      waiters.add(waiter);
      // The timer fires after everything that arrived during the slice that has just ended.
      await sleep(0);
      sliceBeganAt = null;
      while (!isNext(waiter)) await sleep(pollMs);
      waiters.delete(waiter);
      sliceBeganAt = now();
    },
  };
}

/** The scheduler of this isolate. It holds at most one entry for each render in flight. */
export const isolateSlices = sliceScheduler();
