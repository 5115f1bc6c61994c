// Sets the single alarm of a Durable Object to the earliest time at which the object has work to do. Setting the alarm
// is a write, so this module remembers the time of the alarm and writes only when an earlier time is needed.

export type EarliestAlarm = ReturnType<typeof earliestAlarm>;

export function earliestAlarm(storage: DurableObjectStorage) {
  // Undefined until it is read from the storage after a restart; null when no alarm is set.
  let setTo: number | null | undefined;
  return {
    /** Makes sure that the alarm fires at `at` (ms since the epoch) or earlier. */
    async setNoLaterThan(at: number): Promise<void> {
      if (setTo === undefined) {
        const stored = await storage.getAlarm();
        // A concurrent call may have set the alarm during the read.
        if (setTo === undefined) setTo = stored;
      }
      if (setTo !== null && setTo <= at) return;
      setTo = at;
      await storage.setAlarm(at);
    },
    /** Call this when the alarm fires, because from then on no alarm is set. */
    hasFired() {
      setTo = null;
    },
    /**
     * Returns whether no alarm is set, because the platform drops an alarm that keeps failing. Then `setNoLaterThan` sets
     * it again.
     */
    async isLost(): Promise<boolean> {
      if ((await storage.getAlarm()) !== null) return false;
      setTo = null;
      return true;
    },
    /** Sets the alarm to `at`, even if that is later than the current alarm. Null removes the alarm. */
    async moveTo(at: number | null): Promise<void> {
      setTo = at;
      await (at === null ? storage.deleteAlarm() : storage.setAlarm(at));
    },
  };
}
