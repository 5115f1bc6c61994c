// Reads an image's orientation from its EXIF data: 1 if it is upright, 2 to 8 if it is mirrored or rotated. Browsers rotate JPEGs and
// PNGs, but not WebPs.

const marker = "Exif\0\0";

/** Returns the orientation of a WebP; 1 for anything else. */
export function webpOrientation(webp: Uint8Array): number {
  const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength);
  const startsAt = (text: string, at: number) => startsWith(new DataView(view.buffer, view.byteOffset + at), text);
  if (view.byteLength < 12 || !startsAt("RIFF", 0) || !startsAt("WEBP", 8)) return 1;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const size = view.getUint32(at + 4, true);
    if (startsAt("EXIF", at)) {
      const length = Math.min(size, view.byteLength - at - 8);
      const segment = new DataView(view.buffer, view.byteOffset + at + 8, length);
      // Some programs write the marker of a JPEG before the data.
      return startsWith(segment, marker) ? exifOrientation(segment) : tiffOrientation(segment);
    }
    at += 8 + size + (size & 1);
  }
  return 1;
}

/** Returns the orientation in the segment of a JPEG, or 1 (upright) if there is none. */
export function exifOrientation(segment: DataView): number {
  if (!startsWith(segment, marker)) return 1;
  return tiffOrientation(new DataView(segment.buffer, segment.byteOffset + 6, segment.byteLength - 6));
}

function tiffOrientation(tiff: DataView): number {
  if (tiff.byteLength < 8) return 1;
  const isLittle = tiff.getUint8(0) === 0x49;
  const directory = tiff.getUint32(4, isLittle);
  if (directory + 2 > tiff.byteLength) return 1;
  const entries = tiff.getUint16(directory, isLittle);
  for (let at = directory + 2, left = entries; left > 0 && at + 12 <= tiff.byteLength; at += 12, left--) {
    if (tiff.getUint16(at, isLittle) === 0x0112) return tiff.getUint16(at + 8, isLittle);
  }
  return 1;
}

export function startsWith(view: DataView, text: string): boolean {
  return (
    view.byteLength >= text.length &&
    Array.from(text).every((character, at) => view.getUint8(at) === character.charCodeAt(0))
  );
}
