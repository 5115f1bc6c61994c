// The markup of a Liquid file without its Liquid, and the blocks of Liquid in it. Every character keeps its position.
import { hasMarks, tokensToRender, withMarks, withoutTagMarks } from "colophon-liquid/marks";

/**
 * What is between two tags of a Liquid block, e.g. a branch of `if`. It is rendered as a whole, once, several times or not
 * at all. `parent` is the body around it.
 */
export type LiquidBody = { start: number; end: number; parent: LiquidBody | null };

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
  const tokens = [...tokensToRender(source)];
  const raw = tokens.filter(({ isRaw }) => isRaw === true);
  const tags = tokens.filter((token) => token.kind === "tag");
  return { text: withoutTagMarks(withMarks(source)), bodies: liquidBodies(source, tags), raw };
}

/** Whether a text is known only when the file is rendered. */
export function isDynamic(text: string): boolean {
  return hasMarks(text);
}

const blockTags = "block case capture for if ifchanged tablerow unless";
const opens = new Set(blockTags.split(" "));
const divides = new Set(["else", "elsif", "when"]);

function liquidBodies(source: string, tags: { name: string; start: number; end: number }[]): LiquidBody[] {
  const bodies: LiquidBody[] = [];
  const open: LiquidBody[] = [];
  for (const { name, start, end } of tags) {
    const closes = name.startsWith("end") && opens.has(name.slice(3));
    if (!closes && !divides.has(name) && !opens.has(name)) continue;
    const current = opens.has(name) ? undefined : open.pop();
    if (current) current.end = start;
    if (closes) continue;
    const body = { start: end, end: source.length, parent: open.at(-1) ?? null };
    bodies.push(body);
    open.push(body);
  }
  return bodies;
}
