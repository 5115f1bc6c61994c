import { expect, it } from "vitest";
import { avif, jpeg, png, webpLossless, webpLossy } from "colophon-test-kit/images";
import { encodingOf } from "../src/pixel-encoding.ts";

const bytes = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
const zeros = (count: number) => Array<number>(count).fill(0);
const segment = (marker: number, ...body: number[]) => [0xff, marker, 0, body.length + 2, ...body];
const photo = (...parts: number[][]) => Uint8Array.from([0xff, 0xd8, ...parts.flat()]);
const adobe = (text: string) => segment(0xee, ...bytes(text));
const chunk = (name: string, size: number) => [...bytes(name), size, ...zeros(3 + size + (size & 1))];
const webp = (...parts: number[]) => Uint8Array.from([...bytes("RIFF\0\0\0\0WEBP"), ...chunk("VP8X", 10), ...parts]);
const frame = (components: number) => segment(0xc2, 8, 0, 9, 0, 9, components);
const colour = frame(3);
const tables = [0xc4, 0xc8, 0xcc].flatMap((marker) => segment(marker, 8, 0, 9, 0, 9, 4));

/** EXIF data with two entries, of which the second is the orientation. */
function exif(orientation: number, { isLittle = true, entries = 2, directoryAt = 8 } = {}): number[] {
  const view = new DataView(Uint8Array.from([...bytes(`Exif\0\0${isLittle ? "II" : "MM"}`), ...zeros(32)]).buffer);
  view.setUint32(10, directoryAt, isLittle);
  view.setUint16(14, entries, isLittle);
  view.setUint16(28, 0x0112, isLittle);
  view.setUint16(36, orientation, isLittle);
  return segment(0xe1, ...new Uint8Array(view.buffer));
}

it.each([
  ["copied", "a grey JPEG", photo(frame(1))],
  ["copied", "a JPEG with tables and fill bytes", photo(tables, [0xff, 0xff], colour)],
  ["lossy", "a JPEG in four colours", photo(frame(4))],
  ["lossy", "a JPEG whose colours are not transformed", photo(adobe("Adobe\0d\0\0\0\0\0"), colour)],
  ["copied", "a JPEG whose colours are transformed", photo(adobe("Adobe\0d\0\0\0\0\x01"), colour)],
  ["copied", "a JPEG with a note of another program", photo(adobe("Other\0d\0\0\0\0\0"), colour)],
  ["lossy", "a turned JPEG", photo(exif(6), colour)],
  ["lossy", "a JPEG mirrored in the other byte order", photo(exif(2, { isLittle: false }), colour)],
  ["copied", "a JPEG whose directory has no orientation", photo(exif(6, { entries: 1 }), colour)],
  ["copied", "a JPEG whose directory is missing", photo(exif(6, { directoryAt: 32 }), colour)],
  ["copied", "a JPEG whose EXIF data is cut", photo(segment(0xe1, ...exif(6).slice(4, 12)), colour)],
  ["lossy", "a JPEG that ends before its colours", jpeg(9, 9)],
  ["lossy", "an AVIF", avif(9, 9)],
  ["lossy", "a lossy WebP", webpLossy(9, 9)],
  ["not lossy", "a lossless WebP", webpLossless(9, 9)],
  ["lossy", "an animated WebP", webp(...chunk("ICCP", 3), ...bytes("ANMFc"), ...zeros(19), ...chunk("VP8 ", 0))],
  ["not lossy", "a lossless WebP with a profile", webp(...chunk("ICCP", 4), ...chunk("VP8L", 0), ...chunk("VP8 ", 0))],
  ["not lossy", "a PNG", png(9, 9)],
  ["not lossy", "an image of which nothing has arrived", new Uint8Array()],
  ["not lossy", "a WebP without a frame", webp(...chunk("ICCP", 3))],
])("the encoding of an image is %s: %s", (kind, what, beginning) => {
  const isJpeg = what.includes("JPEG");
  expect(encodingOf(beginning)).toEqual({ isJpeg, isLossy: kind !== "not lossy", isCopied: kind === "copied" });
});
