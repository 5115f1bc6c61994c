// The service's fonts in the page. They are added to the document without a style sheet, so they stay when the content is replaced. A
// document uses only the faces that were chosen for it, so it does not depend on earlier documents.
import { base64Bytes } from "colophon-base/encoding";
import { documentFonts } from "../dom.ts";
import type { FacesPart, UsedFaces } from "./page-faces.ts";

const faces = new Map<string, FontFace>();
let used: FontFace[] = [];

/** The received beginning of a file whose rest has not arrived. */
let received = "";

export function addFaces({ text, files }: FacesPart): void {
  received += text;
  for (const { family, range, chars, isDeferred, faces: sent } of files) {
    const base64 = received.slice(0, chars);
    received = received.slice(chars);
    for (const [index, { key, weight, style }] of sent.entries()) {
      // The browser decodes bytes immediately, and a URL on demand. Few documents have bold emoji.
      const source = index > 0 || isDeferred ? `url(data:font/woff;base64,${base64})` : base64Bytes(base64);
      faces.set(key, new FontFace(family, source, { weight, style, unicodeRange: range }));
    }
  }
}

export function useFaces({ keys, dropped }: UsedFaces): void {
  const fonts = documentFonts();
  for (const key of dropped) faces.delete(key);
  const wanted = keys.flatMap((key) => faces.get(key) ?? []);
  const isSame = wanted.length === used.length && wanted.every((face, index) => face === used[index]);
  if (isSame) return;
  for (const face of used) fonts.delete(face);
  // If several faces contain a character, the browser prefers the face that was added last.
  for (const face of wanted.toReversed()) fonts.add(face);
  used = wanted;
}
