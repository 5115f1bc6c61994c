// Fetches the images that `data` names by URL and inlines them as `data:` URIs, because the browser has no network access.
// An image that cannot be fetched is left empty, with a warning, so that a document never fails because of an image.
import pMap from "p-map";
import { bufferOf } from "colophon-base/buffer";
import { checkPublicUrl } from "colophon-base/public-url";
import { checkImage, notAnImage, type ImageCheck } from "colophon-images/image-guard";
import { imageInfo, type ImageInfo } from "colophon-images/image-info";
import {
  leftEmpty,
  resolveImages,
  type ImageChecks,
  type ResolvedImage,
} from "colophon-template-model/document-images";
import type { ImageSlot } from "colophon-template-model/template-data";
import type { FetchedImage, RenderServices } from "../render-services.ts";
import { maxImageBytes } from "./image-source.ts";

type ImageServices = Pick<RenderServices, "images" | "settings" | "now">;

/** The maximum number of distinct image URLs in a document. */
const maxImages = 50;
const maxImagesBytes = 20_000_000;
/**
 * The maximum number of images that are fetched at the same time. The platform lets a Worker wait for at most six responses.
 */
const fetchesAtOnce = 6;
const imageTimeoutMs = 5_000;
/** The maximum time for fetching all images. It must leave time for the render. */
const allTimeoutMs = 12_000;
const maxRedirects = 3;

/** A fetched image with the result of checking its bytes. */
type InlinedImage = { status: "ok"; source: string; check: ImageCheck };
type LeftEmpty = Exclude<ResolvedImage, { status: "ok" }>;

/**
 * Returns the images as `data:` URIs, the checks of the fetched images, and at most 20 warnings. `deadline` is the deadline of the create,
 * in ms since the epoch.
 */
export async function inlineImages(
  services: ImageServices,
  images: ImageSlot[],
  deadline: number,
): Promise<{ images: ImageSlot[]; checks: ImageChecks; warnings: string[] }> {
  const urls = imageUrls(images);
  if (urls.length === 0) return { images, checks: new Map(), warnings: [] };
  const fetched = await fetchAll(services, urls, Math.min(deadline, services.now() + allTimeoutMs));
  const checks = new Map(
    [...fetched.values()].flatMap((image) => (image.status === "ok" ? [[image.source, image.check] as const] : [])),
  );
  const inlined = resolveImages(images, ({ source }) => {
    if (!isUrl(source)) return { status: "ok", source };
    return fetched.get(source) ?? leftEmpty(`a document may name at most ${maxImages} images by URL`);
  });
  return { ...inlined, checks };
}

/**
 * Returns the maximum memory of the fetched images: the `data:` URIs of images that fit into a document, and the bytes of
 * images that are still arriving.
 */
export function maxImageMemoryBytes(images: ImageSlot[]): number {
  const urls = imageUrls(images).length;
  const fittingImages = Math.min(urls, maxImagesBytes / maxImageBytes);
  return (fittingImages * maxImageBytes * 4) / 3 + Math.min(urls - fittingImages, fetchesAtOnce) * maxImageBytes;
}

/** Returns the distinct URLs from which the images are fetched. */
export function imageUrls(images: ImageSlot[]): string[] {
  return [...new Set(images.map(({ source }) => source).filter(isUrl))];
}

function isUrl(source: string): boolean {
  return /^https?:/i.test(source);
}

/**
 * Fetches the images in document order, several at a time. Once their total size exceeds the limit, the image that has just arrived and
 * all later ones are left empty.
 */
async function fetchAll(
  services: ImageServices,
  urls: string[],
  deadline: number,
): Promise<Map<string, InlinedImage | LeftEmpty>> {
  let bytesLeft = maxImagesBytes;
  const sources = new Map<string, string>();
  /** Equal images with different URLs share one string, because their memory is counted once. */
  const shared = (image: InlinedImage): InlinedImage => {
    const source = sources.get(image.source) ?? image.source;
    sources.set(source, source);
    return { ...image, source };
  };
  const fetchOne = async (url: string): Promise<[string, InlinedImage | LeftEmpty]> => {
    const image = await fetchImage(services, url, deadline);
    if (image.status !== "fetched") return [url, image];
    const info = imageInfo(image.bytes);
    if (!info) return [url, leftEmpty(notAnImage)];
    bytesLeft -= inlinedBytes(image.bytes, info.type);
    if (bytesLeft < 0) return [url, leftEmpty(`the images exceed ${maxImagesBytes / 1e6} MB in total`)];
    return [url, shared(asDataUri(image.bytes, info.type))];
  };
  return new Map(await pMap(urls.slice(0, maxImages), fetchOne, { concurrency: fetchesAtOnce }));
}

/**
 * Fetches an image, following a few redirects. Validates the first URL and the URL of every redirect. No fetch begins after
 * `deadline`.
 */
async function fetchImage(
  { images, settings, now }: ImageServices,
  given: string,
  deadline: number,
): Promise<Extract<FetchedImage, { status: "fetched" }> | LeftEmpty> {
  const timeoutAt = Math.min(now() + imageTimeoutMs, deadline);
  for (let url = given, redirects = 0; ; redirects++) {
    const validated = checkPublicUrl(url, settings.imageUrls);
    if (validated.status === "refused") return leftEmpty(`its URL ${validated.reason}`);
    if (redirects > maxRedirects) return leftEmpty(`it was redirected more than ${maxRedirects} times`);
    const timeoutMs = timeoutAt - now();
    if (timeoutMs <= 0) return leftEmpty("it did not arrive in time");
    const image = await images.fetch(validated.url, timeoutMs);
    if (image.status === "failed") return leftEmpty(image.reason);
    if (image.status === "fetched") return image;
    if (!URL.canParse(image.location, url)) return leftEmpty("it was redirected to an invalid URL");
    url = new URL(image.location, url).href;
  }
}

/**
 * Returns how much the image adds to the size of the document, which is rendered only if all its `data:` URIs fit; see `maxInlinedBytes`. A
 * URI is slightly longer than its bytes.
 */
function inlinedBytes(bytes: Uint8Array, type: ImageInfo["type"]): number {
  return ((uriPrefix(type).length + 4 * Math.ceil(bytes.length / 3)) * 3) / 4;
}

function uriPrefix(type: ImageInfo["type"]): string {
  return `data:image/${type === "svg" ? "svg+xml" : type};base64,`;
}

/**
 * Returns the image as a `data:` URI. Its type is detected from the bytes; the server's `Content-Type` is ignored. The bytes are
 * checked here, because checking the URI would first have to decode megabytes of base64.
 */
function asDataUri(bytes: Uint8Array, type: ImageInfo["type"]): InlinedImage {
  const text = bufferOf(bytes).toString("base64");
  return { status: "ok", source: `${uriPrefix(type)}${text}`, check: checkImage(bytes) };
}
