// The markup of a Liquid file without its Liquid, and the blocks of Liquid in it. Every character keeps its position.
import { hasMarks, withMarks, withoutTagMarks } from "../../styles/support/liquid-marks.ts";

/**
 * What is between two tags of a Liquid block, e.g. a branch of `if`. It is rendered as a whole, once, several times or not
 * at all. `index` counts the bodies of a block from 0.
 */
export type LiquidBody = { tag: string; index: number; start: number; end: number };

export type MarkupText = {
  /** The file, with marks in place of outputs and spaces in place of tags that print nothing. */
  text: string;
  /** In the order of their starts. Bodies are nested, but never overlap. */
  bodies: LiquidBody[];
  /** What is between `raw` and `endraw`, in the order of the file. */
  raw: { start: number; end: number }[];
};

/** `source` must be a valid Liquid file. */
export function markupText(source: string): MarkupText {
  const raw: MarkupText["raw"] = [];
  const tags = liquidTags(source, raw);
  return { text: withoutTagMarks(withMarks(source)), bodies: liquidBodies(source, tags), raw };
}

/** Whether a text is known only when the file is rendered. */
export function isDynamic(text: string): boolean {
  return hasMarks(text);
}

const blockTags = "block case capture for if ifchanged tablerow unless";
const opens = new Set(blockTags.split(" "));
const divides = new Set(["else", "elsif", "when"]);

function liquidBodies(source: string, tags: Iterable<LiquidTag>): LiquidBody[] {
  const bodies: LiquidBody[] = [];
  const open: LiquidBody[] = [];
  for (const { name, start, end } of tags) {
    const closes = name.startsWith("end") && opens.has(name.slice(3));
    if (!closes && !divides.has(name) && !opens.has(name)) continue;
    const current = opens.has(name) ? undefined : open.pop();
    if (current) current.end = start;
    if (closes || (divides.has(name) && !current)) continue;
    const body = { tag: current?.tag ?? name, index: current ? current.index + 1 : 0, start: end, end: source.length };
    bodies.push(body);
    open.push(body);
  }
  return bodies;
}

type LiquidTag = { name: string; start: number; end: number };

/** Returns the tags that are neither inside comments nor inside text that is printed as it is, and adds that text to `raw`. */
function* liquidTags(source: string, raw: MarkupText["raw"]): Generator<LiquidTag> {
  const opening = /\{\{|\{%-?\s*(#|\w*)/g;
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const name = found[1];
    const close = source.indexOf(name === undefined ? "}}" : "%}", found.index + 2);
    if (close < 0) return;
    opening.lastIndex = close + 2;
    if (name === undefined) continue;
    if (name === "raw" || name === "comment" || name === "doc") {
      const closing = new RegExp(String.raw`\{%-?\s*end${name}\s*-?%\}`, "g");
      closing.lastIndex = close + 2;
      opening.lastIndex = closing.exec(source) ? closing.lastIndex : source.length;
      if (name === "raw") raw.push({ start: close + 2, end: opening.lastIndex });
    } else {
      yield { name, start: found.index, end: close + 2 };
    }
  }
}
