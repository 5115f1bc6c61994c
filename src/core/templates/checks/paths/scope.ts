// The names that can be read at one place of a template file, with their types. The order in which a name is looked up is
// that of a render: loops, variables, fields.
import { boolean, joinedAll, nil, number, objectOf, string, unknown, type Properties, type ValueType } from "./value-type.ts";

type Loop = { variable: string; item: ValueType; stateName: "forloop" | "tablerowloop"; state: ValueType };

export class Scope {
  readonly given: Properties;
  readonly #lose: (type: ValueType) => void;
  readonly #loops: Loop[] = [];
  /** What each open branch has assigned so far; the first map is that of the file. */
  readonly #branches: Map<string, ValueType>[] = [new Map()];

  /** `lose` is called with a type of which nothing is known from here on. */
  constructor(given: Properties, lose: (type: ValueType) => void) {
    this.given = given;
    this.#lose = lose;
  }

  /** Returns the type of a name; null if nothing of that name can be read here. */
  typeOf(name: string): ValueType | null {
    const loop = this.#loops.findLast(({ variable, stateName }) => variable === name || stateName === name);
    if (loop) return loop.variable === name ? loop.item : loop.state;
    return this.#assigned(name) ?? this.given.get(name)?.type ?? null;
  }

  /** Whether reading the name reads a field, rather than a variable that hides it. */
  readsGiven(name: string): boolean {
    const isLoop = this.#loops.some(({ variable, stateName }) => variable === name || stateName === name);
    return !isLoop && this.#assigned(name) === null && this.given.has(name);
  }

  assign(name: string, type: ValueType): void {
    const field = this.given.get(name);
    // Where the branch is not rendered, the name still reads the field.
    if (field && this.#branches.length > 1) this.#lose({ kind: "object", properties: new Map([[name, field]]) });
    this.#branches.at(-1)?.set(name, type);
  }

  /** Says that a name may have another value from here on, because a loop assigns it further below. */
  forget(name: string): void {
    this.#lose(this.typeOf(name) ?? nil);
    this.assign(name, unknown);
  }

  /** Returns all names that can be read here. */
  names(): string[] {
    const loops = this.#loops.flatMap(({ variable, stateName }) => [variable, stateName]);
    return [...loops, ...this.#branches.flatMap((branch) => [...branch.keys()]), ...this.given.keys()];
  }

  /** Returns the variables of the loops around this place, the innermost first. */
  loopVariables(): { variable: string; item: ValueType }[] {
    return this.#loops.toReversed();
  }

  inLoop(options: { variable: string; item: ValueType; tag: "for" | "tablerow" }, walk: () => void): void {
    const { variable, item, tag } = options;
    const parent = this.#loops.findLast(({ stateName }) => stateName === "forloop")?.state;
    const loop: Loop =
      tag === "for"
        ? { variable, item, stateName: "forloop", state: forloopType(parent ?? nil) }
        : { variable, item, stateName: "tablerowloop", state: tablerowloopType };
    this.#loops.push(loop);
    walk();
    this.#loops.pop();
  }

  /**
   * Walks the branches, of which one is rendered, or none if `isComplete` is false. After that, a variable has the type that
   * it has at the end of any of them.
   */
  inBranches(walks: (() => void)[], isComplete: boolean): void {
    const branches = walks.map((walk) => {
      const assigned = new Map<string, ValueType>();
      this.#branches.push(assigned);
      walk();
      this.#branches.pop();
      return assigned;
    });
    for (const name of new Set(branches.flatMap((branch) => [...branch.keys()]))) {
      const before = this.#assigned(name) ?? this.given.get(name)?.type ?? nil;
      const types = branches.map((branch) => branch.get(name) ?? before);
      const after = joinedAll(isComplete ? types : [before, ...types]);
      if (after.kind === "unknown") for (const type of [before, ...types]) this.#lose(type);
      this.assign(name, after);
    }
  }

  #assigned(name: string): ValueType | null {
    for (let index = this.#branches.length - 1; index >= 0; index--) {
      const type = this.#branches[index]?.get(name);
      if (type) return type;
    }
    return null;
  }
}

const counters = { index: number, index0: number, rindex: number, rindex0: number, first: boolean, last: boolean, length: number };

/** `parentloop` is `nil` in a loop that is not inside another. */
export function forloopType(parentloop: ValueType): ValueType {
  return objectOf({ ...counters, name: string, parentloop });
}

const tablerowloopType = objectOf({
  ...counters,
  col: number,
  col0: number,
  col_first: boolean,
  col_last: boolean,
  row: number,
});
