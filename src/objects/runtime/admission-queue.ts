// Calls that wait for their turn: first come, first served, bounded in number and in time.
import { withDeadline } from "../../platform/deadline.ts";

export type AdmissionQueue = {
  /** True when admitted; false at once when the room is full, or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<boolean>;
  /** Admits the one who has waited longest; false when nobody waits. */
  admitNext(): boolean;
  /** How many wait. */
  readonly length: number;
};

export function admissionQueue(places: number): AdmissionQueue {
  const queue: (() => void)[] = [];
  return {
    async wait(timeoutMs) {
      if (queue.length >= places) return false;
      let admit = () => {};
      const admitted = new Promise<void>((resolve) => queue.push((admit = resolve)));
      try {
        await withDeadline("waiting", timeoutMs, admitted);
        return true;
      } catch {
        const place = queue.indexOf(admit);
        // Admitted in the same moment: the turn is ours, and must not be lost.
        if (place < 0) return true;
        queue.splice(place, 1);
        return false;
      }
    },
    get length() {
      return queue.length;
    },
    admitNext() {
      const admit = queue.shift();
      admit?.();
      return admit !== undefined;
    },
  };
}
