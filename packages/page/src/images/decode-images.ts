// Waits until images are decoded, because the browser does not wait for that when it prints or captures a page.
import { createElement, isPageHidden } from "../dom.ts";

/** The browser must have begun to load the image, which it does in a microtask. */
export async function isDecodable(image: HTMLImageElement): Promise<boolean> {
  if (isPageHidden() && !isVector(image.currentSrc)) return isDecodableUnseen(image);
  return HTMLImageElement.prototype.decode.call(image).then(
    () => true,
    () => false,
  );
}

/** Returns the images that cannot be decoded. */
export async function decodeImages(images: HTMLImageElement[]): Promise<HTMLImageElement[]> {
  await Promise.resolve();
  const decoded = await Promise.all(images.map(isDecodable));
  return images.filter((_, index) => !decoded[index]);
}

export function isVector(uri: string): boolean {
  return /^data:image\/svg/i.test(uri);
}

/** In a hidden page, `decode()` of a raster image never settles. */
async function isDecodableUnseen(image: HTMLImageElement): Promise<boolean> {
  try {
    (await createImageBitmap(image)).close();
    return true;
  } catch {
    return showsPixels(image);
  }
}

/** A bitmap requires the complete image, but the browser displays the available part of an incomplete image. */
function showsPixels(image: HTMLImageElement): boolean {
  const canvas = createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  try {
    context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  } catch {
    return false; // The browser cannot even read the header.
  }
  return context?.getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0) ?? false;
}
