// Sets of code points and their notation as ranges.
import { eachRange } from "./font-index.ts";

/** Returns the code points of a value of `unicode-range`. */
export function codePointsIn(unicodeRange: string): Set<number> {
  const points = new Set<number>();
  eachRange(unicodeRange.replace(/[uU]\+|\s/g, ""), (first, last) => {
    for (let point = first; point <= last; point++) points.add(point);
  });
  return points;
}

/** Returns the ranges of the code points, in the notation of the index. */
export function rangesOf(points: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const point of [...points].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges.map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`)).join(",");
}

function hex(point: number): string {
  return point.toString(16);
}
