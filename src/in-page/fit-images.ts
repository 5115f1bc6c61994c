// Runs inside the page, handed to `preparePage` as text: it may use nothing but its arguments and the DOM. Leaves out the
// images that would decode to too many pixels, and redraws those that have more pixels across than the output can use.
// All others stay byte for byte: Chromium passes a JPEG into a PDF as it is.
import type { RenderLimits } from "../core/prepared-page.ts";

export async function fitImages(
  images: HTMLImageElement[],
  rules: CSSRule[],
  { maxImagePixels, maxImageWidthPx }: RenderLimits,
): Promise<{ shown: HTMLImageElement[]; warnings: string[] }> {
  const jpegQuality = 0.92;
  const redrawn = new Map<string, string>();
  const isVector = (uri: string) => /^data:image\/svg/i.test(uri);
  /** How much of its pixels an image may keep across; its density as well, which keeps the size that a layout takes from it. */
  const densityOf = (image: HTMLImageElement) => Math.min(1, maxImageWidthPx / image.naturalWidth);

  /** A JPEG stays one; everything else stays lossless, with its transparency. */
  const redraw = (image: HTMLImageElement): string => {
    const { currentSrc: uri } = image;
    const known = redrawn.get(uri);
    if (known !== undefined) return known;
    const canvas = document.createElement("canvas");
    canvas.width = maxImageWidthPx;
    canvas.height = Math.max(1, Math.round(image.naturalHeight * densityOf(image)));
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const isJpeg = /^data:image\/jpe?g/i.test(uri);
    const smaller = isJpeg ? canvas.toDataURL("image/jpeg", jpegQuality) : canvas.toDataURL("image/png");
    redrawn.set(uri, smaller);
    return smaller;
  };

  const isDecoded = (image: HTMLImageElement): Promise<boolean> =>
    image.decode().then(
      () => true,
      () => false,
    );

  /** The sources of a `picture` and `src` would win over the one that is given. */
  const replaceSource = (image: HTMLImageElement): void => {
    const source = `${redraw(image)} ${densityOf(image)}x`;
    for (const other of image.closest("picture")?.querySelectorAll("source") ?? []) other.remove();
    image.srcset = source;
    image.removeAttribute("src");
  };

  const shown: HTMLImageElement[] = [];
  for (const image of images) {
    // Known from the header; nothing is decoded so far.
    const { naturalWidth, naturalHeight, currentSrc } = image;
    if (isVector(currentSrc) || naturalWidth * naturalHeight <= maxImagePixels) {
      shown.push(image);
      if (!isVector(currentSrc) && naturalWidth > maxImageWidthPx && (await isDecoded(image))) replaceSource(image);
      continue;
    }
    image.removeAttribute("srcset");
    image.removeAttribute("src");
  }

  const inline = Document.prototype.querySelectorAll.call(document, '[style*="url("]') as NodeListOf<HTMLElement>;
  const styles = [
    ...rules.flatMap((rule) => (rule instanceof CSSStyleRule ? rule.style : [])),
    ...Array.from(inline, ({ style }) => style),
  ];
  for (const style of styles) {
    const { backgroundImage } = style;
    let fitted = backgroundImage;
    for (const [whole, uri = ""] of backgroundImage.matchAll(/url\("(data:image\/[^"]*)"\)/gi)) {
      const image = new Image();
      image.src = uri;
      if (isVector(uri) || !(await isDecoded(image)) || image.naturalWidth <= maxImageWidthPx) continue;
      fitted = fitted.replace(whole, () => `image-set(url("${redraw(image)}") ${densityOf(image)}x)`);
    }
    if (fitted !== backgroundImage)
      style.setProperty("background-image", fitted, style.getPropertyPriority("background-image"));
  }

  const leftOut = images.length - shown.length;
  const warnings = leftOut > 0 ? [`Images with too many pixels, which were left empty: ${leftOut}.`] : [];
  return { shown, warnings };
}
