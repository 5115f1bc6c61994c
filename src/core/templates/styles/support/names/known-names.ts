// Tells which versions of Chromium know a name of CSS, and finds the known name that an unknown one resembles.
import { cssNames, type NameRange } from "./css-names.generated.ts";
import { similarName } from "../../../../similar-name.ts";

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
export function nameProblem(kind: NameKind, name: string, display: NameDisplay): string | null {
  return supportProblem(nameSupport(kind, name), display, () => similarName(name, namesEverywhere(kind)));
}

/** `findSimilar` is called only for an unknown name, because it is expensive. */
export function supportProblem(
  support: NameSupport,
  { shown, prefix = "", ignored }: NameDisplay,
  findSimilar: () => string | null,
): string | null {
  if (support.status === "everywhere") return null;
  if (support.status === "unknown") {
    const similar = findSimilar();
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
