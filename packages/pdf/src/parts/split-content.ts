// Splits the content of a page. Chromium draws boxes that clip their content one by one, each between `q` and `Q` and beginning
// with its clip path. So each box can be drawn without the others.
import { PdfError } from "../syntax/pdf-error.ts";
import { each, readContent, type Operation, type Visitors } from "../syntax/read-content.ts";

/** A range of heights on the page, in points from its lower edge. */
export type Band = { bottom: number; top: number };

/** How far a clip path may exceed its band because of rounding. */
const tolerancePt = 1;
/** Chromium writes the transformation in about 30 bytes. Each band repeats it, so a long one would need much memory. */
const maxTransformBytes = 200;

type Split = {
  bands: readonly Band[];
  /** For each band, alternating starts and ends of its groups. Views of the bytes would need ten times the memory. */
  ranges: number[][];
  /** The number of open `q` operators. */
  depth: number;
  /** The scale and offset that convert heights from the content's units to points; null before the operator that sets them. */
  transform: { scale: number; shift: number; end: number } | null;
  group: Group;
};

/**
 * Everything from a `q` at depth 0 to its `Q`. `band` is -1 until a clip path determines it. `lowest` and `highest` are the
 * limits of the clip path, in the content's units.
 */
type Group = { from: number; band: number; lowest: number; highest: number; isClip: boolean };

/**
 * Returns the content of each band, or null if anything drawn cannot be assigned to exactly one band. The gaps between bands
 * must exceed the tolerance.
 */
export function splitContent(content: Uint8Array, bands: readonly Band[]): Uint8Array[] | null {
  const split: Split = { bands, ranges: bands.map(() => []), depth: 0, transform: null, group: newGroup(0) };
  try {
    readContent(content, visitorsOf(split));
  } catch (error) {
    if (error instanceof PdfError) return null;
    throw error;
  }
  const prefix = content.subarray(0, split.transform?.end ?? 0);
  return split.depth === 0 ? split.ranges.map((ranges) => joined(content, prefix, ranges)) : null;
}

function newGroup(from: number): Group {
  return { from, band: -1, ...noPath };
}

const noPath = { lowest: Infinity, highest: -Infinity, isClip: false };

function refuse(): never {
  throw new PdfError("the content cannot be split");
}

/** Outside groups, no band is known either. */
function visitorsOf(split: Split): Visitors {
  const requireBand = () => {
    if (split.group.band < 0) refuse();
  };
  return {
    cm: (operation) => (split.depth === 0 ? setTransform(split, operation) : requireBand()),
    q({ from }) {
      if (split.depth++ > 0) return requireBand();
      split.group = split.transform ? newGroup(from) : refuse();
    },
    Q({ to }) {
      requireBand();
      if (--split.depth > 0) return;
      split.ranges[split.group.band]?.push(split.group.from, to);
      split.group = newGroup(to);
    },
    ...each("m l c v y re h W W* n", (operation) => {
      if (split.depth === 0) refuse();
      if (split.group.band < 0) addToClip(split, operation);
    }),
    BI: refuse,
    others: requireBand,
  };
}

/** The first operator converts the content's units to points. It applies to all bands. */
function setTransform(split: Split, { operands, to }: Operation): void {
  const [, skewX, skewY, scale, , shift] = operands();
  if (split.transform || to > maxTransformBytes || skewX !== 0 || skewY !== 0) refuse();
  split.transform = { scale: Number(scale), shift: Number(shift), end: to };
}

/** Reads the clip paths at the beginning of a group. The first one that is inside a band determines the group's band. */
function addToClip({ group, transform, bands }: Split, { operator, operands }: Operation): void {
  if (operator === "W" || operator === "W*") group.isClip = true;
  else if (operator !== "n") {
    const numbers = operands().map(Number);
    const [, y = 0, , height = 0] = numbers;
    const heights = operator === "re" ? [y, y + height] : numbers.filter((_, index) => index % 2 === 1);
    group.lowest = Math.min(group.lowest, ...heights);
    group.highest = Math.max(group.highest, ...heights);
  } else if (group.isClip && transform) {
    const limits = [group.lowest, group.highest].map((height) => transform.scale * height + transform.shift);
    const [bottom, top] = [Math.min(...limits) + tolerancePt, Math.max(...limits) - tolerancePt];
    const band = bands.findIndex((band) => bottom >= band.bottom && top <= band.top);
    Object.assign(group, { band, ...noPath });
  } else refuse();
}

/** Returns the prefix and the ranges of the content, each followed by a line feed. */
function joined(content: Uint8Array, prefix: Uint8Array, ranges: readonly number[]): Uint8Array {
  let length = prefix.length + 1;
  for (let index = 0; index < ranges.length; index += 2) length += (ranges[index + 1] ?? 0) - (ranges[index] ?? 0) + 1;
  const bytes = new Uint8Array(length).fill(lineFeed);
  bytes.set(prefix);
  let at = prefix.length + 1;
  for (let index = 0; index < ranges.length; index += 2) {
    const group = content.subarray(ranges[index], ranges[index + 1]);
    bytes.set(group, at);
    at += group.length + 1;
  }
  return bytes;
}

const lineFeed = 0x0a;
