// Finds the name that an unknown name was probably meant to be.

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
