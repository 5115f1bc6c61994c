// Shows the images of headers and footers on all sheets from one copy. Chromium writes the image of each `img` element into the PDF
// separately, but an image from a style rule only once, however many elements show it.
import { bodyElement, createElement, findAll, headElement } from "../dom.ts";
import { decodeImages } from "../images/decode-images.ts";

const marker = "data-colophon-image";

/**
 * Makes the hosts, which must be in the document, and all copies of them show their images from style rules. `group`
 * distinguishes the rules of several calls.
 */
export async function showSharedImages(hosts: readonly HTMLElement[], group: string): Promise<void> {
  const numbers = new Map<string, number>();
  const images: HTMLImageElement[] = [];
  for (const image of hosts.flatMap((host) => findAll(host, "img"))) {
    if (!(image instanceof HTMLImageElement)) continue;
    const content = contentOf(image);
    if (content === null) continue;
    const number = numbers.get(content) ?? images.push(loaded(image.currentSrc)) - 1;
    numbers.set(content, number);
    image.setAttribute(marker, `${group}-${number}`);
    for (const name of ["src", "srcset"]) image.removeAttribute(name);
    for (const source of findAll(image.closest("picture") ?? image, "source")) source.remove();
  }
  const style = createElement("style");
  style.textContent = Array.from(
    numbers,
    ([content, number]) => `img[${marker}="${group}-${number}"]{content:${content}!important}`,
  ).join("");
  if (images.length === 0) return;
  headElement().append(style);
  void bodyElement().offsetHeight; // The browser loads a rule's image when an element with that style is laid out.
  await decodeImages(images); // Printing does not wait for decoding.
}

function loaded(uri: string): HTMLImageElement {
  const image = new Image();
  image.src = uri;
  return image;
}

/** Returns a value for `content` with the same natural size, or null if the image shows nothing. */
function contentOf(image: HTMLImageElement): string | null {
  const { currentSrc } = image;
  if (!/^data:/i.test(currentSrc) || image.naturalWidth === 0) return null;
  const url = `url("${currentSrc.replace(/[\\"\n]/g, encodeURIComponent)}")`;
  const density = /\s([\d.]+)x\s*$/.exec(image.srcset)?.[1];
  return density ? `image-set(${url} ${density}x)` : url;
}
