// Reads the texts for which the codes of fonts stand.
import type { PdfFile } from "colophon-pdf/open-pdf";
import { readUnicode } from "colophon-pdf/read-unicode";
import { isDictionary, isName, isReference, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import { decodedContent } from "./decoded-content.ts";

/** `space` is the source of a string with a space; empty if the font has none. */
export type FontTexts = { decode: (shown: string) => string; space: string };
/** Returns the texts of the font that has this name in the resources. */
export type FontsOf = (resources: PdfDictionary) => (key: string) => FontTexts | null;

/** Reads each font at most once. */
export function fontReader(file: PdfFile): FontsOf {
  const known = new Map<number, FontTexts>();
  const read = (value: PdfValue | undefined): FontTexts | null => {
    const font = file.resolve(value);
    const [subtype, map] = isDictionary(font) ? [font.get("Subtype"), font.get("ToUnicode")] : [];
    if (!isReference(map)) return null;
    const bytes = isName(subtype) && subtype.text === "Type0" ? 2 : 1;
    const texts = known.get(map.number) ?? readFont(decodedContent(file, map.number).bytes, bytes);
    known.set(map.number, texts);
    return texts;
  };
  return (resources) => {
    const fonts = file.resolve(resources.get("Font"));
    const byKey = new Map<string, FontTexts | null>();
    return (key) => {
      const font = byKey.get(key) ?? read(isDictionary(fonts) ? fonts.get(key) : null);
      byKey.set(key, font);
      return font;
    };
  };
}

function readFont(unicode: Uint8Array, bytes: 1 | 2): FontTexts {
  const texts = readUnicode(unicode);
  const [space] = [...texts].find(([, text]) => text === " ") ?? [];
  return {
    space: space === undefined ? "" : `<${space.toString(16).padStart(2 * bytes, "0")}>`,
    decode(shown) {
      let text = "";
      for (let at = 0; at + bytes <= shown.length; at += bytes) {
        const code = bytes === 1 ? shown.charCodeAt(at) : (shown.charCodeAt(at) << 8) | shown.charCodeAt(at + 1);
        text += texts.get(code) ?? "";
      }
      return text;
    },
  };
}
