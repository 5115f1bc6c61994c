// Limits how many large files a pool has in memory. How large a file becomes is known only when it arrives from the browser,
// so a render begins to read its file without asking, and waits for its turn when the file turns out to be large.

/** A file up to this size is read without waiting. */
export const maxSmallFileBytes = 1_000_000;

/** The memory of one render. */
export type OutputMemory = {
  /** Must be called when the document is no longer in memory, because the page has it. */
  documentSent(): void;
  /**
   * Resolves when the render may hold a file of this size. Call it before the file grows to that size. Never settles if the
   * render is released in the meantime.
   */
  reserve(bytes: number): Promise<void>;
  /** Must be called when the file is no longer in memory, and may be called when it has turned out to be small. */
  release(): void;
};

/** For a render whose memory is not limited. */
export const unlimitedMemory: OutputMemory = { documentSent: () => {}, reserve: async () => {}, release: () => {} };

/** What is known of a render: the method of its memory, and the bytes that it takes apart from a large file. */
export type RenderUsage = { documentSent: OutputMemory["documentSent"]; weight(): number };

const noUsage: RenderUsage = { documentSent: () => {}, weight: () => 0 };

/**
 * Lets one render at a time hold a large file, first come, first served. `mayBegin` returns whether the other renders leave
 * enough memory for one; call `review` when they do. It gets the weight of all renders that wait for a large file, because
 * they cannot become lighter before it is their turn.
 */
export class LargeFiles {
  readonly #mayBegin: (waitingWeight: number) => boolean;
  #waiting: { owner: OutputMemory; usage: RenderUsage; start: () => void }[] = [];
  #current: OutputMemory | null = null;

  constructor(mayBegin: (waitingWeight: number) => boolean = () => true) {
    this.#mayBegin = mayBegin;
  }

  /** Whether a render holds a large file, or waits for the memory. */
  get isWanted(): boolean {
    return this.#current !== null || this.#waiting.length > 0;
  }

  open(usage: RenderUsage = noUsage): OutputMemory {
    const memory: OutputMemory = {
      documentSent: usage.documentSent,
      reserve: async (bytes) => {
        if (bytes <= maxSmallFileBytes || this.#current === memory) return;
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#waiting.push({ owner: memory, usage, start: resolve });
        this.review();
        await promise;
      },
      release: () => {
        this.#waiting = this.#waiting.filter(({ owner }) => owner !== memory);
        if (this.#current === memory) this.#current = null;
        this.review();
      },
    };
    return memory;
  }

  /** Lets the first waiting render begin, if it may. */
  review(): void {
    const waitingWeight = this.#waiting.reduce((sum, { usage }) => sum + usage.weight(), 0);
    if (this.#current !== null || !this.#mayBegin(waitingWeight)) return;
    const next = this.#waiting.shift();
    this.#current = next?.owner ?? null;
    next?.start();
  }
}
