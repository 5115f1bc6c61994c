// The rules for fonts and the characters that content shows with them.
import { latin1 } from "colophon-pdf/characters";
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { readUnicode } from "colophon-pdf/read-unicode";
import { isReference, isString, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { decoded, dictionaryAt, listOf, streamOf, textOf, type Stream } from "./file.ts";
import { dictionaryWidths, programWidths } from "./glyph-widths.ts";
import { isWellFormed } from "./unicode-map.ts";

/** `mode` is the rendering mode; 3 shows nothing. `isReplaced` is whether programs read a different text. */
type Check = (text: string, mode: number, isReplaced: () => boolean) => void;
/** `check` is called for the text of each operator. */
export type Font = { check: Check; procedures: Stream[]; resources?: PdfValue | undefined };

type FontInput = { file: FinishedPdf; isUnicode: boolean; boxFont: string; report: Report };

const missingGlyph =
  "A character has no glyph in any font. Remove it from the data, or give the template a font that contains it.";
const malformed = "A font is malformed.";
const invisible = 3;

export function readFont(input: FontInput, dictionary: PdfDictionary): Font {
  const kind = textOf(dictionary.get("Subtype"));
  if (textOf(dictionary.get("Type")) !== "Font" || (kind !== "Type3" && textOf(dictionary.get("BaseFont")) === ""))
    input.report("6.1.1-1", malformed);
  if (kind === "Type0") return compositeFont(input, dictionary);
  if (kind === "Type3") return drawnFont(input, dictionary);
  return simpleFont(input, dictionary);
}

/** The one such font that our writer uses shows nothing. */
function simpleFont(input: FontInput, dictionary: PdfDictionary): Font {
  const { file, report } = input;
  const isEmbedded = hasProgram(file, dictionaryAt(file, dictionary.get("FontDescriptor")));
  const names = glyphNames(file, dictionary);
  const encoding = dictionary.get("Encoding");
  const hasNames = textOf(encoding) !== "" || dictionaryAt(file, encoding).has("BaseEncoding");
  const isKnown = (code: number) => hasNames || isCommonName(names.get(code));
  const checkGlyph = glyphCheck(input, dictionary, { isKnown, difference: () => 0 });
  return {
    check(text, mode, isReplaced) {
      if (mode !== invisible)
        if (isEmbedded) report("6.1.1-1", "The kind of a font is not supported.");
        else report("6.2.11.4.1-1", notEmbedded);
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (names.get(code) === ".notdef" || (hasNames && code < firstCode && !names.has(code)))
          report("6.2.11.8-1", missingGlyph);
        else checkGlyph(code, isReplaced);
      }
    },
    procedures: [],
  };
}

/** The first code of the encodings that have names. */
const firstCode = 32;

/** A part of the names that stand for texts. Chromium numbers its glyphs instead. */
const commonNames = new Set(
  (
    "space period comma hyphen zero one two three four five six seven eight nine alpha beta gamma delta epsilon zeta eta theta iota kappa lambda " +
    "mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
  ).split(" "),
);

function isCommonName(glyph = ""): boolean {
  return /^[A-Za-z]$/.test(glyph) || commonNames.has(glyph);
}

function hasProgram(file: FinishedPdf, descriptor: PdfDictionary): boolean {
  return ["FontFile", "FontFile2", "FontFile3"].some((key) => streamOf(file, descriptor.get(key)));
}

/** Returns the names that the encoding of a font gives to its codes. */
function glyphNames(file: FinishedPdf, dictionary: PdfDictionary): Map<number, string> {
  const names = new Map<number, string>();
  let next = 0;
  for (const item of listOf(file, dictionaryAt(file, dictionary.get("Encoding")).get("Differences"))) {
    if (typeof item === "number") next = item;
    else names.set(next++, textOf(item));
  }
  return names;
}

const notEmbedded = "A font is not embedded.";

