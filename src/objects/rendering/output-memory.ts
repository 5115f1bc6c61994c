// Limits how many large files a pool has in memory. How large a file becomes is known only when it arrives from the browser,
// so a render begins to read its file without asking, and waits for its turn when the file turns out to be large.

/** A file up to this size is read without waiting. While it is put together, it is in memory twice. */
export const maxSmallFileBytes = 2_000_000;

/** The memory for the file of one render. */
export type OutputMemory = {
  /**
   * Resolves when the render may hold a file of this size. Call it before the file grows to that size. Never settles if the
   * render is released in the meantime.
   */
  reserve(bytes: number): Promise<void>;
  /** Must be called when the file is no longer in memory. */
  release(): void;
};

/** For a render whose memory is not limited. */
export const unlimitedMemory: OutputMemory = { reserve: async () => {}, release: () => {} };

/** Lets one render at a time hold a large file, first come, first served. */
export class LargeFiles {
  #waiting: { owner: OutputMemory; start: () => void }[] = [];
  #current: OutputMemory | null = null;

  open(): OutputMemory {
    const memory: OutputMemory = {
      reserve: async (bytes) => {
        if (bytes <= maxSmallFileBytes || this.#current === memory) return;
        if (this.#current === null) this.#current = memory;
        else await new Promise<void>((start) => this.#waiting.push({ owner: memory, start }));
      },
      release: () => {
        this.#waiting = this.#waiting.filter(({ owner }) => owner !== memory);
        if (this.#current === memory) this.#startNext();
      },
    };
    return memory;
  }

  #startNext(): void {
    const next = this.#waiting.shift();
    this.#current = next?.owner ?? null;
    next?.start();
  }
}
