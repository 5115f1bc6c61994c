// Finds elements of which one tag is in a loop and the other one is not. From the second time on, the loop would end or begin
// an element whose counterpart was printed only once.
import { quoted } from "../../styles/support/style-message.ts";
import { optionalEnds } from "./html-names.ts";
import type { MarkupTag } from "./markup-tags.ts";
import type { LiquidBody } from "./markup-text.ts";

/** A tag whose counterpart is in another body of Liquid. `body` is its own. */
export type DividedTag = { tag: MarkupTag; body: LiquidBody | null };

/** `bodies` are in the order of their starts. */
type Input = { openers: readonly DividedTag[]; closers: readonly DividedTag[]; bodies: readonly LiquidBody[]; lineOf: (index: number) => number };

/** The number of tags that are looked at. */
const maxTags = 100;

/** Returns the tags that a loop repeats without their counterparts, with what is wrong with them. */
export function repeatedAlone({ openers, closers, bodies, lineOf }: Input): { tag: MarkupTag; message: string }[] {
  const parents = parentsOf(bodies);
  const loopAround = (body: LiquidBody | null): LiquidBody | null => {
    let around = body;
    while (around && !isLoop(around)) around = parents.get(around) ?? null;
    return around;
  };
  return [...openers, ...closers].filter(isRepeated).slice(0, maxTags).flatMap(({ tag, body }) => {
    const others = (tag.kind === "start" ? closers : openers).filter((other) => other.tag.name === tag.name);
    const isAlone = others.every((other) => isInside(body, loopAround(other.body)));
    const other = tag.kind === "start" ? others[0] : others.at(-1);
    return isAlone && other ? [{ tag, message: repeatedMessage(tag, { other: other.tag, loop: body, lineOf }) }] : [];
  });
}

/** A tag in a branch inside a loop may be printed only once, and an end tag that may be left out does no harm. */
function isRepeated(divided: DividedTag): divided is DividedTag & { body: LiquidBody } {
  return divided.body !== null && isLoop(divided.body) && !optionalEnds.has(divided.tag.name);
}

function isInside(inner: LiquidBody, outer: LiquidBody | null): boolean {
  return outer === null || (outer.start < inner.start && inner.end < outer.end);
}

type Place = { other: MarkupTag; loop: LiquidBody; lineOf: Input["lineOf"] };

function repeatedMessage({ kind, name }: MarkupTag, { other, loop, lineOf }: Place): string {
  const [own, counterpart] = kind === "start" ? [`<${name}>`, `</${name}>`] : [`</${name}>`, `<${name}>`];
  return `${quoted(own)} is inside the loop in line ${lineOf(loop.start)}, and ${quoted(counterpart)} in line ${lineOf(other.start)} is not`;
}

function isLoop({ tag, index }: LiquidBody): boolean {
  return tag === "for" && index === 0;
}

function parentsOf(bodies: readonly LiquidBody[]): Map<LiquidBody, LiquidBody | null> {
  const parents = new Map<LiquidBody, LiquidBody | null>();
  const open: LiquidBody[] = [];
  for (const body of bodies) {
    while ((open.at(-1)?.end ?? Infinity) <= body.start) open.pop();
    parents.set(body, open.at(-1) ?? null);
    open.push(body);
  }
  return parents;
}
