// Decides about a queued render that keeps failing because of a fault of the service: it is tried again after growing pauses, and then
// fails. Only faults while the service works otherwise are counted.
export type Faults = {
  faults: number;
  /** When the next try is due, in ms since the epoch. */
  due: number;
};

/** With the pauses, these tries take about six minutes. */
export const maxFaults = 6;

/** The pauses are 1 s, 4 s, 16 s, 64 s and 256 s. Then the render is due immediately, in order to fail. */
export function afterFault({ faults: before }: Pick<Faults, "faults">, nowMs: number): Faults {
  const faults = before + 1;
  return { faults, due: faults < maxFaults ? nowMs + 1_000 * 4 ** before : nowMs };
}

/** Whether the render fails instead of being tried again. */
export function isGivenUp({ faults }: Pick<Faults, "faults">): boolean {
  return faults >= maxFaults;
}
