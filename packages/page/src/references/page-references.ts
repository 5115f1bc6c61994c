import { percentDecoded } from "colophon-base/encoding";
// Decides from the printed pages which number each page reference shows, and whether the document must be printed again. Numbers can move
// the pages that they name, for example if a table of contents grows by a line. The pages have settled when a print shows the numbers of
// its own pages.
import { counted, shortened } from "colophon-base/text";

/** The targets' pages by name, counted from 1. Targets that were not printed are absent. */
export type TargetPages = ReadonlyMap<string, number>;

/** The maximum number of prints of a document. The first print shows estimated numbers. */
export const maxPrints = 4;

/** Returns the pages of the targets. `destinations` are page indexes by name, counted from 0. */
export function targetPages(destinations: ReadonlyMap<string, number>, targets: readonly string[]): TargetPages {
  const pages = new Map<string, number>();
  for (const target of targets) {
    const index = destinations.get(target);
    if (index !== undefined) pages.set(target, index + 1);
  }
  return pages;
}

/**
 * Returns the targets whose pages differ between the print that determined the numbers and the print that shows them.
 */
export function movedTargets(shown: TargetPages, printed: TargetPages): string[] {
  return [...new Set([...shown.keys(), ...printed.keys()])].filter((name) => shown.get(name) !== printed.get(name));
}

/** Returns a warning for the document. `moved` are the targets whose printed numbers are wrong. */
export function unsettledWarning(moved: readonly string[]): string {
  const example = shortened(percentDecoded(moved[0] ?? ""));
  return (
    `The page numbers of ${counted(moved.length, "page reference")} did not settle in ${maxPrints} prints, because ` +
    `printing them moves the pages. For example, the number for "#${example}" is wrong.`
  );
}

const maxNamedTargets = 5;

/** Returns the warnings for page references that stay empty. */
export function missingTargetWarnings(missing: readonly string[]): string[] {
  const named = missing.length > maxNamedTargets + 1 ? missing.slice(0, maxNamedTargets) : missing;
  const warnings = named.map(
    (target) =>
      `The page reference to "#${shortened(percentDecoded(target))}" is empty: no printed element has this id.`,
  );
  const others = missing.length - named.length;
  if (others > 0) warnings.push(`${counted(others, "other page reference")} to missing elements are empty too.`);
  return warnings;
}
