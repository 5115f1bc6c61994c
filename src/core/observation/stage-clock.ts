// Measures how long the stages of a request take. A deployed Worker's clock stands still between I/O, so a stage that
// only computes takes 0 ms there.

/** In the order in which a create passes through them. */
export const stages = [
  /** The lookup of the API key. */
  "authentication",
  /**
   * The template's row, and its content unless it is cached. For a large template, and with images by URL, it includes the wait
   * for the hold and for memory.
   */
  "template",
  /** The reservation of the hold, including the wait for an earlier render of the account. */
  "reserve",
  /** The images that `data` names by URL. */
  "images",
  /** Liquid, with the time for which it lets other requests go first. */
  "liquid",
  /** The wait for a free page of the browser. */
  "queue",
  /** The wait for the browser to start. */
  "session",
  /** Layout and printing. */
  "browser",
  /** The storage of the file. */
  "put",
  /** The insertion of the document's row. */
  "record",
] as const;

type Stage = (typeof stages)[number];

/** In ms. Stages that the request has not reached are absent. */
export type StageTimes = Partial<Record<Stage, number>>;

export type StageClock = {
  /** Runs the work and counts its time for the stage. Time during which several works of a stage run counts once. */
  measure<T>(stage: Stage, work: () => Promise<T>): Promise<T>;
  /** Adds a time that was measured elsewhere. */
  add(stage: Stage, ms: number): void;
  /** Returns the times so far, including stages that have not ended. */
  times(): StageTimes;
};

export function stageClock(now: () => number): StageClock {
  const ended: StageTimes = {};
  const running = new Map<Stage, { works: number; sinceMs: number }>();
  const add = (stage: Stage, ms: number) => {
    ended[stage] = (ended[stage] ?? 0) + ms;
  };
  return {
    async measure(stage, work) {
      const current = running.get(stage) ?? { works: 0, sinceMs: now() };
      running.set(stage, current);
      current.works++;
      try {
        return await work();
      } finally {
        if (--current.works === 0) {
          running.delete(stage);
          add(stage, now() - current.sinceMs);
        }
      }
    },
    add,
    times() {
      const times: StageTimes = {};
      for (const stage of stages) {
        const current = running.get(stage);
        const ms = (ended[stage] ?? 0) + (current ? now() - current.sinceMs : 0);
        if (current || stage in ended) times[stage] = ms;
      }
      return times;
    },
  };
}