/** A font whose codes are glyphs of an embedded font, each of two bytes. */
function compositeFont(input: FontInput, dictionary: PdfDictionary): Font {
  const { file, report } = input;
  const [descendant] = listOf(file, dictionary.get("DescendantFonts"));
  const about = dictionaryAt(file, descendant);
  const descriptor = dictionaryAt(file, about.get("FontDescriptor"));
  const isBox = isBoxFont(input, descriptor);
  const isTrueType = textOf(about.get("Subtype")) === "CIDFontType2";
  const isIdentity = /^Identity-[HV]$/.test(textOf(dictionary.get("Encoding")));
  if (!isIdentity) report("6.1.1-1", "A font has an encoding that is not supported.");
  const map = about.get("CIDToGIDMap");
  if (isTrueType && textOf(map) !== "Identity" && !streamOf(file, map))
    report("6.2.11.3.2-1", "A font has no map from its codes to its glyphs.");
  else if (isTrueType && textOf(map) !== "Identity") report("6.1.1-1", "A font has a map that is not supported.");
  const isEmbedded = hasProgram(file, descriptor);
  const names = [dictionary.get("BaseFont"), about.get("BaseFont"), descriptor.get("FontName")].map(textOf);
  const types = [about.get("Type"), descriptor.get("Type"), about.get("Subtype")].map(textOf);
  const stream = streamOf(file, descriptor.get("FontFile2"));
  const widths = dictionaryWidths(file, about);
  const program = programWidths((stream && decoded(file, stream)) ?? new Uint8Array());
  const isTyped = new Set(names).size === 1 && types.join(" ") === "Font FontDescriptor CIDFontType2";
  if (!isTyped || Number.isNaN(widths(0) - program(0))) report("6.1.1-1", malformed);
  if (descriptor.has("CIDSet")) report("6.1.1-1", "A font has a list of its glyphs, which is not supported.");
  const order = file.resolve(dictionaryAt(file, about.get("CIDSystemInfo")).get("Ordering"));
  const hasOrder = !isIdentity || (isString(order) && /^(Japan1|GB1|CNS1|Korea1)$/.test(order.text));
  const difference = (code: number) => widths(code) - program(code);
  const checkGlyph = glyphCheck(input, dictionary, { isKnown: () => hasOrder, difference });
  return {
    check(text, mode, isReplaced) {
      if (!isEmbedded && mode !== invisible) report("6.2.11.4.1-1", notEmbedded);
      if (isIdentity && text.length % 2 === 1) report("6.1.1-1", "A text has half a character.");
      for (let at = 0; at + 1 < text.length; at += 2) {
        const code = (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
        if (code === 0 || isBox) report("6.2.11.8-1", missingGlyph);
        else checkGlyph(code, isReplaced);
      }
    },
    procedures: [],
  };
}

function isBoxFont({ boxFont }: FontInput, descriptor: PdfDictionary): boolean {
  return textOf(descriptor.get("FontName")).replace(/^[A-Z]{6}\+/, "") === boxFont;
}

/** A font whose glyphs are content, as for emoji in colour and variable fonts. */
function drawnFont(input: FontInput, dictionary: PdfDictionary): Font {
  const { file, report } = input;
  const procedures = dictionaryAt(file, dictionary.get("CharProcs"));
  const isBox = isBoxFont(input, dictionaryAt(file, dictionary.get("FontDescriptor")));
  const names = glyphNames(file, dictionary);
  const [first, last] = [Number(dictionary.get("FirstChar")), Number(dictionary.get("LastChar"))];
  const widths = listOf(file, dictionary.get("Widths"));
  const streams = [...procedures.values()].flatMap((value) => streamOf(file, value) ?? []);
  if (widths.length !== last - first + 1 || streams.length < procedures.size) report("6.1.1-1", malformed);
  /** A procedure begins with the width of its glyph. */
  const difference = (code: number) => {
    const stream = streamOf(file, procedures.get(names.get(code) ?? ""));
    const bytes = stream && decoded(file, stream);
    return Number(widths[code - first]) - (bytes ? parseFloat(latin1(bytes, 0, 20)) : NaN);
  };
  const isKnown = (code: number) => isCommonName(names.get(code));
  const checkGlyph = glyphCheck(input, dictionary, { isKnown, difference });
  return {
    check(text, _, isReplaced) {
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const name = names.get(code) ?? ".notdef";
        // Chromium names glyphs by their numbers, and every font has its glyph for missing characters under the number 0.
        if (isBox || name === ".notdef" || name === "g0" || !procedures.has(name)) report("6.2.11.8-1", missingGlyph);
        else checkGlyph(code, isReplaced);
      }
    },
    procedures: streams,
    resources: dictionary.get("Resources"),
  };
}

/** `isKnown` is whether a code without a text has a name, and `difference` that of its widths in the font and in the program. */
type Glyphs = { isKnown: (code: number) => boolean; difference: (code: number) => number };

/** Returns the check of a code's width, and of its text, which the levels u and a need. */
function glyphCheck(
  { file, isUnicode, report }: FontInput,
  dictionary: PdfDictionary,
  { isKnown, difference }: Glyphs,
): (code: number, isReplaced: () => boolean) => void {
  const map = dictionary.get("ToUnicode");
  const stream = isUnicode && isReference(map) ? streamOf(file, map) : null;
  const bytes = stream && decoded(file, stream);
  if (bytes && !isWellFormed(bytes, textOf(dictionary.get("Subtype")) === "Type0" ? 4 : 2))
    report("6.1.1-1", "The map from a font's glyphs to texts is malformed.");
  const texts = bytes ? readUnicode(bytes) : new Map<number, string>();
  const seen = new Set<number>();
  return (code, isReplaced) => {
    if (seen.has(code)) return;
    if (!(Math.abs(difference(code)) <= 1))
      report("6.2.11.5-1", "The width of a glyph differs from the program of its font.");
    if (!isUnicode) return void seen.add(code);
    const text = texts.get(code) ?? (isKnown(code) ? "" : undefined);
    const isPrivate = text !== undefined && /\p{Co}/u.test(text);
    if (!isPrivate || !isReplaced()) seen.add(code);
    if (text === undefined)
      report(
        "6.2.11.7.2-1",
        "A glyph has no text, so programs cannot read it. Use a different font for it, or a level that ends in b.",
      );
    else if (/[\0\ufeff\ufffe]/.test(text))
      report(
        "6.2.11.7.2-2",
        "A glyph has the text U+0000, U+FEFF or U+FFFE. Use a different font for it, or a level that ends in b.",
      );
    else if (isPrivate && !isReplaced())
      report(
        "6.2.11.7.3-1",
        "A character is private to its font, so programs cannot read it. Use a picture with a description.",
      );
  };
}
