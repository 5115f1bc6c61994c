// Divides the processor among the renders of one isolate, slice by slice. Between two slices, all other pending events are
// handled.
import type { SliceScheduler } from "colophon-render/render-services";
import { Semaphore } from "../../core/rendering/semaphore.ts";

/** A slice takes about 20 ms. A render that has not begun its slice within this time was stopped by the platform. */
const expiresInMs = 250;

export function sliceScheduler(): SliceScheduler {
  // If each render set a timer by itself, all timers would fire together: one slice of every render before any other pending event.
  const processor = new Semaphore({ capacity: 1 });
  return {
    async pause({ accountId, deadline, keepAlive }) {
      const maxWaitMs = Math.max(0, deadline - Date.now());
      // An account's renders are finished one by one. If they shared its slices, all of them could miss their deadlines.
      const permit = await processor.acquire({ accountId, order: deadline, maxWaitMs, expiresInMs });
      if (!permit) return;
      // The slice runs before the next event, so the timer fires after it.
      const slice = new Promise<void>((resolve) => setTimeout(resolve)).then(() => permit.release());
      keepAlive?.(slice);
    },
  };
}

/** The scheduler of this isolate. It holds at most one entry for each render in flight. */
export const isolateSlices = sliceScheduler();
