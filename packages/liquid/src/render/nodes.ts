// Renders each kind of node.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Node } from "../syntax/tree.ts";
import { isEqual } from "../values/compare.ts";
import { isNumber } from "../values/numbers.ts";
import { toText } from "../values/text.ts";
import { Markup } from "../values/value.ts";
import { evaluate, evaluateFiltered, isConditionMet } from "./evaluate.ts";
import { enterFor, enterTablerow } from "./loops.ts";
import type { Machine } from "./machine.ts";
import { enterBlock, enterPart, enterSuper } from "./parts.ts";

type NodeOf<K extends Node["kind"]> = Extract<Node, { kind: K }>;

export function renderNode(machine: Machine, node: Node): void {
  const { evaluation } = machine;
  switch (node.kind) {
    case "text":
      return machine.write(node.text);
    case "output":
      return machine.writeValue(evaluateFiltered(evaluation, node.expression));
    case "assign":
      return evaluation.variables.assign(node.variable, evaluateFiltered(evaluation, node.expression));
    case "capture":
      return enterCapture(machine, node.body, (html) => evaluation.variables.assign(node.variable, new Markup(html)));
    case "if":
      return enterIf(machine, node);
    case "case":
      return enterCase(machine, node);
    case "for":
      return enterFor(machine, node);
    case "tablerow":
      return enterTablerow(machine, node);
    case "cycle":
      return cycle(machine, node);
    case "increment":
    case "decrement":
      return count(machine, node);
    case "ifchanged":
      return enterCapture(machine, node.body, (html) => writeIfChanged(machine, html));
    case "render":
      return enterPart(machine, node);
    case "block":
      return enterBlock(machine, node);
    case "super":
      return enterSuper(machine);
    case "layout":
      // The layout is entered at the end of the file.
      return;
    case "break":
    case "continue":
      return machine.interrupt(node.kind);
  }
}

/** Renders the nodes to a string. `use` receives the string, even if `break` or `continue` ends the block early. */
function enterCapture(machine: Machine, nodes: readonly Node[], use: (html: string) => void): void {
  machine.beginCapture();
  machine.enterBlock(nodes, () => use(machine.endCapture()));
}

function writeIfChanged(machine: Machine, html: string): void {
  machine.evaluation.meter.chargeChars(html.length, costs.searchedChar);
  if (html === machine.lastChanged) return;
  machine.lastChanged = html;
  machine.write(html);
}

function enterIf(machine: Machine, { branches }: NodeOf<"if">): void {
  for (const { condition, negated, body } of branches) {
    if (condition && isConditionMet(machine.evaluation, condition) === negated) continue;
    return machine.enterBlock(body);
  }
}

/**
 * Renders the body of a `when` once for each of its matching values, and the body of `else` if nothing before it matched.
 */
function enterCase(machine: Machine, { value, branches }: NodeOf<"case">): void {
  const { evaluation } = machine;
  const testedValue = evaluate(evaluation, value);
  const bodies: (readonly Node[])[] = [];
  let isMatched = false;
  for (const { values, body } of branches) {
    if (!values && !isMatched) bodies.push(body);
    for (const expression of values ?? []) {
      if (!isEqual(evaluation.meter, testedValue, evaluate(evaluation, expression))) continue;
      isMatched = true;
      bodies.push(body);
    }
  }
  // The last block entered is rendered first.
  for (const body of bodies.toReversed()) machine.enterBlock(body);
}

function cycle(machine: Machine, { group, values }: NodeOf<"cycle">): void {
  const { evaluation, cycles } = machine;
  const key = typeof group === "string" ? group : groupName(machine, evaluate(evaluation, group));
  const index = cycles.get(key) ?? 0;
  const value = values[index];
  if (value) machine.writeValue(evaluate(evaluation, value));
  cycles.set(key, index + 1 >= values.length ? 0 : index + 1);
}

/** The maximum number of characters in a cycle's name, and of cycles in one file. The names are kept, so both are limited. */
const maxCycleChars = 1_000;
const maxCycles = 10_000;

function groupName({ evaluation: { meter }, cycles }: Machine, value: unknown): string {
  const text = toText(meter, value);
  if (text.length > maxCycleChars) throw new LiquidError(`the name of a cycle exceeds ${maxCycleChars} characters`);
  if (cycles.size >= maxCycles) throw new LiquidError("there are more than 10,000 cycles");
  return `${isNumber(value) ? "number" : "text"}:${text}`;
}

function count(machine: Machine, { kind, variable }: NodeOf<"increment" | "decrement">): void {
  const { variables, meter } = machine.evaluation;
  meter.charge(costs.number);
  machine.write(String(kind === "increment" ? variables.count(variable, 1) : variables.count(variable, -1) - 1));
}
