// The names that can be read at one place of a template file, with their types. The order in which a name is looked up is
// a render's scope: loops, variables, fields.
import {
  boolean,
  joined,
  number,
  objectOf,
  string,
  unknown,
  type Properties,
  type ValueType,
  type Work,
} from "./value-type.ts";

type Loop = { variable: string; item: ValueType; stateName: "forloop" | "tablerowloop" };

export class Scope {
  readonly given: Properties;
  readonly #loops: Loop[] = [];
  readonly #variables = new Map<string, ValueType>();
  /** For each branch around this place, the types that its variables had before it; the innermost branch is the last. */
  readonly #before: Map<string, ValueType | undefined>[] = [];
  readonly #budget: Work;

  constructor(given: Properties, budget: Work) {
    this.given = given;
    this.#budget = budget;
  }

  /** Returns the type of a name; null if nothing of that name can be read here. */
  typeOf(name: string): ValueType | null {
    const loop = this.#loops.findLast(({ variable, stateName }) => variable === name || stateName === name);
    if (loop) return loop.variable === name ? loop.item : loopState;
    return this.#variables.get(name) ?? this.given.get(name) ?? null;
  }

  assign(name: string, type: ValueType): void {
    // In nested loops, every loop would keep all names otherwise.
    if (this.#variables.get(name) === type) return;
    const before = this.#before.at(-1);
    if (before && !before.has(name)) before.set(name, this.#variables.get(name) ?? this.given.get(name));
    this.#variables.set(name, type);
  }

  /** Walks what is rendered several times or not at all. After that, a variable has the type from before or the one that was assigned. */
  inBranch(walk: () => void): void {
    const before = new Map<string, ValueType | undefined>();
    this.#before.push(before);
    walk();
    this.#before.pop();
    const outer = this.#before.at(-1);
    for (const [name, type] of before) {
      if (outer && !outer.has(name)) outer.set(name, type);
      const assigned = this.#variables.get(name);
      if (assigned) this.#variables.set(name, joined(type, assigned, this.#budget));
    }
  }

  inLoop(loop: Loop, walk: () => void): void {
    this.#loops.push(loop);
    walk();
    this.#loops.pop();
  }

  /** Returns the variables of the loops around this place, the innermost first. */
  loopVariables(): { variable: string; item: ValueType }[] {
    return this.#loops.toReversed();
  }

  /** Returns all names that can be read here. */
  names(): string[] {
    return [
      ...this.#loops.flatMap(({ variable, stateName }) => [variable, stateName]),
      ...this.#variables.keys(),
      ...this.given.keys(),
    ];
  }
}

const counters = "index index0 rindex rindex0 length col col0 row".split(" ").map((name) => [name, number]);
const flags = "first last col_first col_last".split(" ").map((name) => [name, boolean]);

/** The state of a loop, with the properties of `for` and `tablerow`. */
export const loopState: ValueType = objectOf({
  ...Object.fromEntries([...counters, ...flags]),
  name: string,
  parentloop: unknown,
});
