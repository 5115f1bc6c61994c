// Shows an empty box in place of an image that cannot be shown. The browser would draw an icon and the `alt` text
// instead, in a box of another size.

/** A transparent pixel. It is painted, because Chromium 127 leaves an image that paints nothing out of the PDF's tags. */
const transparentPixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/**
 * Replaces the source of the image. Its box gets the size that styles and attributes give it, and its `alt` text stays,
 * because the tags of a PDF contain it.
 */
export function showEmptyBox(image: HTMLElement | SVGElement): void {
  if (image instanceof HTMLImageElement) removeOtherSources(image);
  const attribute = image instanceof SVGImageElement ? "href" : "src";
  image.setAttribute(attribute, transparentPixel);
  // With this style, the size and the aspect ratio of the pixel itself do not count.
  image.style.setProperty("contain", "size", "important");
}

/** Removes all sources of the image except `src`, because the browser could otherwise choose one of them. */
export function removeOtherSources(image: HTMLImageElement): void {
  for (const source of image.closest("picture")?.querySelectorAll("source") ?? []) source.remove();
  image.removeAttribute("srcset");
}
