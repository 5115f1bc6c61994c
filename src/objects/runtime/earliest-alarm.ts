// A Durable Object has one alarm, which must be set to the earliest of all times at which the object has work to do. Setting
// it is a write, so its time is remembered, and it is only ever set to an earlier one.

export type EarliestAlarm = {
  /** Makes sure that the alarm fires at `at` or earlier, ms since the epoch. */
  setNoLaterThan(at: number): Promise<void>;
  /** To be called when the alarm fires: from then on none is set. */
  hasFired(): void;
};

export function earliestAlarm(storage: DurableObjectStorage): EarliestAlarm {
  // Undefined until it was read from the storage after a restart; null when no alarm is set.
  let setTo: number | null | undefined;
  return {
    async setNoLaterThan(at) {
      if (setTo === undefined) {
        const stored = await storage.getAlarm();
        // A concurrent call may have set the alarm during the read.
        if (setTo === undefined) setTo = stored;
      }
      if (setTo !== null && setTo <= at) return;
      setTo = at;
      await storage.setAlarm(at);
    },
    hasFired() {
      setTo = null;
    },
  };
}
