// Compares a page's picture with the expected picture, pixel by pixel.
import type { Difference } from "../src/testing/inspection.ts";

/** The maximum difference of a colour channel, out of 255. Processors round differently. */
const colourTolerance = 8;
const marked = [217, 48, 37] as const;

/** `expected` is null if its file is damaged. Returns null if no pixel differs. */
export function compare(expected: HTMLImageElement | null, actual: HTMLCanvasElement): Difference | null {
  const { width, height } = actual;
  if (expected?.naturalWidth !== width || expected.naturalHeight !== height) {
    const file = expected ? `has ${expected.naturalWidth} × ${expected.naturalHeight} px` : "is damaged";
    return { share: 1, description: `the page has ${width} × ${height} px, but the file ${file}`, picture: null };
  }
  const [before, after] = [pixelsOf(expected, width, height), pixelsOf(actual, width, height)];
  // Most pictures are identical, and this check is much faster than comparing each pixel with its neighbours.
  if (before.data.every((value, index) => Math.abs(value - (after.data[index] ?? 0)) <= colourTolerance)) return null;
  // Equal parts are faint, so that the differences stand out.
  const faint = after.data.map((value) => 178.5 + value * 0.3);
  let [count, left, top, right, bottom] = [0, width, height, 0, 0];
  for (let at = 0; at < faint.length; at += 4) {
    if (!pixelDiffers(before, after, at)) continue;
    faint.set(marked, at);
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    count++;
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  if (count === 0) return null;
  const canvas = newCanvas(width, height);
  canvas.getContext("2d")?.putImageData(new ImageData(faint, width), 0, 0);
  const share = count / (width * height);
  const place = `within ${right - left} × ${bottom - top} px at ${left}, ${top}`;
  const description = `${(share * 100).toPrecision(2)} % of the pixels, ${place}`;
  return { share, description, picture: canvas.toDataURL() };
}

export function newCanvas(width: number, height: number): HTMLCanvasElement {
  return Object.assign(document.createElement("canvas"), { width, height });
}

function pixelsOf(picture: CanvasImageSource, width: number, height: number): ImageData {
  const context = newCanvas(width, height).getContext("2d");
  if (!context) throw new Error("there is no canvas");
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/**
 * Edges of letters and lines may be shifted by up to a pixel. So a pixel differs if, in either picture, its colour is outside the
 * range of colours around the same place in the other picture.
 */
function pixelDiffers(before: ImageData, after: ImageData, at: number): boolean {
  for (let index = at; index < at + 3; index++) {
    const [one, other] = [before.data[index] ?? 0, after.data[index] ?? 0];
    if (Math.abs(one - other) <= colourTolerance) continue;
    if (isOutside(one, after, index) || isOutside(other, before, index)) return true;
  }
  return false;
}

function isOutside(value: number, { data, width }: ImageData, index: number): boolean {
  let [least, most] = [255, 0];
  for (let row = index - width * 4; row <= index + width * 4; row += width * 4) {
    for (let near = row - 4; near <= row + 4; near += 4) {
      const colour = data[near] ?? value;
      [least, most] = [Math.min(least, colour), Math.max(most, colour)];
    }
  }
  return value < least - colourTolerance || value > most + colourTolerance;
}
