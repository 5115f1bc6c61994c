// The budget of one document: the work that its templates may do, and the memory that they may hold. Every step charges
// its cost before it runs. Costs are counted, not measured, because the clock of a deployed Worker stands still between
// I/O operations.
import { costs } from "./costs.ts";
import { LiquidError } from "./errors.ts";

/**
 * The maximum work of one document, in units of about 10 ns: one second of processor time at most, for any kind of work.
 * `packages/liquid-filters/test/calibration` measures every primitive against its cost. Ten thousand table rows with ten formatted numbers
 * each use two thirds of it.
 */
export const workBudget = 100_000_000;

/** The work after which a render yields to the event loop: about 20 ms. */
const sliceUnits = 2_000_000;
/** The work of the first slice: about 5 ms. Most documents need no more, so they never wait. */
const firstSliceUnits = 500_000;
/**
 * The maximum work of one node, a fifth of the budget, such as an output with its filters. A render cannot yield while it evaluates a
 * node; the longest measured time was 80 ms.
 */
const maxNodeUnits = 20_000_000;

/**
 * The maximum number of characters of markup in one document, excluding inlined files. With longer markup, Chromium
 * drops text from large blocks.
 */
export const maxMarkupChars = 2_000_000;
/** The maximum number of characters that a document may write in total, including captured text. */
export const maxWrittenChars = 3 * maxMarkupChars;

export const markupTooLarge = `the markup exceeds ${maxMarkupChars.toLocaleString("en-US")} characters; split the document`;

/**
 * The number of characters that a document may write and create before it counts as large. A large document waits for memory, so
 * that only a few are in memory.
 */
const maxSmallTextChars = 400_000;

/** The maximum length of one string. */
export const maxTextChars = 2_000_000;
/** The maximum number of items in one list. */
export const maxListItems = 500_000;
/** The memory of a list item, in characters. */
export const charsPerItem = 8;
/** The maximum size of everything that one node creates, in characters. */
const maxNodeChars = 8_000_000;
/** The variables are measured again after every allocation of this many characters. */
const measuringInterval = 4_000_000;
/** The maximum size of everything that the variables hold, in characters. */
export const maxHeldChars = 8_000_000;

export const tooMuchWork = "the template does too much work; loop over less data";
export const tooMuchMemory = "the template keeps too much data in its variables";

/** Thrown once, just before the document becomes large. */
export class LargeDocument extends Error {}

export class Meter {
  /** The keys that this render has listed so far, by object. */
  readonly listedKeys = new WeakMap<object, readonly string[]>();
  #work = 0;
  #sliceEnd = firstSliceUnits;
  #allocated = 0;
  #nodeAllocatedStart = 0;
  #nodeWorkStart = 0;
  #textChars = 0;
  #isLarge = false;
  #measureAt = measuringInterval;

  readonly #budget: number;

  /** `budget` is in units of work. */
  constructor(budget: number = workBudget) {
    this.#budget = budget;
  }

  /** Returns a meter with this meter's remaining budget. Afterwards, the two meters are independent of each other. */
  fork(): Meter {
    const meter = new Meter(this.#budget);
    meter.#work = this.#work;
    meter.#nodeWorkStart = this.#work;
    meter.#sliceEnd = this.#work + firstSliceUnits;
    return meter;
  }

  /** The units charged so far. */
  get work(): number {
    return this.#work;
  }

  /** Whether the document has so much text that memory must be reserved for it. */
  get isLarge(): boolean {
    return this.#isLarge;
  }

  /**
   * Deducts work from the budget. Throws if it exceeds the remaining budget, or the part of it that one node may use.
   */
  charge(units: number): void {
    this.#work += units;
    if (this.#work > this.#budget) throw new LiquidError(tooMuchWork);
    if (this.#work - this.#nodeWorkStart <= maxNodeUnits) return;
    throw new LiquidError("this tag alone does too much work; give it less data at a time");
  }

  /** Charges work that is proportional to a number of characters. */
  chargeChars(chars: number, unitsPerChar: number): void {
    this.charge(costs.step + chars * unitsPerChar);
  }

  /** Returns whether the render should yield before its next node. If so, begins a new slice. */
  isSliceOver(): boolean {
    if (this.#work < this.#sliceEnd) return false;
    this.#sliceEnd = this.#work + sliceUnits;
    return true;
  }

  /** Accounts for a new string. Must be called before the string is created. */
  allocateText(chars: number): void {
    if (chars > maxTextChars) {
      throw new LiquidError(`a string exceeds ${maxTextChars.toLocaleString("en-US")} characters`);
    }
    this.#allocate(chars);
  }

  /** Accounts for a new list. Must be called before the list is created. */
  allocateItems(items: number): void {
    if (items > maxListItems) {
      throw new LiquidError(`a list exceeds ${maxListItems.toLocaleString("en-US")} items`);
    }
    this.#allocate(items * charsPerItem);
  }

  /** Starts again from the point at which this much work had been done. */
  rewind(work: number): void {
    this.#work = work;
    this.#sliceEnd = work + sliceUnits;
  }

  /** Begins a node, which has separate limits for work and memory. */
  beginNode(): void {
    this.#nodeWorkStart = this.#work;
    this.#nodeAllocatedStart = this.#allocated;
  }

  /** Throws if the variables hold too much. They are measured only after many new allocations. */
  checkHeld(heldChars: () => number): void {
    if (this.#allocated < this.#measureAt) return;
    if (heldChars() > maxHeldChars) throw new LiquidError(tooMuchMemory);
    this.#measureAt = this.#allocated + measuringInterval;
  }

  #allocate(chars: number): void {
    this.#allocated += chars;
    if (this.#allocated - this.#nodeAllocatedStart > maxNodeChars) throw new LiquidError(tooMuchMemory);
    this.addText(chars);
  }

  /** Accounts for text that is written or created. Must be called before the text exists. */
  addText(chars: number): void {
    this.#textChars += chars;
    if (this.#isLarge || this.#textChars <= maxSmallTextChars) return;
    this.#isLarge = true;
    throw new LargeDocument();
  }
}
