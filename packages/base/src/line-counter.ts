// Line numbers for messages about a source text.

/**
 * Returns a function that maps an index in `text` to its line, counted from 1. It searches a list of line ends, so that
 * mapping many indexes is cheap.
 */
export function lineCounter(text: string): (index: number) => number {
  const ends: number[] = [];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) ends.push(end);
  return (index) => {
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? Infinity) < index) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
