// Measures how long the stages of a request take. A deployed Worker's clock stands still between I/O operations, so
// computation alone takes 0 ms there.

/** In the order in which a create passes through them. */
export const stages = [
  /** The lookup of the API key. */
  "authentication",
  /**
   * The template's row, and its content unless it is cached. For large templates and requests with images by URL, it includes
   * waiting for the hold and memory.
   */
  "template",
  /** The reservation of the hold, including the wait until the account has fewer renders in flight. */
  "reserve",
  /** Fetching the images that `data` names by URL. */
  "images",
  /** Liquid, including the time for which it yields to other requests. */
  "liquid",
  /** Waiting for a free browser page. */
  "queue",
  /** Waiting for the browser to start. */
  "session",
  /** Layout and printing. */
  "browser",
  /** Storing the file. */
  "put",
  /** Inserting the document's row. */
  "record",
] as const;

type Stage = (typeof stages)[number];

/** In ms. Stages that the request has not reached are missing. */
export type StageTimes = Partial<Record<Stage, number>>;

export type StageClock = ReturnType<typeof stageClock>;

export function stageClock(now: () => number) {
  const ended: StageTimes = {};
  const running = new Map<Stage, { works: number; sinceMs: number }>();
  const add = (stage: Stage, ms: number) => {
    ended[stage] = (ended[stage] ?? 0) + ms;
  };
  return {
    /** Runs the work and adds its time to the stage. Overlapping work in a stage is counted once. */
    async measure<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
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
    /** Adds a time that was measured elsewhere. */
    add,
    /** Returns the times so far, including stages that have not ended. */
    times(): StageTimes {
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
