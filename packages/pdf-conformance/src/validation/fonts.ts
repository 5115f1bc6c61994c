import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
// The rules for fonts and the characters that content shows with them.
import { readUnicode } from "colophon-pdf/read-unicode";
import { isReference, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { decoded, dictionaryAt, listOf, streamOf, textOf, type Stream } from "./file.ts";

/** `check` is called for the text of each operator. `mode` is the rendering mode; 3 shows nothing. */
export type Font = { check(text: string, mode: number): void; procedures: Stream[]; resources?: PdfValue | undefined };

/** `isTagged` is whether the level is a, at which no text may be private to a font. */
type FontInput = { file: FinishedPdf; isUnicode: boolean; isTagged: boolean; boxFont: string; report: Report };

const missingGlyph =
  "A character has no glyph in any font. Remove it from the data, or give the template a font that contains it.";
const invisible = 3;

export function readFont(input: FontInput, dictionary: PdfDictionary): Font {
  const { report } = input;
  const kind = textOf(dictionary.get("Subtype"));
  if (kind === "Type0") return compositeFont(input, dictionary);
  if (kind === "Type3") return drawnFont(input, dictionary);
  const isStandard = textOf(dictionary.get("Encoding")) === "WinAnsiEncoding" && !dictionary.has("FontDescriptor");
  return {
    check(_, mode) {
      if (mode !== invisible || !isStandard) report("6.2.11.4.1-1", notEmbedded);
    },
    procedures: [],
  };
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
  if (!/^Identity-[HV]$/.test(textOf(dictionary.get("Encoding"))))
    report("6.2.11.3.3-1", "A font has an encoding that is not supported.");
  if (isTrueType && textOf(about.get("CIDToGIDMap")) !== "Identity")
    report("6.2.11.3.2-1", "A font has no map from its codes to its glyphs.");
  if (!["FontFile", "FontFile2", "FontFile3"].some((key) => streamOf(file, descriptor.get(key))))
    report("6.2.11.4.1-1", notEmbedded);
  if (descriptor.has("CIDSet")) report("6.2.11.4.2-2", "A font has a list of its glyphs, which is not supported.");
  const checkUnicode = unicodeCheck(input, dictionary);
  const seen = new Set<number>();
  return {
    check(text) {
      if (text.length % 2 === 1) report("6.2.2-1", "A text has half a character.");
      for (let at = 0; at + 1 < text.length; at += 2) {
        const code = (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
        if (code === 0 || isBox) report("6.2.11.8-1", missingGlyph);
        else if (!seen.has(code)) checkUnicode(code);
        seen.add(code);
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
  const names = new Map<number, string>();
  let next = 0;
  for (const item of listOf(file, dictionaryAt(file, dictionary.get("Encoding")).get("Differences"))) {
    if (typeof item === "number") next = item;
    else names.set(next++, textOf(item));
  }
  const checkUnicode = unicodeCheck(input, dictionary);
  const seen = new Set<number>();
  return {
    check(text) {
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const name = names.get(code) ?? ".notdef";
        // Chromium names glyphs by their numbers, and every font has its glyph for missing characters under the number 0.
        if (isBox || name === ".notdef" || name === "g0" || !procedures.has(name)) report("6.2.11.8-1", missingGlyph);
        else if (!seen.has(code)) checkUnicode(code);
        seen.add(code);
      }
    },
    procedures: [...procedures.values()].flatMap((value) => streamOf(file, value) ?? []),
    resources: dictionary.get("Resources"),
  };
}

/** Returns the check of a code's text, which the levels u and a need. */
function unicodeCheck(
  { file, isUnicode, isTagged, report }: FontInput,
  dictionary: PdfDictionary,
): (code: number) => void {
  if (!isUnicode) return () => {};
  const map = dictionary.get("ToUnicode");
  const stream = isReference(map) ? streamOf(file, map) : null;
  const bytes = stream && decoded(file, stream);
  const texts = bytes ? readUnicode(bytes) : new Map<number, string>();
  return (code) => {
    const text = texts.get(code);
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
    else if (isTagged && /\p{Co}/u.test(text))
      report(
        "6.2.11.7.3-1",
        "A character is private to its font, so programs cannot read it. Use a picture with a description.",
      );
  };
}
