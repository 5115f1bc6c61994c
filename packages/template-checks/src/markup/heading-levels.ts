// The possible levels of the last heading, followed through the branches and loops of Liquid.

/** All levels, as bits. Bit 0 means that there was no heading. */
export const anyLevel = 0b1111111;

type Body = { tag: string; before: number; seen: number };

/** Blocks whose content is printed elsewhere, or replaced. */
const movable = new Set(["block", "capture"]);
const loops = new Set(["for", "tablerow"]);

export class HeadingLevels {
  #levels = 1;
  readonly #bodies: Body[] = [];

  isInBody(): boolean {
    return this.#bodies.length > 0;
  }

  isInLoop(): boolean {
    return this.#bodies.some(({ tag }) => loops.has(tag));
  }

  /** A loop returns to its beginning, so any heading in it may be before its first one. */
  enter(tag: string): void {
    this.#bodies.push({ tag, before: this.#levels, seen: 0 });
    if (movable.has(tag) || loops.has(tag)) this.#levels = anyLevel;
  }

  leave(): void {
    const { tag, before, seen } = this.#bodies.pop() ?? { tag: "", before: this.#levels, seen: 0 };
    if (movable.has(tag)) this.set(anyLevel);
    else this.set(before | seen, seen);
  }

  /** `seen` are the levels of the headings here. */
  set(levels: number, seen = levels): void {
    this.#levels = levels;
    const body = this.#bodies.at(-1);
    if (body) body.seen |= seen;
  }

  /** `isCertain` is whether the heading always has text. An empty one has no tag. */
  heading(level: number, isCertain: boolean): void {
    this.set((isCertain ? 0 : this.#levels) | (1 << level), 1 << level);
  }

  /** Returns the level of the last heading, or 0, if this one leaves out a level after every possible one; otherwise null. */
  jumpTo(level: number): number | null {
    const before = 31 - Math.clz32(this.#levels);
    return level > before + 1 ? before : null;
  }
}
