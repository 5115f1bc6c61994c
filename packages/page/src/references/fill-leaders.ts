// Fills lines with leaders: repeats the pattern of each leader until the text after it ends exactly at the end of the line. The free space
// of a line is measured by aligning its text first to the start and then to the end, which works in every layout: in wrapped text, in
// table cells, next to floats, and from right to left.
import { counted } from "colophon-base/text";
import {
  createElement,
  createRange,
  displayOf,
  findInDocument,
  parentOf,
  insertInside,
  removeAttribute,
  rootElement,
  setAttribute,
  attributeOf,
} from "../dom.ts";
import type { LeaderAttribute } from "./reference-attributes.ts";

export type LeaderEdge = "before" | "after";

/** The attribute of an element with a leader. It contains the name of the pseudo-element and the leader's state. */
export const leaderEdge = "data-colophon-leader";
/** The attribute of a block whose lines are being measured. */
const measured = "data-colophon-measured";
/** The attribute of the root element while it is as wide as a page's content. */
const printWidth = "data-colophon-print-width";
const printWidthProperty = "--colophon-print-width";

/** Every filled line is this much shorter than its space, because a line that is too long by a rounding error would wrap. */
const tolerancePx = 0.2;
/** Repeating a pattern this many times shows its width with enough precision, because the browser rounds widths to 1/64 pixel. */
const sampleRepeats = 11;
const maxLeaderChars = 2_000_000;

const pseudo = (state: string) => `[${leaderEdge}~="before"]${state}::before,[${leaderEdge}~="after"]${state}::after`;

/**
 * A leader and the text after it form a box that does not wrap, with its content aligned to the end. The width of a
 * filled box does not affect column widths, so filling it moves nothing else.
 */
export const leaderStyles = [
  `${pseudo("")}{display:inline-flex!important;justify-content:flex-end!important;float:none!important;`,
  "box-sizing:content-box!important;width:auto!important;min-width:auto!important;max-width:none!important;",
  "text-indent:0!important;white-space:pre!important;overflow-x:clip!important;overflow-y:visible!important}",
  `${pseudo('[data-colophon-leader~="item"]')}{flex:1 1 0px!important}`,
  `${pseudo('[data-colophon-leader~="filled"]')}{contain:inline-size!important;`,
  "contain-intrinsic-inline-size:var(--colophon-leader-min)!important;min-width:var(--colophon-leader-min)!important}",
  `${pseudo('[data-colophon-leader~="line"]')}{width:calc(100% - var(--colophon-leader-rest))!important}`,
  `[${measured}="nowrap"]{text-wrap:nowrap!important;text-align:start!important;text-align-last:start!important}`,
  `[${measured}="start"]{text-align:start!important;text-align-last:start!important}`,
  `[${measured}="end"]{text-align:end!important;text-align-last:end!important}`,
  `:root[${printWidth}]{box-sizing:border-box!important;width:var(${printWidthProperty})!important}`,
].join("");

type Leader = {
  element: Element;
  edge: LeaderEdge;
  attribute: string;
  pattern: string;
  /** The block that contains the line, or the flex or grid container that has the leader as an item. */
  block: Element;
  isItem: boolean;
  /** An empty element next to the leader. It is not used in a flex or grid container, where it would be an extra item. */
  probe: HTMLElement;
};

/** The widths are in CSS pixels, or NaN if the leader is not displayed. */
type MeasuredLeader = Leader & {
  /** The width of the box with one repeat. */
  minimum: number;
  /** The space for more repeats, and the width of one repeat. */
  free: number;
  repeated: number;
  /** The width of the block without the box. */
  rest: number;
};

/**
 * Returns warnings for the document. `printWidthOf` returns the width in CSS pixels of the page on which an element is
 * printed; null if the document is already laid out at the right width.
 */
