// The names that can be read at one position in a template file, with their types, and the names that a file sets. Names are looked up in
// the same order as in a render: loops, variables, fields.
import { allNodes, type Node, type Unparsed } from "colophon-liquid/syntax";
import type { MessageUses } from "../check-messages.ts";
import type { CheckBudget, Report } from "../findings.ts";
import type { Properties, ValueType, Work } from "./value-type.ts";
import { boolean, joined, number, objectOf, string, unknown } from "./value-type.ts";

type Loop = { variable: string; item: ValueType; stateName: "forloop" | "tablerowloop" };

export class Scope {
  readonly given: Properties;
  readonly #loops: Loop[] = [];
  readonly #variables = new Map<string, ValueType>();
  /** For each enclosing branch, the types that its variables had before it; the innermost branch is last. */
  readonly #before: Map<string, ValueType | undefined>[] = [];
  readonly #budget: Work;

  constructor(given: Properties, budget: Work) {
    this.given = given;
    this.#budget = budget;
  }

  /** Returns the type of a name; null if it cannot be read here. */
  typeOf(name: string): ValueType | null {
    const loop = this.#loops.findLast(({ variable, stateName }) => variable === name || stateName === name);
    if (loop) return loop.variable === name ? loop.item : loopState;
    return this.#variables.get(name) ?? this.given.get(name) ?? null;
  }

  assign(name: string, type: ValueType): void {
    // Otherwise, every loop would store all names in nested loops.
    if (this.#variables.get(name) === type) return;
    const before = this.#before.at(-1);
    if (before && !before.has(name)) before.set(name, this.#variables.get(name) ?? this.given.get(name));
    this.#variables.set(name, type);
  }

  /**
   * Walks nodes that may be rendered several times or not at all. Afterwards, a variable has either its former type or the assigned
   * type.
   */
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

  /** Returns the variables of the enclosing loops, innermost first. */
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

export type FileCheck = {
  file: string;
  scope: Scope;
  report: Report;
  /** Whether enough has been reported, so that no more messages are created. */
  isFull(): boolean;
  budget: CheckBudget;
  /** The names that the file sets, each with the first tag that sets it. */
  names: ReadonlyMap<string, SetName>;
  /** The name of a part, and a function that tells whether its template has a field with a given name; null for other files. */
  part: { name: string; isField(name: string): boolean } | null;
  usePart(use: PartUse): void;
  /** The code in the template that could not be parsed. */
  unparsed: readonly Unparsed[];
  /** The template's messages, and which of them have been used so far. */
  messages: MessageUses;
};

type SetName = { line: number; isLoop: boolean };

/** The types of the values that a tag passes to a part or to the file's layout. */
export type PartUse = { part: string; isLayout: boolean; values: ReadonlyMap<string, ValueType> };

/** Returns the variables that the nodes set, including loop variables, each with the line of the first tag that sets it. */
export function namesSet(nodes: readonly Node[]): Map<string, SetName> {
  const names = new Map<string, SetName>();
  for (const node of allNodes(nodes)) {
    const name = "variable" in node ? node.variable : "options" in node ? node.options.variable : null;
    if (name !== null && !names.has(name)) names.set(name, { line: node.line, isLoop: "options" in node });
  }
  return names;
}

/** Returns the names that the nodes only test, as in `{% if note %}` and `{% unless note %}`. */
export function namesTested(nodes: readonly Node[]): string[] {
  const names = new Set<string>();
  for (const node of allNodes(nodes)) {
    if (node.kind !== "if") continue;
    for (const { left, comparison } of node.branches.flatMap(({ condition }) => condition?.operands ?? []))
      if (!comparison && left.kind === "path" && typeof left.root === "string" && left.steps.length === 0)
        names.add(left.root);
  }
  return [...names];
}
