// Reads the texts for which the codes of fonts stand.
import type { PdfFile } from "colophon-pdf/open-pdf";
import { readUnicode } from "colophon-pdf/read-unicode";
import { isDictionary, isReference, type PdfDictionary } from "colophon-pdf/values";
import { textOf } from "../validation/file.ts";
import { decodedContent } from "./decoded-content.ts";

/** `space` is the source of a string with a space; empty if the font has none. */
export type FontTexts = { decode: (shown: string) => string; space: string };
/** Returns the texts of the font that has this name in the resources. */
export type FontsOf = (resources: PdfDictionary) => (key: string) => FontTexts | null;

/** The number of the map from codes to texts, and the bytes of a code. */
type TextMap = { number: number; bytes: 1 | 2 };

/** Returns the maps of the fonts in these resources by the names of the fonts. */
export function mapsIn(file: PdfFile, resources: PdfDictionary): Map<string, TextMap> {
  const maps = new Map<string, TextMap>();
  const fonts = file.resolve(resources.get("Font"));
  for (const [key, value] of isDictionary(fonts) ? fonts : []) {
    const font = file.resolve(value);
    const [subtype, map] = isDictionary(font) ? [font.get("Subtype"), font.get("ToUnicode")] : [];
    const bytes = textOf(subtype) === "Type0" ? 2 : 1;
    if (isReference(map)) maps.set(key, { number: map.number, bytes });
  }
  return maps;
}

/** Reads each font at most once. */
export function fontReader(file: PdfFile): FontsOf {
  const known = new Map<number, FontTexts>();
  const read = ({ number, bytes }: TextMap): FontTexts => {
    const texts = known.get(number) ?? readFont(decodedContent(file, number).bytes, bytes);
    known.set(number, texts);
    return texts;
  };
  return (resources) => {
    let maps: Map<string, TextMap> | null = null;
    return (key) => {
      const map = (maps ??= mapsIn(file, resources)).get(key);
      return map ? read(map) : null;
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