export function fillLeaders(
  attributes: readonly LeaderAttribute[],
  printWidthOf: ((element: Element) => number) | null,
): string[] {
  const leaders = attributes.flatMap(leadersOf);
  if (!printWidthOf) return fillAll(measureLeaders(leaders));
  const root = rootElement();
  const byWidth = [...Map.groupBy(leaders, ({ element }) => printWidthOf(element))];
  const measuredLeaders = byWidth.flatMap(([width, group]) => {
    root.style.setProperty(printWidthProperty, `${width}px`);
    setAttribute(root, printWidth, "");
    return measureLeaders(group);
  });
  removeAttribute(root, printWidth);
  root.style.removeProperty(printWidthProperty);
  return fillAll(measuredLeaders);
}

function leadersOf({ name: attribute, pattern }: LeaderAttribute): Leader[] {
  return findInDocument(`[${attribute}]`).map((element) => {
    const edge: LeaderEdge = attributeOf(element, leaderEdge)?.startsWith("before") ? "before" : "after";
    let block = element;
    while (/^(?:inline|contents)$/.test(displayOf(block))) block = parentOf(block) ?? rootElement();
    const isItem = block === element && /flex|grid/.test(displayOf(block));
    const probe = createElement("span");
    probe.style.cssText = "all:unset!important";
    return { element, edge, attribute, pattern, block, isItem, probe };
  });
}

/** Every step changes all leaders before reading any of them, because reading after a change triggers a layout. */
function measureLeaders(leaders: readonly Leader[]): MeasuredLeader[] {
  for (const leader of leaders) {
    const { element, edge, attribute, pattern, block, isItem, probe } = leader;
    setAttribute(element, attribute, pattern);
    setAttribute(element, leaderEdge, edge);
    setAttribute(block, measured, "nowrap");
    if (!isItem) insertInside(element, probe, edge === "before" ? "start" : "end");
  }
  const following = widthsAfter(leaders);
  for (const { block } of leaders) setAttribute(block, measured, "start");
  const started = leaders.map((leader, index) => measureLine(leader, following[index] ?? 0));
  const sharersOf = countSharers(started);
  for (const { element, edge, block, isItem } of leaders) {
    setAttribute(block, measured, "end");
    if (isItem) setAttribute(element, leaderEdge, `${edge} item`);
  }
  const ended = leaders.map((leader) => ({ x: positionOf(leader).x, width: measureBox(leader).width }));
  for (const { element, edge, attribute, pattern, block, probe } of leaders) {
    removeAttribute(block, measured);
    probe.remove();
    setAttribute(element, leaderEdge, edge);
    setAttribute(element, attribute, pattern.repeat(sampleRepeats));
  }
  const sampled = leaders.map((leader) => measureBox(leader).width);
  return started.map((line, index) => {
    const { leader, width, aside, x, blockWidth, isWrapped } = line;
    const end = ended[index] ?? { x, width };
    const shared = width + Math.abs(end.x - x) / sharersOf(line);
    const whole = leader.isItem ? end.width : isWrapped ? blockWidth - aside : shared;
    const repeated = ((sampled[index] ?? NaN) - width) / (sampleRepeats - 1);
    return { ...leader, minimum: width, free: whole - width, repeated, rest: blockWidth - whole };
  });
}

/** Returns the width of the content after each leader, up to the next leader or the end of its line. The lines must not wrap. */
function widthsAfter(leaders: readonly Leader[]): number[] {
  const elements = findInDocument(`[${leaderEdge}]`);
  const next = new Map(elements.map((element, index) => [element, elements[index + 1]]));
  // A change to the document updates every existing range.
  const range = createRange();
  return leaders.map((leader) => {
    const { element, block, edge, isItem, probe } = leader;
    if (isItem) return 0;
    range.selectNodeContents(block);
    range.setStartAfter(probe);
    const end = next.get(element);
    if (end && Node.prototype.contains.call(block, end)) range.setEndBefore(end);
    const { left: x, top, height } = probe.getBoundingClientRect();
    const { width, around } = measureBox(leader);
    const start = edge === "after" ? width + around : 0;
    const rects = [...range.getClientRects()].filter(
      (rect) => rect.top < top + height / 2 && rect.bottom > top + height / 2,
    );
    return rects.reduce((reach, { left, right }) => Math.max(reach, x - left, right - x), start) - start;
  });
}

/**
 * `aside` is the width that a line needs in addition to the box: the box's margins, borders and padding, and the text after it.
 * `y` is a whole number.
 */
