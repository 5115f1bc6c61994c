// The memory of one render, as a page asks for it.

/** A file up to this size is read without waiting. */
export const maxSmallFileBytes = 1_000_000;

/** The memory of one render. */
export type OutputMemory = {
  /** Must be called when the document is no longer in memory, because the page has it. */
  documentSent(): void;
  /**
   * Resolves when the render may hold a file of this size. Call it before the file grows to that size. Never settles if the
   * render has ended in the meantime.
   */
  reserve(bytes: number): Promise<void>;
  /** Must be called when the file is no longer in memory, and may be called when it has turned out to be small. */
  release(): void;
};

/** For a render whose memory is not limited. */
export const unlimitedMemory: OutputMemory = { documentSent: () => {}, reserve: async () => {}, release: () => {} };
