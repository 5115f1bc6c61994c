// Finds out from the parse tree what a file reads, before any data is known.
import { allExpressions } from "./node-contents.ts";
import type { Expression, ParsedLiquid, PathStep } from "./tree.ts";

type File = Pick<ParsedLiquid, "nodes">;

/**
 * Whether any expression of the file may read the variable. The result is also true if the file itself sets a variable
 * of this name, and if the name of a variable is known only when the file is rendered, as in `[key].number`.
 */
export function readsVariable(file: File, name: string): boolean {
  return readsUnder(file, [name]).length > 0;
}

/**
 * Returns the names that the file reads of an object, such as `["page", "values"]`. Null if it may read any: it passes the
 * object on, or the name is known only when the file is rendered.
 */
export function namesRead(file: File, path: readonly string[]): string[] | null {
  const names = readsUnder(file, path).map((steps) => textOf(steps[path.length]));
  const known = names.filter((name) => name !== null);
  return known.length === names.length ? known : null;
}

/** Returns the paths that may read the object at `path`, or an object that contains it. */
function readsUnder({ nodes }: File, path: readonly string[]): PathStep[][] {
  return Array.from(allExpressions(nodes)).flatMap((expression) => {
    if (expression.kind !== "path") return [];
    const steps = [expression.root, ...expression.steps];
    return path.every((name, index) => mayBe(steps[index], name)) ? [steps] : [];
  });
}

/** A path that ends before this step may lead to it later. */
function mayBe(step: PathStep | undefined, name: string): boolean {
  const text = textOf(step);
  return text === null || text === name;
}

function textOf(step: string | Expression | undefined): string | null {
  if (typeof step === "object") return step.kind === "literal" ? String(step.value) : null;
  return step ?? null;
}
