// Limits how much the renders of one Worker keep in memory together: their images, and large templates. A render that would
// exceed the limit waits. Accounts that hold little go first, so that one account does not block the others.
import type { RenderMemory } from "../../ports/rendering.ts";
import { compiledVersions } from "../templates/compiled-versions.ts";

type Reservation = { accountId: string; bytes: number; deadline: number };
type Waiting = Reservation & { start: () => void };

/**
 * A reservation that is larger than `maxBytes` waits until there is no other. `onChange` gets the number of bytes that are
 * reserved, before the render with the newest reservation goes on.
 */
export function renderMemory(maxBytes: number, onChange: (heldBytes: number) => void = () => {}): RenderMemory {
  let held: Reservation[] = [];
  let waiting: Waiting[] = [];
  const heldBy = (accountId: string) => totalBytes(held.filter((reservation) => reservation.accountId === accountId));
  const startWaiting = () => {
    // Requests that are stopped from outside leave their reservations behind.
    held = held.filter(({ deadline }) => deadline >= Date.now());
    waiting = waiting.filter(({ deadline }) => deadline >= Date.now());
    for (;;) {
      const [next] = waiting.toSorted((a, b) => heldBy(a.accountId) - heldBy(b.accountId));
      const heldBytes = totalBytes(held);
      if (!next || (heldBytes > 0 && heldBytes + next.bytes > maxBytes)) return;
      waiting = waiting.filter((other) => other !== next);
      held.push(next);
      onChange(totalBytes(held));
      next.start();
    }
  };
  /** Resolves with null if the reservation is not held in time. */
  const enter = async (reservation: Reservation, timeoutMs: number): Promise<Reservation | null> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const entry: Waiting = { ...reservation, start: () => resolve(true) };
    waiting.push(entry);
    startWaiting();
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const isStarted = await promise;
    clearTimeout(timer);
    if (isStarted) return entry;
    waiting = waiting.filter((other) => other !== entry);
    // It may have been first in the queue.
    startWaiting();
    return null;
  };
  return {
    async reserve({ timeoutMs, ...wanted }) {
      const reservation = await enter(wanted, timeoutMs);
      return (
        reservation && {
          resize(bytes) {
            reservation.bytes = bytes;
            onChange(totalBytes(held));
            startWaiting();
          },
          release() {
            held = held.filter((other) => other !== reservation);
            startWaiting();
          },
        }
      );
    },
  };
}

function totalBytes(reservations: Reservation[]): number {
  return reservations.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What the images and the templates of renders, and the cache of compiled templates, may take together in this isolate. */
const maxIsolateBytes = 62_000_000;

/**
 * The memory for the images and the templates of this isolate, which has 128 MB in total. The cache of compiled templates gives
 * back what the renders need.
 */
export const isolateMemory = renderMemory(45_000_000, (heldBytes) =>
  compiledVersions.trim(Math.max(0, maxIsolateBytes - heldBytes)),
);

/** The memory for the markup of large documents in this isolate. It is apart from the other, so that nobody waits in a circle. */
export const isolateMarkupMemory = renderMemory(25_000_000);
