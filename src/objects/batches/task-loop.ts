// Runs the tasks of an object, a few at a time. After a failure of the service, no task begins during a pause, which grows with
// each consecutive failure.

export type Task = {
  run(): Promise<TaskEnd>;
  /** Whether the task must run alone. True only if no task was in progress when this one was requested. */
  isAlone?: boolean;
  /** Whether the task takes so long that other tasks begin while it is in progress, until the slice's `longMs`. */
  isLong?: boolean;
};

/** `done` also indicates that the service works. */
export type TaskEnd = "done" | { retryAfterSeconds: number };

export type TaskLoopParts = {
  atOnce(): number;
  /** How long a run starts tasks, and the maximum number of tasks that it starts. */
  slice: { ms: number; longMs: number; tasks: number };
  now(): number;
  /** Returns the next task. `isIdle` is true if none is in progress. */
  next(isIdle: boolean): Task | null;
  /** Called with the error of a task that has rejected. */
  failed(cause: unknown): void;
};

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

export class TaskLoop {
  readonly #parts: TaskLoopParts;
  readonly #inProgress = new Set<Promise<void>>();
  #isAlone = false;
  #long = 0;
  #isRunning = false;
  #isStopped = false;
  #failures = 0;
  #pausedUntilMs = 0;
  #woken = Promise.withResolvers<void>();

  constructor(parts: TaskLoopParts) {
    this.#parts = parts;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The time at which tasks may begin again, in ms since the epoch. It may have passed. */
  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  /** Starts tasks until no task is left, the slice has ended or the service fails. Resolves when all of them have ended. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { now, slice } = this.#parts;
    const left = { beganMs: now(), tasks: slice.tasks };
    try {
      for (;;) {
        this.#start(left);
        if (this.#inProgress.size === 0) return;
        this.#woken = Promise.withResolvers();
        await Promise.race([...this.#inProgress, this.#woken.promise]);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Makes a run look for new tasks. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Starts no further tasks. Resolves when those in progress have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#inProgress);
  }

  #start(left: { beganMs: number; tasks: number }): void {
    const { now, next, slice } = this.#parts;
    const atOnce = this.#parts.atOnce();
    while (!this.#isAlone && !this.#isStopped && this.#inProgress.size < atOnce) {
      const nowMs = now();
      const untilMs = left.beganMs + (this.#long > 0 ? slice.longMs : slice.ms);
      if (left.tasks === 0 || nowMs >= untilMs || nowMs < this.#pausedUntilMs) return;
      const task = next(this.#inProgress.size === 0);
      if (!task) return;
      left.tasks--;
      this.#isAlone = task.isAlone ?? false;
      const ended: Promise<void> = this.#run(task).finally(() => this.#inProgress.delete(ended));
      this.#inProgress.add(ended);
    }
  }

  async #run(task: Task): Promise<void> {
    if (task.isLong) this.#long++;
    const end = await task.run().catch((cause: unknown): TaskEnd => {
      this.#parts.failed(cause);
      return { retryAfterSeconds: 0 };
    });
    if (task.isAlone) this.#isAlone = false;
    if (task.isLong) this.#long--;
    if (end === "done") this.#failures = 0;
    else this.#pause(end.retryAfterSeconds * 1_000);
  }

  /** Tasks that fail together count as one failure. */
  #pause(atLeastMs: number): void {
    const { now } = this.#parts;
    if (now() < this.#pausedUntilMs) return;
    const growing = firstPauseMs * 2 ** this.#failures++;
    this.#pausedUntilMs = now() + Math.min(Math.max(growing, atLeastMs), maxPauseMs);
  }
}
