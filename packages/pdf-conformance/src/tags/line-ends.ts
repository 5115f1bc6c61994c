// Adds the space between the last word of a line and the first word of the next, which Chromium does not print. Programs that read tags
// would join the words.
import { latin1 } from "colophon-pdf/characters";
import { parseValue } from "colophon-pdf/parse-value";
import type { Operation } from "colophon-pdf/read-content";
import { isString } from "colophon-pdf/values";
import type { FontTexts } from "./font-texts.ts";

/** Where an operator and its operands are in the content. */
type Place = { from: number; to: number };
/** A text object. `block` is the tag of its paragraph, cell or other block. */
type ShownText = { block: object | null; font: Place; matrix: Place; shown: Place[]; height?: number; text?: string };

const letters = "\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}";
/** Between these, a line of several words ends only at a space. */
const lastWord = new RegExp(`[${letters}.,;:!?)\\]"'”’»%…]`, "u");
const nextWord = new RegExp(`^[${letters}("'“‘„«£$€&[]`, "u");
/** As a part of the size of the font. Raised and lowered text is nearer to its line. */
const minLineHeight = 0.7;

type Input = {
  bytes: Uint8Array;
  fontOf: (key: string) => FontTexts | null;
  /** Adds an operator to the content. */
  add: (at: number, operator: string) => void;
};

const nowhere: Place = { from: 0, to: 0 };
const emptyText = (): ShownText => ({ block: null, font: nowhere, matrix: nowhere, shown: [] });

/** Returns what visits the text objects of the content, in their order. */
export function lineEnds({ bytes, fontOf, add }: Input) {
  const fontIn = ({ font: { from, to } }: ShownText) => fontOf(/^\/(\S+)/.exec(latin1(bytes, from, to))?.[1] ?? "");
  const lastNumber = ({ from, to }: Place) => Number(latin1(bytes, from, to).split(/\s+/).at(-2));
  const textIn = (text: ShownText): string => {
    const font = fontIn(text);
    let decoded = "";
    for (const { from, to } of text.shown) {
      const shown = parseValue({ bytes, at: from, end: to });
      if (font && isString(shown)) decoded += font.decode(shown.text);
    }
    return decoded;
  };
  /** Most blocks have a single text, so the height is read only when a second one follows. */
  const heightOf = (text: ShownText) => (text.height ??= lastNumber(text.matrix));
  const isBelow = (last: ShownText, next: ShownText): boolean =>
    Math.abs(heightOf(next) - heightOf(last)) > minLineHeight * lastNumber(last.font);
  const endLine = (line: readonly ShownText[], last: ShownText, next: ShownText): void => {
    for (const text of [...line, next]) text.text ??= textIn(text);
    const isCut = lastWord.test((last.text ?? "").slice(-1)) && nextWord.test(next.text ?? "");
    const [end, space] = [last.shown.at(-1)?.to, fontIn(last)?.space];
    if (isCut && end !== undefined && space && line.some(({ text }) => text?.includes(" "))) add(end, `${space} Tj`);
  };
  let line: ShownText[] = [];
  let text = emptyText();
  return {
    begin: () => void (text = emptyText()),
    setFont: ({ from, to }: Operation) => void (text.font = { from, to }),
    setMatrix: ({ from, to }: Operation) => void (text.matrix = { from, to }),
    /** `block` is null for an artifact. */
    show({ from, to }: Operation, block: object | null) {
      text.block = block;
      text.shown.push({ from, to });
    },
    end() {
      const last = line.at(-1);
      const isNext = last && last.block !== null && last.block === text.block;
      if (isNext && !isBelow(last, text)) line.push(text);
      else {
        if (isNext) endLine(line, last, text);
        line = [text];
      }
    },
  };
}
