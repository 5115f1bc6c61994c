// Calls that wait to be admitted: first in, first out, bounded in number and in time.
import { withDeadline } from "../../platform/deadline.ts";

export type AdmissionQueue = {
  /** True when admitted; false at once when the queue is at its limit, or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<boolean>;
  /** Admits the call that has waited longest; false when no call is waiting. */
  admitNext(): boolean;
  /** The number of calls that are waiting. */
  readonly length: number;
};

export function admissionQueue(maxLength: number): AdmissionQueue {
  const waiting: (() => void)[] = [];
  return {
    async wait(timeoutMs) {
      if (waiting.length >= maxLength) return false;
      let admit = () => {};
      const admitted = new Promise<void>((resolve) => waiting.push((admit = resolve)));
      try {
        await withDeadline("waiting for admission", timeoutMs, admitted);
        return true;
      } catch {
        const position = waiting.indexOf(admit);
        // The call was admitted at the very moment of the time-out. It keeps its admission, because no other call would get
        // it.
        if (position < 0) return true;
        waiting.splice(position, 1);
        return false;
      }
    },
    admitNext() {
      const admit = waiting.shift();
      admit?.();
      return admit !== undefined;
    },
    get length() {
      return waiting.length;
    },
  };
}
