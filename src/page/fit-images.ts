// Runs inside the page, handed to `preparePage` as text: it may use nothing but its arguments and the DOM. Leaves out the
// images that would decode to too many pixels, and redraws those that have more pixels across than the output can use.
// All others stay byte for byte: Chromium passes a JPEG into a PDF as it is.
import type { RenderLimits } from "../core/rendering/prepared-page.ts";

export async function fitImages(
  images: HTMLImageElement[],
  rules: CSSRule[],
  { maxImagePixels, maxImageWidthPx }: RenderLimits,
): Promise<{ shown: HTMLImageElement[]; warnings: string[] }> {
  const jpegQuality = 0.92;
  const maxWidthPx = maxImageWidthPx ?? Infinity;
  const isVector = (uri: string) => /^data:image\/svg/i.test(uri);
  const isTooWide = (image: HTMLImageElement) => !isVector(image.currentSrc) && image.naturalWidth > maxWidthPx;
  const isBomb = (image: HTMLImageElement) =>
    !isVector(image.currentSrc) && image.naturalWidth * image.naturalHeight > maxImagePixels;
  const isDecoded = (image: HTMLImageElement): Promise<boolean> =>
    image.decode().then(
      () => true,
      () => false,
    );
  /** Pixels that an image keeps of each; its density as well, which keeps the size that a layout takes from it. */
  const densityOf = (image: HTMLImageElement) => maxWidthPx / image.naturalWidth;

  const redrawn = new Map<string, string>();
  /** A JPEG stays one; everything else stays lossless, with its transparency. */
  const redraw = (image: HTMLImageElement): string => {
    const { currentSrc: uri } = image;
    const known = redrawn.get(uri);
    if (known !== undefined) return known;
    const canvas = Document.prototype.createElement.call(document, "canvas") as HTMLCanvasElement;
    canvas.width = maxWidthPx;
    canvas.height = Math.max(1, Math.round(image.naturalHeight * densityOf(image)));
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const isJpeg = /^data:image\/jpe?g/i.test(uri);
    const smaller = isJpeg ? canvas.toDataURL("image/jpeg", jpegQuality) : canvas.toDataURL("image/png");
    redrawn.set(uri, smaller);
    return smaller;
  };

  /** The sources of a `picture` and `src` would win over the one that is given. */
  const replaceSource = (image: HTMLImageElement): void => {
    const source = `${redraw(image)} ${densityOf(image)}x`;
    for (const other of image.closest("picture")?.querySelectorAll("source") ?? []) other.remove();
    image.srcset = source;
    image.removeAttribute("src");
  };

  const backgrounds = new Map<string, string>();
  /** A background's image as CSS names it; each is looked at once, however many styles have it. */
  const fittedBackground = async (uri: string): Promise<string> => {
    const known = backgrounds.get(uri);
    if (known !== undefined) return known;
    const image = new Image();
    image.src = uri;
    const isRedrawn = (await isDecoded(image)) && isTooWide(image);
    const fitted = isRedrawn ? `image-set(url("${redraw(image)}") ${densityOf(image)}x)` : `url("${uri}")`;
    backgrounds.set(uri, fitted);
    return fitted;
  };

  const fitBackgrounds = async (style: CSSStyleDeclaration): Promise<void> => {
    const given = style.backgroundImage;
    let fitted = given;
    for (const [url, uri = ""] of given.matchAll(/url\("(data:image\/(?!svg)[^"]*)"\)/gi)) {
      const replacement = await fittedBackground(uri);
      fitted = fitted.replace(url, () => replacement);
    }
    if (fitted === given) return;
    style.setProperty("background-image", fitted, style.getPropertyPriority("background-image"));
  };

  const shown: HTMLImageElement[] = [];
  for (const image of images) {
    // The size is known from the header; nothing is decoded so far.
    if (isBomb(image)) {
      image.removeAttribute("srcset");
      image.removeAttribute("src");
      continue;
    }
    shown.push(image);
    if (isTooWide(image) && (await isDecoded(image))) replaceSource(image);
  }
  if (maxImageWidthPx !== null) {
    const inline = Document.prototype.querySelectorAll.call(document, '[style*="url("]');
    for (const rule of rules) if (rule instanceof CSSStyleRule) await fitBackgrounds(rule.style);
    for (const element of inline) if (element instanceof HTMLElement) await fitBackgrounds(element.style);
  }
  const leftOut = images.length - shown.length;
  const warnings = leftOut > 0 ? [`Images with too many pixels, which were left empty: ${leftOut}.`] : [];
  return { shown, warnings };
}
