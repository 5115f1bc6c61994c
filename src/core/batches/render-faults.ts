// Decides what happens to a queued render that keeps failing because of a fault in the service: it is retried after growing pauses,
// and then fails. A fault counts only if the service works otherwise.
export type Faults = {
  faults: number;
  /** When the next try is due, in ms since the epoch. */
  due: number;
};

/** With the pauses, these tries take about six minutes. */
export const maxFaults = 6;

/** The pauses are 1 s, 4 s, 16 s, 64 s and 256 s. Afterwards the render is due immediately, so that it can be marked as failed. */
export function afterFault({ faults: before }: Pick<Faults, "faults">, nowMs: number): Faults {
  const faults = before + 1;
  return { faults, due: faults < maxFaults ? nowMs + 1_000 * 4 ** before : nowMs };
}

/** Returns whether the render fails instead of being tried again. */
export function isGivenUp({ faults }: Pick<Faults, "faults">): boolean {
  return faults >= maxFaults;
}
