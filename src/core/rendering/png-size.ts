// The size limits of a PNG. A request that exceeds them is rejected at once. If the size is known only after the layout
// and exceeds them, the render fails.

const maxSidePx = 16_384;
const maxAreaPx = 40_000_000;

/**
 * Returns a message for the caller when a PNG of this size is impossible, and null when it is possible. `width` and
 * `height` are in CSS pixels.
 */
export function pngSizeProblem(width: number, height: number, deviceScaleFactor: number): string | null {
  const [x, y] = [width * deviceScaleFactor, height * deviceScaleFactor];
  if (!(x >= 1 && y >= 1)) return "The image would be empty, because the pages of the template have no height.";
  if (x <= maxSidePx && y <= maxSidePx && x * y <= maxAreaPx) return null;
  return (
    `The image would be ${x} x ${y} pixels; a PNG may have at most ${maxSidePx} pixels per side and ` +
    `${maxAreaPx / 1e6} megapixels in total. Lower \`deviceScaleFactor\`, \`width\` or \`height\`.`
  );
}
