// A queue of calls that wait to be admitted, first in, first out. Its length and the time that a call waits are
// limited.
import { withDeadline } from "../../platform/deadline.ts";

export type AdmissionQueue<Call = void> = {
  /**
   * Resolves with true when the call is admitted. Resolves with false at once if the queue is at its limit, or after
   * `timeoutMs`.
   */
  wait(timeoutMs: number, call: Call): Promise<boolean>;
  /**
   * Of the calls for which `mayEnter` returns true, admits the one that has waited longest. Returns false when no such
   * call is waiting, and true otherwise.
   */
  admitNext(mayEnter?: (call: Call) => boolean): boolean;
  /** The number of calls that are waiting. */
  readonly length: number;
};

export function admissionQueue<Call = void>(maxLength: number): AdmissionQueue<Call> {
  const waiting: { call: Call; admit: () => void }[] = [];
  return {
    async wait(timeoutMs, call) {
      if (waiting.length >= maxLength) return false;
      const { promise: admitted, resolve: admit } = Promise.withResolvers<void>();
      const waiter = { call, admit };
      waiting.push(waiter);
      try {
        await withDeadline("waiting for admission", timeoutMs, admitted);
        return true;
      } catch {
        const position = waiting.indexOf(waiter);
        // The call was admitted just before its time-out was handled. The call stays admitted, because its slot would
        // otherwise be lost.
        if (position < 0) return true;
        waiting.splice(position, 1);
        return false;
      }
    },
    admitNext(mayEnter = () => true) {
      const position = waiting.findIndex(({ call }) => mayEnter(call));
      const [next] = position < 0 ? [] : waiting.splice(position, 1);
      next?.admit();
      return next !== undefined;
    },
    get length() {
      return waiting.length;
    },
  };
}
