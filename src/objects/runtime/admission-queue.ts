// A queue of calls that wait to be admitted, first in, first out. Its length and the time that a call waits are
// limited.
import { withDeadline } from "../../platform/deadline.ts";

export type AdmissionQueue = {
  /**
   * Resolves with true when the call is admitted. Resolves with false at once if the queue is at its limit, or after
   * `timeoutMs`.
   */
  wait(timeoutMs: number): Promise<boolean>;
  /** Admits the call that has waited longest, and returns true; returns false when no call is waiting. */
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
        // The call was admitted just before its time-out was handled. The call stays admitted, because its slot would
        // otherwise be lost.
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
