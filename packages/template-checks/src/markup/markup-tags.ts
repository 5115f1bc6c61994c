// Reads the tags of a file's markup, and what the tokenizer of a browser would have to repair in them.
import { Tokenizer, TokenizerMode, type ParserError, type Token } from "parse5";

export type Attribute = { name: string; value: string; start: number };

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

/** A tag, or text between tags and comments. */
export type MarkupPiece = MarkupTag | { kind: "text"; start: number; end: number };

export type TagError = { code: string; start: number };

export function markupPieces(text: string): { pieces: MarkupPiece[]; errors: TagError[] } {
  const pieces: MarkupPiece[] = [];
  const errors: TagError[] = [];
  // The elements that change the language of their content, the innermost last.
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
/** Elements of SVG that contain HTML. */
const integrationPoints = new Set(["foreignobject", "desc", "title"]);

/** How the content of these elements is read: as text, not as markup. */
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
  const { tagName, location, attrs, selfClosing } = token;
  const start = location?.startOffset ?? 0;
  const attributes = attrs.map(({ name, value }) => ({
    name,
    value,
    start: location?.attrs?.[name]?.startOffset ?? start,
  }));
  return {
    kind,
    name: tagName,
    start,
    end: location?.endOffset ?? start,
    attributes,
    isSelfClosing: selfClosing,
    isForeign,
  };
}
