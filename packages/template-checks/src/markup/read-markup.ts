// Reads the markup of a Liquid file: its tags, the mistakes in them that a browser would have to repair, its styles, and the Liquid
// blocks in it. Every character keeps its position. `source` is always a valid Liquid file.
import { Tokenizer, TokenizerMode, type ParserError, type Token } from "parse5";
import { tokensToRender, withMarks, withoutTagMarks } from "colophon-liquid/marks";
import { withoutForeignTags, type ForeignPart } from "./foreign-tags.ts";

export type Attribute = { name: string; value: string; start: number; end: number };

/** `start` and `end` are positions in the text. */
export type MarkupTag = {
  kind: "start" | "end";
  /** In lower case. */
  name: string;
  start: number;
  end: number;
  attributes: Attribute[];
  /** Whether the tag ends with `/>`. */
  isSelfClosing: boolean;
  /** Whether the tag is inside an `svg` or `math` element, or opens one. */
  isForeign: boolean;
};

/** A tag, or the text between tags and comments. */
export type MarkupPiece = MarkupTag | { kind: "text"; start: number; end: number };

export type TagError = { code: string; start: number };

/**
 * The text between two tags of a Liquid block, e.g. a branch of `if`. It is rendered as a whole, once, several times or not at
 * all. `tag` is the name of the block, and `parent` is the enclosing body.
 */
export type LiquidBody = { tag: string; start: number; end: number; parent: LiquidBody | null };

export type Markup = {
  /** The file, with marks replacing outputs, and spaces replacing tags that print nothing. */
  text: string;
  pieces: MarkupPiece[];
  errors: TagError[];
  /** In the order of their starts. Bodies are nested but never overlap. */
  bodies: LiquidBody[];
  /** The texts between `raw` and `endraw`, in file order. */
  raw: { start: number; end: number }[];
  /** Code of other engines, which `text` lacks, and their comments, in file order. */
  foreign: ForeignPart[];
};

export function readMarkup(source: string): Markup {
  const tokens = [...tokensToRender(source)];
  const tags = tokens.filter((token) => token.kind === "tag");
  const raw = tokens.filter(({ isRaw }) => isRaw);
  const { text, foreign } = withoutForeignTags(withoutTagMarks(withMarks(source)), raw);
  return { text, ...markupPieces(text), bodies: liquidBodies(source, tags), raw, foreign };
}

const opens = new Set("block case capture for if ifchanged tablerow unless".split(" "));
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
    const body = { tag: current?.tag ?? name, start: end, end: source.length, parent: open.at(-1) ?? null };
    bodies.push(body);
    open.push(body);
  }
  return bodies;
}

/** Reads text in which Liquid, if there is any, is marked or taken for markup. */
export function markupPieces(text: string): { pieces: MarkupPiece[]; errors: TagError[] } {
  const pieces: MarkupPiece[] = [];
  const errors: TagError[] = [];
  // The elements that switch between HTML, SVG and MathML, the innermost last.
  const contexts: { name: string; isForeign: boolean }[] = [];
  const ignore = (): void => {};
  const addText = ({ location }: Token.CharacterToken): void => {
    const { startOffset: start, endOffset: end } = location ?? { startOffset: 0, endOffset: 0 };
    const last = pieces.at(-1);
    if (last?.kind === "text" && last.end === start) last.end = end;
    else pieces.push({ kind: "text", start, end });
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const { tagName: name, selfClosing } = token;
        const isInside = contexts.at(-1)?.isForeign ?? false;
        const isForeign = isInside || foreignRoots.has(name);
        pieces.push(tagOf("start", token, isForeign));
        if (!isForeign) tokenizer.state = textModes.get(name) ?? tokenizer.state;
        else if (!selfClosing && (foreignRoots.has(name) || integrationPoints.has(name))) {
          contexts.push({ name, isForeign: foreignRoots.has(name) });
        }
      },
      onEndTag(token) {
        const index = contexts.findLastIndex(({ name }) => name === token.tagName);
        if (index >= 0) contexts.splice(index);
        const isForeign = index >= 0 || (contexts.at(-1)?.isForeign ?? false);
        pieces.push(tagOf("end", token, isForeign));
      },
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: addText,
      onNullCharacter: ignore,
      onWhitespaceCharacter: addText,
      onParseError: ({ code, startOffset }: ParserError) => errors.push({ code, start: startOffset }),
    },
  );
  tokenizer.write(text, true);
  return { pieces, errors };
}

const foreignRoots = new Set(["svg", "math"]);
/** SVG elements that contain HTML. */
const integrationPoints = new Set(["foreignobject", "desc", "title"]);

/** How the content of these elements is tokenized: as text, not as markup. */
const textModes = new Map<string, Tokenizer["state"]>([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["script", TokenizerMode.SCRIPT_DATA],
  ...["style", "xmp", "iframe", "noembed", "noframes"].map((name): [string, Tokenizer["state"]] => [
    name,
    TokenizerMode.RAWTEXT,
  ]),
]);

function tagOf(kind: MarkupTag["kind"], token: Token.TagToken, isForeign: boolean): MarkupTag {
  const { tagName, location, selfClosing: isSelfClosing } = token;
  const start = location?.startOffset ?? 0;
  const end = location?.endOffset ?? start;
  const attributes = token.attrs.map(({ name, value }) => {
    const { startOffset = start, endOffset = start } = location?.attrs?.[name] ?? {};
    return { name, value, start: startOffset, end: endOffset };
  });
  return { kind, name: tagName, start, end, attributes, isSelfClosing, isForeign };
}

/** `start` is the position of the styles or their attribute in the file. Line numbers refer to the file. */
export type MarkupStyles = { kind: "rules" | "style"; css: string; start: number };

export function markupStyles(source: string): MarkupStyles[] {
  const text = withMarks(source);
  const { pieces } = markupPieces(text);
  return pieces.flatMap((tag, index): MarkupStyles[] => {
    if (tag.kind !== "start") return [];
    const attributeStyles = tag.attributes.flatMap(({ name, value, start }): MarkupStyles[] => {
      const isFont = tag.name === "font" ? name === "face" : tag.isForeign && name === "font-family";
      if (name !== "style" && !isFont) return [];
      return [{ kind: "style", css: isFont ? `font-family:${value}` : value, start }];
    });
    const content = pieces[index + 1];
    if (tag.name !== "style" || content?.kind !== "text") return attributeStyles;
    return [...attributeStyles, { kind: "rules", css: text.slice(content.start, content.end), start: content.start }];
  });
}
