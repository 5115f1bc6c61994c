// Lets the renders of one isolate take turns at work that keeps the processor. Between two slices, everything else that
// has arrived is handled.
import type { SliceScheduler, SlicedRender } from "../../ports/rendering.ts";

/** A render between two slices. `seenAt` is when it last asked whether it may go on, in ms since the epoch. */
type Waiter = SlicedRender & { workDone: number; seenAt: number };

/** How often a waiting render asks whether it may go on. */
const pollMs = 10;
/** A render that has not asked within this time was stopped from outside. */
const abandonedMs = 1_000;
/**
 * The work at which a render falls behind those that have done less, in units. Above the last, one render after the
 * other is finished; if they took turns instead, all of them could reach their deadlines unfinished.
 */
const levels = [4_000_000, 16_000_000];
/** How much later the renders of a level go than those of the level below it. */
const levelFactor = 4;

/**
 * Returns a scheduler. Renders ask again and again instead of waking each other, because a request that is stopped from
 * outside runs no more code: it could neither wake the next render nor give up its turn.
 */
export function sliceScheduler(
  now: () => number = () => Date.now(),
  sleep: (ms: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): SliceScheduler {
  const waiters = new Set<Waiter>();
  let slicesBegun = 0;

  const isNext = (waiter: Waiter): boolean => {
    const time = now();
    waiter.seenAt = time;
    for (const other of waiters) if (time - other.seenAt > abandonedMs) waiters.delete(other);
    // A render that was silent for long, although it was not stopped, waits again.
    waiters.add(waiter);
    const counts = countByAccount(waiters);
    const rank = rankOf(waiter, counts);
    for (const other of waiters) {
      if (other !== waiter && goesBefore(other, rankOf(other, counts), waiter, rank)) return false;
    }
    return true;
  };

  const waitForTurn = async (waiter: Waiter): Promise<void> => {
    for (let waitMs = 0; now() < waiter.deadline;) {
      const begunBefore = slicesBegun;
      await sleep(waitMs);
      // Several timers may fire at once, before anything that has arrived meanwhile. Only one of their renders may begin
      // a slice, and the others sleep once more.
      if (slicesBegun !== begunBefore) waitMs = 0;
      else if (isNext(waiter)) return;
      else waitMs = pollMs;
    }
  };

  return {
    async pause(render, workDone) {
      // A first slice is short, and most renders need no other, so it does not wait.
      if (workDone === 0) return;
      const waiter = { ...render, workDone, seenAt: now() };
      waiters.add(waiter);
      await waitForTurn(waiter);
      waiters.delete(waiter);
      slicesBegun++;
    },
  };
}

function countByAccount(waiters: ReadonlySet<Waiter>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { accountId } of waiters) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
}

/**
 * Returns the rank of a render; the lowest goes first. It grows with the number of renders of the same account, so that
 * many renders of one account do not delay a single render of another.
 */
function rankOf({ accountId, workDone }: Waiter, counts: ReadonlyMap<string, number>): number {
  const level = levels.filter((work) => workDone >= work).length;
  return (counts.get(accountId) ?? 1) * levelFactor ** level;
}

/** Among equals, the render goes first whose deadline is next. */
function goesBefore(first: Waiter, firstRank: number, second: Waiter, secondRank: number): boolean {
  return firstRank === secondRank ? first.deadline < second.deadline : firstRank < secondRank;
}

/** The scheduler of this isolate. It holds at most one entry for each render in flight. */
export const isolateSlices = sliceScheduler();
