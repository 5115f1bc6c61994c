// Lists the contents of parse-tree nodes: expressions and other nodes. Also finds the names that a file reads, without data.
import type { Expression, NamedArguments, Node, ParsedLiquid, PathStep } from "./tree.ts";

/** Yields the nodes and all nodes inside them, in file order. */
export function* allNodes(nodes: readonly Node[]): Generator<Node> {
  // Nested generators would pass each node through every level.
  const rest = nodes.toReversed();
  for (let node = rest.pop(); node; node = rest.pop()) {
    yield node;
    for (const body of bodiesOf(node).toReversed()) for (const inner of body.toReversed()) rest.push(inner);
  }
}

/** Yields the expressions of the nodes and of all nodes inside them, and the expressions inside these expressions. */
function* allExpressions(nodes: readonly Node[]): Generator<Expression> {
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

/** Returns the expressions and the blocks that a node contains directly. */
export function contentsOf(node: Node): { expressions: Expression[]; bodies: Node[][] } {
  return {
    expressions: expressionsOf(node).filter((each) => each !== null && typeof each !== "string"),
    bodies: bodiesOf(node),
  };
}

function bodiesOf(node: Node): Node[][] {
  if ("branches" in node) return node.branches.map(({ body }) => body);
  if (!("body" in node)) return [];
  return node.kind === "for" ? [node.body, node.otherwise] : [node.body];
}

/** Some expressions may be missing, or be plain strings such as the name of a cycle. */
function expressionsOf(node: Node): (Expression | string | null)[] {
  switch (node.kind) {
    case "output":
    case "assign": {
      const { value, filters } = node.expression;
      return [value, ...filters.flatMap(({ positional, named }) => [...positional, ...valuesOf(named)])];
    }
    case "if":
      return node.branches.flatMap(({ condition }) =>
        (condition?.operands ?? []).flatMap(({ left, comparison }) => [left, comparison?.right ?? null]),
      );
    case "case":
      return [node.value, ...node.branches.flatMap(({ values }) => values ?? [])];
    case "for":
    case "tablerow": {
      const { collection, limit, offset } = node.options;
      return [collection, limit, offset, node.kind === "tablerow" ? node.columns : null];
    }
    case "cycle":
      return [node.group, ...node.values];
    case "render":
      return [node.binding?.value ?? null, ...valuesOf(node.named)];
    case "layout":
      return valuesOf(node.named);
    case "block":
    case "break":
    case "capture":
    case "continue":
    case "decrement":
    case "ifchanged":
    case "increment":
    case "super":
    case "text":
      return [];
  }
}

function valuesOf(named: NamedArguments): Expression[] {
  return named.map(([, value]) => value);
}

type File = Pick<ParsedLiquid, "nodes">;

/**
 * Returns whether any expression of the file may read the variable. Also true if the file itself sets a variable with
 * this name, or if a variable's name is known only at render time, as in `[key].number`.
 */
export function readsVariable(file: File, name: string): boolean {
  return readsUnder(file, [name]).length > 0;
}

/**
 * Returns the property names that the file reads from an object, such as `["page", "values"]`. Null if it may read any name, because it
 * passes the object on or computes the name at render time.
 */
export function namesRead(file: File, path: readonly string[]): string[] | null {
  const names = readsUnder(file, path).map((steps) => textOf(steps[path.length]));
  const definiteNames = names.filter((name) => name !== null);
  return definiteNames.length === names.length ? definiteNames : null;
}

/** Returns the paths that may read the object at `path` or an object that contains it. */
function readsUnder({ nodes }: File, path: readonly string[]): PathStep[][] {
  return Array.from(allExpressions(nodes)).flatMap((expression) => {
    if (expression.kind !== "path") return [];
    const steps = [expression.root, ...expression.steps];
    // A path that ends before a step may lead to it later.
    return path.every((name, index) => [name, null].includes(textOf(steps[index]))) ? [steps] : [];
  });
}

/** Returns the name in a step; null if it is missing or known only at render time. */
function textOf(step: PathStep | undefined): string | null {
  if (typeof step === "object") return step.kind === "literal" ? String(step.value) : null;
  return step ?? null;
}
