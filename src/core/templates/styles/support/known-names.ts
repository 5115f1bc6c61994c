// Tells which versions of Chromium know a name of CSS, and finds the known name that an unknown one resembles.
import { cssNames, type NameRange } from "./css-names.generated.ts";

export type NameKind = keyof typeof cssNames;

/** `after` and `before` are the newest older version and the oldest newer version of Chromium that do not know the name. */
export type NameSupport =
  | { status: "everywhere" }
  | { status: "newer"; after: number }
  | { status: "removed"; before: number }
  | { status: "unknown" };

/** `name` is in lower case. */
export function nameSupport(kind: NameKind, name: string): NameSupport {
  return supportOf(kind).get(name) ?? { status: "unknown" };
}

/**
 * How a sentence shows a name. `prefix` is shown before a similar name, and `ignored` is what a browser ignores because of
 * the name.
 */
export type NameDisplay = { shown: string; prefix?: string; ignored?: string };

/** Returns a sentence about a name that not every Chromium knows; null for the others. */
export function nameProblem(kind: NameKind, name: string, { shown, prefix = "", ignored }: NameDisplay): string | null {
  const support = nameSupport(kind, name);
  if (support.status === "everywhere") return null;
  if (support.status === "unknown") {
    const similar = similarName(name, namesEverywhere(kind));
    const problem = `Chromium does not know ${shown}`;
    if (similar !== null) return `${problem}; did you mean \`${prefix}${similar}\`?`;
    return ignored ? `${problem} and ignores ${ignored}` : problem;
  }
  const versions = support.status === "newer" ? `${support.after} and older` : `${support.before} and newer`;
  return `Chromium ${versions} do not know ${shown}${ignored ? ` and ignore ${ignored}` : ""}`;
}

const supports = new Map<NameKind, Map<string, NameSupport>>();

function supportOf(kind: NameKind): Map<string, NameSupport> {
  let known = supports.get(kind);
  if (!known) {
    known = new Map(cssNames[kind].flatMap(entriesOf));
    supports.set(kind, known);
  }
  return known;
}

function entriesOf({ after, before, names }: NameRange): [string, NameSupport][] {
  const support: NameSupport =
    after !== null
      ? { status: "newer", after }
      : before !== null
        ? { status: "removed", before }
        : { status: "everywhere" };
  return names.split(" ").map((name) => [name, support]);
}

function namesEverywhere(kind: NameKind): string[] {
  return [...supportOf(kind)].flatMap(([name, { status }]) => (status === "everywhere" ? [name] : []));
}

/** Longer names are not compared, because the comparison takes time in proportion to the product of the lengths. */
const maxComparedChars = 40;

/** Returns the one of `names` that `written` was probably meant to be; null when none is similar. */
export function similarName(written: string, names: Iterable<string>): string | null {
  if (written.length > maxComparedChars) return null;
  const allowed = written.length <= 4 ? 1 : 2;
  let best: { name: string; distance: number } | null = null;
  for (const name of names) {
    if (Math.abs(name.length - written.length) > allowed) continue;
    const distance = editDistance(written, name) + (name[0] === written[0] ? 0 : 0.5);
    if (distance < (best?.distance ?? allowed + 1)) best = { name, distance };
  }
  return best?.name ?? null;
}

/** The number of letters to insert, remove, replace or swap with a neighbour to get from `a` to `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const at = (line: number[], index: number) => line[index] ?? Infinity;
      const replaced = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let steps = Math.min(at(last, column) + 1, at(current, column - 1) + 1, replaced);
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) steps = Math.min(steps, at(beforeLast, column - 2) + 1);
      current.push(steps);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? Infinity;
}
