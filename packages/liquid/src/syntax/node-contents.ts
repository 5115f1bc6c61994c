// What the nodes of a parse tree contain: expressions, and other nodes.
import type { Condition, Expression, FilteredExpression, LoopOptions, NamedArguments, Node } from "./tree.ts";

/** The expressions and the blocks that a node contains directly. */
export type NodeContents = { expressions: Expression[]; bodies: Node[][] };

/** Yields the nodes and all nodes inside them, in the order of the file. */
export function* allNodes(nodes: readonly Node[]): Generator<Node> {
  // Generators that delegate to one another pass each node through every level.
  const rest = nodes.toReversed();
  for (let node = rest.pop(); node; node = rest.pop()) {
    yield node;
    for (const body of contentsOf(node).bodies.toReversed()) for (const inner of body.toReversed()) rest.push(inner);
  }
}

/** Yields the expressions of the nodes and of all nodes inside them, and the expressions inside those. */
export function* allExpressions(nodes: readonly Node[]): Generator<Expression> {
  for (const node of allNodes(nodes))
    for (const expression of contentsOf(node).expressions) yield* withInner(expression);
}

function* withInner(expression: Expression): Generator<Expression> {
  yield expression;
  const { kind } = expression;
  const inner =
    kind === "range" ? [expression.from, expression.to] : kind === "path" ? [expression.root, ...expression.steps] : [];
  for (const each of inner) if (typeof each !== "string") yield* withInner(each);
}

export function contentsOf(node: Node): NodeContents {
  switch (node.kind) {
    case "output":
    case "assign":
      return { expressions: filteredExpressions(node.expression), bodies: [] };
    case "capture":
    case "ifchanged":
      return { expressions: [], bodies: [node.body] };
    case "if":
      return {
        expressions: node.branches.flatMap(({ condition }) => (condition ? conditionExpressions(condition) : [])),
        bodies: node.branches.map(({ body }) => body),
      };
    case "case":
      return {
        expressions: [node.value, ...node.branches.flatMap(({ values }) => values ?? [])],
        bodies: node.branches.map(({ body }) => body),
      };
    case "for":
      return { expressions: loopExpressions(node.options), bodies: [node.body, node.otherwise] };
    case "tablerow":
      return { expressions: present([...loopExpressions(node.options), node.columns]), bodies: [node.body] };
    case "cycle":
      return { expressions: present([node.group, ...node.values]), bodies: [] };
    case "render":
      return { expressions: present([node.binding?.value ?? null, ...argumentsOf(node)]), bodies: [] };
    case "layout":
      return { expressions: argumentsOf(node), bodies: [] };
    case "block":
      return { expressions: [], bodies: [node.body] };
    case "super":
    case "text":
    case "increment":
    case "decrement":
    case "break":
    case "continue":
      return { expressions: [], bodies: [] };
  }
}

function argumentsOf({ named }: { named: NamedArguments }): Expression[] {
  return named.map(([, value]) => value);
}

function filteredExpressions({ value, filters }: FilteredExpression): Expression[] {
  return [value, ...filters.flatMap(({ positional, named }) => [...positional, ...named.map(([, option]) => option)])];
}

function conditionExpressions({ operands }: Condition): Expression[] {
  return operands.flatMap(({ left, comparison }) => (comparison ? [left, comparison.right] : [left]));
}

function loopExpressions({ collection, limit, offset }: LoopOptions): Expression[] {
  return present([collection, limit, offset]);
}

/** Leaves out what is absent or a plain text, such as the name of a cycle. */
function present(values: (Expression | string | null)[]): Expression[] {
  return values.filter((value) => value !== null && typeof value !== "string");
}