type Line = { width: number; aside: number; x: number; y: number; blockWidth: number; isWrapped: boolean };

const unmeasured: Line = { width: NaN, aside: NaN, x: NaN, y: NaN, blockWidth: NaN, isWrapped: false };

function measureBox({ element, edge }: Leader): { width: number; around: number } {
  const style = getComputedStyle(element, `::${edge}`);
  const sides = ["left", "right"].flatMap((side) => [`margin-${side}`, `padding-${side}`, `border-${side}-width`]);
  const around = sides.reduce((total, side) => total + (parseFloat(style.getPropertyValue(side)) || 0), 0);
  return { width: parseFloat(style.width), around };
}

/** Measures the line that contains the probe, and decides whether the leader belongs in the next line. */
function measureLine(leader: Leader, following: number): Line & { leader: Leader } {
  const { block, edge, isItem } = leader;
  const { x, y } = positionOf(leader);
  const style = getComputedStyle(block);
  // A block that continues in a second column has one rectangle per column.
  const rects = [...Element.prototype.getClientRects.call(block)];
  const rect = rects.find(({ left, right }) => left <= x && x <= right) ?? rects[0];
  // In vertical text, a leader keeps one repeat.
  if (!rect || style.writingMode !== "horizontal-tb") return { leader, ...unmeasured };
  const inner = (side: "left" | "right") =>
    parseFloat(style.getPropertyValue(`border-${side}-width`)) + parseFloat(style.getPropertyValue(`padding-${side}`));
  const [left, right] = [rect.left + inner("left"), rect.right - inner("right")];
  const { width, around } = measureBox(leader);
  const besideProbe = style.direction === "rtl" ? x - left : right - x;
  const space = edge === "after" ? besideProbe : besideProbe + width + around;
  const [blockWidth, aside] = [right - left, around + following];
  const isMovable = following === 0 || blockWidth - following > Math.max(space, width + around);
  const isWrapped = !isItem && isMovable && width + aside > space + 0.5;
  return { leader, width, aside, x, y: Math.round(y), blockWidth, isWrapped };
}

function positionOf({ probe }: Leader): { x: number; y: number } {
  const { left, top } = probe.getBoundingClientRect();
  return { x: left, y: top };
}

/** Returns a function that counts the leaders that share a line. They fill its free space in equal parts. */
function countSharers(lines: readonly (Line & { leader: Leader })[]) {
  const counts = new Map<Element, Map<number, number>>();
  for (const { leader, y, isWrapped } of lines) {
    if (isWrapped) continue;
    const ofBlock = counts.get(leader.block) ?? new Map<number, number>();
    counts.set(leader.block, ofBlock.set(y, (ofBlock.get(y) ?? 0) + 1));
  }
  return ({ leader, y, isWrapped }: (typeof lines)[number]) =>
    isWrapped ? 1 : (counts.get(leader.block)?.get(y) ?? 1);
}

function fillAll(leaders: readonly MeasuredLeader[]): string[] {
  let chars = 0;
  let short = 0;
  for (const { element, edge, attribute, pattern, isItem, minimum, free, repeated, rest } of leaders) {
    const wanted = free > 0 && repeated > 0 ? 1 + Math.floor((free + tolerancePx) / repeated) : 1;
    const fits = chars + wanted * pattern.length <= maxLeaderChars;
    if (!fits) short++;
    const repeats = fits ? wanted : 1;
    chars += repeats * pattern.length;
    setAttribute(element, attribute, pattern.repeat(repeats));
    if (!(element instanceof HTMLElement) || !Number.isFinite(rest)) continue;
    element.style.setProperty("--colophon-leader-min", `${minimum}px`);
    element.style.setProperty("--colophon-leader-rest", `${rest + tolerancePx}px`);
    setAttribute(element, leaderEdge, `${edge} filled ${isItem ? "item" : "line"}`);
  }
  if (short === 0) return [];
  const limit = maxLeaderChars.toLocaleString("en-US");
  return [
    `Left ${counted(short, "leader")} short: the leaders of a document may have at most ${limit} characters in total.`,
  ];
}
