// An object has one alarm: it is set to the earliest of all that the object has to see to. Setting it is a write, so what is
// set is remembered.

export type EarliestAlarm = {
  /** Sees to it that the alarm rings no later than `at`, ms since the epoch. */
  setNoLaterThan(at: number): Promise<void>;
  /** It has rung: none is set now. */
  hasFired(): void;
};

export function earliestAlarm(storage: DurableObjectStorage): EarliestAlarm {
  // Unknown after a restart.
  let setTo: number | null | undefined;
  return {
    async setNoLaterThan(at) {
      if (setTo === undefined) {
        const stored = await storage.getAlarm();
        // Another call may have set it meanwhile.
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
