// Splits the content of a page. Chromium draws boxes that clip their content one by one, each between `q` and `Q` and beginning
// with its clip path. So each box can be drawn without the others.
import { endOfHex, endOfLiteral, endOfWord, isDigit, latin1, skipSpace } from "../syntax/characters.ts";

/** A range of heights on the page, in points from its lower edge. */
export type Band = { bottom: number; top: number };

/** How far a clip path may exceed its band because of rounding. */
const tolerancePt = 1;
/** Chromium writes the transformation in about 30 bytes. Each band repeats it, so a long one would need much memory. */
const maxTransformBytes = 200;

type Split = ReturnType<typeof newSplit>;

function newSplit(content: Uint8Array, bands: readonly Band[]) {
  return {
    content,
    bands,
    /** For each band, alternating starts and ends of its groups. Views of the bytes would need ten times the memory. */
    ranges: bands.map((): number[] => []),
    /** The last numbers before an operator. They are not updated inside a group whose band is known. */
    operands: [] as number[],
    /** The number of open `q` operators. */
    depth: 0,
    /**
     * The scale and offset that convert heights from the content's units to points; null before the operator that sets them.
     */
    transform: null as { scale: number; shift: number; end: number } | null,
    group: newGroup(0),
  };
}

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
  const split = newSplit(content, bands);
  for (let at = skipSpace(content, 0, content.length); at < content.length;) {
    const end = readToken(split, at);
    if (end < 0) return null;
    at = skipSpace(content, end, content.length);
  }
  const prefix = content.subarray(0, split.transform?.end ?? 0);
  return split.depth === 0 ? split.ranges.map((ranges) => joined(content, prefix, ranges)) : null;
}

function newGroup(from: number): Group {
  return { from, band: -1, ...noPath };
}

const noPath = { lowest: Infinity, highest: -Infinity, isClip: false };

/** Returns the position after the token at `at`; -1 if the content cannot be split. */
function readToken(split: Split, at: number): number {
  const { content, operands, group } = split;
  const [code, next] = [content[at] ?? 0, content[at + 1]];
  if (code === 0x28) return endOfLiteral(content, at, content.length);
  if (code === 0x3c && next !== 0x3c) return endOfHex(content, at, content.length);
  if (code === 0x3c || code === 0x3e) return next === code ? at + 2 : -1;
  if (code === 0x5b || code === 0x5d) return at + 1;
  const end = endOfWord(content, code === 0x2f ? at + 1 : at, content.length);
  if (code === 0x2f) return end;
  if (end === at) return -1;
  if (isDigit(code) || code === 0x2d || code === 0x2b || code === 0x2e) {
    if (group.band < 0 && operands.push(Number(latin1(content, at, end))) > 6) operands.shift();
    return end;
  }
  const isUnderstood = readOperator(split, at, end);
  operands.length = 0;
  return isUnderstood ? end : -1;
}

/** Returns whether the content can still be split. */
function readOperator(split: Split, at: number, end: number): boolean {
  const { content, group } = split;
  const operator = end - at <= 2 ? latin1(content, at, end) : "";
  if (operator === "BI") return false; // The data of an inline image does not consist of tokens.
  if (split.depth === 0 && operator === "cm") return setTransform(split, end);
  if (operator === "q") {
    if (split.depth++ > 0) return group.band >= 0;
    split.group = newGroup(at);
    return split.transform !== null;
  }
  if (split.depth === 0) return false;
  if (operator === "Q" && --split.depth === 0) {
    split.ranges[group.band]?.push(group.from, end);
    split.group = newGroup(end);
  }
  return group.band >= 0 || addToClip(split, operator);
}

/** The first operator converts the content's units to points. It applies to all bands. */
function setTransform(split: Split, end: number): boolean {
  const [, skewX, skewY, scale, , shift] = split.operands;
  if (split.transform || end > maxTransformBytes) return false;
  if (skewX !== 0 || skewY !== 0 || scale === undefined || shift === undefined) return false;
  split.transform = { scale, shift, end };
  return true;
}

/** The positions of the heights among a path operator's operands. */
const heightOperands: Record<string, number[]> = { m: [1], l: [1], c: [1, 3, 5], v: [1, 3], y: [1, 3], h: [] };

/** Reads the clip paths at the beginning of a group. The first one that is inside a band determines the group's band. */
function addToClip({ operands, group, transform, bands }: Split, operator: string): boolean {
  if (operator === "re") {
    const [, y = NaN, , height = NaN] = operands;
    addHeight(group, y);
    addHeight(group, y + height);
  } else if (operator === "W" || operator === "W*") group.isClip = true;
  else if (operator === "n" && group.isClip && transform) {
    const limits = [group.lowest, group.highest].map((height) => transform.scale * height + transform.shift);
    const [bottom, top] = [Math.min(...limits) + tolerancePt, Math.max(...limits) - tolerancePt];
    const band = bands.findIndex((band) => bottom >= band.bottom && top <= band.top);
    Object.assign(group, { band, ...noPath });
  } else {
    const indexes = heightOperands[operator];
    if (!indexes) return false;
    for (const index of indexes) addHeight(group, operands[index] ?? NaN);
  }
  return true;
}

function addHeight(group: Group, height: number): void {
  group.lowest = Math.min(group.lowest, height);
  group.highest = Math.max(group.highest, height);
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
