// Reads the size of a still AVIF image from the boxes of its file. Animations are not read: Chromium decodes their frames, which
// can be larger than the still image that the file describes.

type Size = { width: number; height: number };

export function isAvif(view: DataView): boolean {
  return view.byteLength >= 12 && nameAt(view, 4) === "ftyp" && nameAt(view, 8) === "avif";
}

/**
 * Returns a size that no image in the file exceeds, because an image may consist of others; null if the file states none. Throws a
 * `RangeError` if the bytes end within the boxes that state it.
 */
export function avifSize(view: DataView): Size | null {
  return largestIn(view, { start: 0, end: view.byteLength, level: 0 });
}

/** The boxes around a size. `headerBytes` precede the boxes inside; in `meta`, they are a version and flags. */
const levels = [
  { name: "meta", headerBytes: 4 },
  { name: "iprp", headerBytes: 0 },
  { name: "ipco", headerBytes: 0 },
];

function largestIn(view: DataView, { start, end, level }: { start: number; end: number; level: number }): Size | null {
  const around = levels[level];
  let largest: Size | null = null;
  for (let at = start; at + 8 <= end;) {
    const [length, name] = [view.getUint32(at), nameAt(view, at + 4)];
    // The last box of a file may state the length 0. No box that is needed is so long that it states the length 1.
    if (length < 8) break;
    if (name === (around?.name ?? "ispe")) {
      if (at + length > view.byteLength) throw new RangeError("the box is incomplete");
      const inner = { start: at + 8 + (around?.headerBytes ?? 0), end: Math.min(end, at + length), level: level + 1 };
      largest = larger(largest, around ? largestIn(view, inner) : sizeAt(view, at + 8));
    }
    at += length;
  }
  return largest;
}

/** The size follows a version and flags. */
function sizeAt(view: DataView, at: number): Size {
  return { width: view.getUint32(at + 4), height: view.getUint32(at + 8) };
}

function larger(one: Size | null, other: Size | null): Size | null {
  if (!one || !other) return one ?? other;
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}
