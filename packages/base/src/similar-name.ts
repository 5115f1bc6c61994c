// Finds the name that was probably meant by an unknown name.

/** Longer names are not compared, because the time is proportional to the product of the lengths. */
const maxComparedChars = 40;
/** Only this many names are compared. */
const maxNames = 1_000;

/**
 * Returns the name that was probably meant by `written`: a name that differs only in case and in `_` or `-`, or else a similarly spelt
 * name. Null if there is none.
 */
export function similarName(written: string, names: Iterable<string>): string | null {
  if (written.length > maxComparedChars) return null;
  const all = [...names].slice(0, maxNames);
  const plain = plainName(written);
  const same = all.find((name) => plainName(name) === plain);
  if (same !== undefined) return same;
  const allowed = written.length <= 4 ? 1 : 2;
  let best: { name: string; distance: number } | null = null;
  for (const name of all) {
    if (Math.abs(name.length - written.length) > allowed) continue;
    const distance = editDistance(written, name, allowed) + (name[0] === written[0] ? 0 : 0.5);
    if (distance < (best?.distance ?? allowed + 1)) best = { name, distance };
  }
  return best?.name ?? null;
}

/** Returns the end of a message about an unknown name. */
export function suggestion(name: string, known: Iterable<string>): string {
  const similar = similarName(name, known);
  return similar === null ? "" : `; did you mean \`${similar}\`?`;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/**
 * Returns how many letters must be inserted, removed, replaced or swapped with a neighbour to turn `a` into `b`; infinite if
 * more than `allowed`.
 */
function editDistance(a: string, b: string, allowed: number): number {
  // A row has only the columns near its own number, because elsewhere the lengths alone differ by more than allowed.
  const width = 2 * allowed + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, index) => (index < allowed ? Infinity : index - allowed));
  for (let row = 1; row <= a.length; row++) {
    const current: number[] = [];
    for (let index = 0; index < width; index++) {
      const column = row - allowed + index;
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const changed = Math.min((last[index + 1] ?? Infinity) + 1, (current[index - 1] ?? Infinity) + 1);
      const kept = (last[index] ?? Infinity) + (isSame ? 0 : 1);
      const swapped = isSwap ? (beforeLast[index] ?? Infinity) + 1 : Infinity;
      current.push(column < 0 || column > b.length ? Infinity : Math.min(changed, kept, swapped));
    }
    if (Math.min(...current) > allowed) return Infinity;
    [beforeLast, last] = [last, current];
  }
  return last[b.length - a.length + allowed] ?? Infinity;
}
