// Fetches the images that `data` names by URL and inlines them as `data:` URIs, because the browser fetches nothing. An
// image that cannot be fetched is left empty, with a warning, so that a document never fails for an image.
import pMap from "p-map";
import { notAnImage } from "../../core/images/image-guard.ts";
import { imageInfo } from "../../core/images/image-info.ts";
import { leftEmpty, resolveImages, type ResolvedImage } from "../../core/images/resolve-images.ts";
import { checkPublicUrl } from "../../core/public-url.ts";
import type { ImageSlot } from "../../core/templates/template-data.ts";
import type { Services } from "../../ports/services.ts";

/** The most distinct URLs in one document. */
const maxImages = 50;
const maxImagesBytes = 20_000_000;
/** The platform lets a Worker wait for six responses at once. */
const fetchesAtOnce = 6;
const imageTimeoutMs = 5_000;
/** The time for all images together, which must leave time for the render. */
const allTimeoutMs = 12_000;
const maxRedirects = 3;

/** Returns the images as `data:` URIs, and at most 20 warnings. `deadline` is that of the create, in ms since the epoch. */
export async function inlineImages(
  services: Services,
  images: ImageSlot[],
  deadline: number,
): Promise<{ images: ImageSlot[]; warnings: string[] }> {
  const urls = new Set(images.map(({ source }) => source).filter(isUrl));
  if (urls.size === 0) return { images, warnings: [] };
  const fetched = await fetchAll(services, [...urls], Math.min(deadline, services.now() + allTimeoutMs));
  return resolveImages(images, ({ source }) => {
    if (!isUrl(source)) return { status: "ok", source };
    return fetched.get(source) ?? leftEmpty(`a document may name at most ${maxImages} images by URL`);
  });
}

function isUrl(source: string): boolean {
  return /^https?:/i.test(source);
}

/**
 * Fetches a few images at once, in the order in which the document names them. Images beyond the total size are left empty.
 */
async function fetchAll(services: Services, urls: string[], deadline: number): Promise<Map<string, ResolvedImage>> {
  let bytesLeft = maxImagesBytes;
  const fetchOne = async (url: string): Promise<[string, ResolvedImage]> => {
    const image = await fetchImage(services, url, deadline);
    bytesLeft -= image.status === "ok" ? (image.source.length * 3) / 4 : 0;
    return [url, bytesLeft >= 0 ? image : leftEmpty(`the images exceed ${maxImagesBytes / 1e6} MB in total`)];
  };
  return new Map(await pMap(urls.slice(0, maxImages), fetchOne, { concurrency: fetchesAtOnce }));
}

/** Follows a few redirects; each URL is validated like the first. No fetch begins after `deadline`. */
async function fetchImage(
  { images, settings, now }: Services,
  given: string,
  deadline: number,
): Promise<ResolvedImage> {
  const timeoutAt = Math.min(now() + imageTimeoutMs, deadline);
  for (let url = given, redirects = 0; ; redirects++) {
    const validated = checkPublicUrl(url, settings.imageUrls);
    if (validated.status === "refused") return leftEmpty(`its URL ${validated.reason}`);
    if (redirects > maxRedirects) return leftEmpty(`it was redirected more than ${maxRedirects} times`);
    const timeoutMs = timeoutAt - now();
    if (timeoutMs <= 0) return leftEmpty("it did not arrive in time");
    const image = await images.fetch(validated.url, timeoutMs);
    if (image.status === "failed") return leftEmpty(image.reason);
    if (image.status === "fetched") return asDataUri(image.bytes);
    if (!URL.canParse(image.location, url)) return leftEmpty("it was redirected to an invalid URL");
    url = new URL(image.location, url).href;
  }
}

/** The type is read from the bytes, whatever type the server claims. */
function asDataUri(bytes: Uint8Array): ResolvedImage {
  const info = imageInfo(bytes);
  if (!info) return leftEmpty(notAnImage);
  const type = info.type === "svg" ? "svg+xml" : info.type;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return { status: "ok", source: `data:image/${type};base64,${text}` };
}
