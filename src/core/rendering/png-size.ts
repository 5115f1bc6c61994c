// How large a PNG may get. What the request alone exceeds is refused at once; what only the layout shows fails the render.

const maxSidePx = 16_384;
const maxAreaPx = 40_000_000;

/** Why an image of this size (CSS pixels) is not made, or null. */
export function pngSizeProblem(width: number, height: number, deviceScaleFactor: number): string | null {
  const [x, y] = [width * deviceScaleFactor, height * deviceScaleFactor];
  if (!(x >= 1 && y >= 1)) return "The image would be empty: the layout gives its pages no height.";
  if (x <= maxSidePx && y <= maxSidePx && x * y <= maxAreaPx) return null;
  return (
    `The image would be ${x} x ${y} pixels; each side may have at most ${maxSidePx}, and the whole at most ` +
    `${maxAreaPx / 1e6} megapixels. Lower \`deviceScaleFactor\`, \`width\` or \`height\`.`
  );
}
