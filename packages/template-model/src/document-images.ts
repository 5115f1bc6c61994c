// Decides which images a document may show. A refused image is left empty, and a warning gives the reason.
import { checkPublicUrl } from "colophon-base/public-url";
import { sentence } from "colophon-base/text";
import { checkImageUri, vectorUriProblem, type ImageCheck } from "colophon-images/image-guard";
import { isImageUri, type ImageSlot } from "./template-data.ts";

/** The maximum number of pixels of all images in a document's data. An image that occurs several times counts once. */
export const maxDocumentPixels = 100_000_000;

/** Results of checks, by the images' `data:` URIs. */
export type ImageChecks = ReadonlyMap<string, ImageCheck>;

/**
 * Checks the images of a document and replaces refused images with empty ones. Returns all images, and a warning for each of the first 20
 * refused images. `known` are earlier check results for complete URIs.
 */
export function withoutUnfitImages(
  images: ImageSlot[],
  known: ImageChecks = new Map(),
): { images: ImageSlot[]; warnings: string[] } {
  const check = documentCheck(known);
  return resolveImages(images, ({ source }) => {
    const checked = isImageUri(source) ? check(source) : null;
    return checked?.status === "refused" ? leftEmpty(checked.reason) : { status: "ok", source };
  });
}

/** Returns a problem for each image that a document would leave empty. A URL is not fetched; only its form is checked. */
export function imageProblems(images: ImageSlot[]): { path: string; reason: string }[] {
  const check = documentCheck();
  return images.flatMap(({ path, source }) => {
    const checked = isImageUri(source) ? check(source) : checkPublicUrl(source, anyPublicHost);
    if (checked.status !== "refused") return [];
    return [{ path, reason: `the image \`${path}\` cannot be used: ${checked.reason}` }];
  });
}

/**
 * Types of `data:` URIs that are neither images nor fonts. If an image has no type, or one of these types, browsers detect its type from
 * its content.
 */
const otherTypes = /^(text\/(?!css)|application\/(pdf|json|javascript|ecmascript|xml|xhtml\+xml)|video\/|audio\/)/;
/**
 * Returns why a `data:` URI in a template shows no image; null if it shows one or need not, as in CSS, which may also name fonts. `isImage`
 * is whether the URI is the source of an image element, which shows an image reliably only if its URI says that it is one.
 */
export function imageUriProblem(uri: string, isImage: boolean): string | null {
  const type = /^data:([^;,]*)/i.exec(uri)?.[1]?.trim().toLowerCase() ?? "";
  const isTyped = type.startsWith("image/");
  if (!isTyped && !isImage && !otherTypes.test(type)) return null;
  const check = checkImageUri(uri);
  const untyped =
    isTyped || !isImage ? null : "its `data:` URI must begin with the type of an image, such as `data:image/png`";
  const reason = check.status === "refused" ? check.reason : (vectorUriProblem(uri) ?? untyped);
  return reason && `the image in the \`data:\` URI cannot be used: ${reason}`;
}

const anyPublicHost = { allowedOrigins: new Set<string>(), ownHosts: new Set<string>() };

/**
 * Returns a function that checks the images of a document one by one, and also limits their total number of pixels. An image
 * that occurs several times counts once.
 */
function documentCheck(known: ImageChecks = new Map()): (uri: string) => ImageCheck {
  const checks = new Map<string, ImageCheck>();
  let pixels = 0;
  const firstCheck = (uri: string): ImageCheck => {
    const check = known.get(uri) ?? checkImageUri(uri);
    if (check.status === "refused") return check;
    if (pixels + check.pixels > maxDocumentPixels) {
      const reason = `the images of one document may have at most ${maxDocumentPixels / 1e6} megapixels in total`;
      return { status: "refused", reason };
    }
    pixels += check.pixels;
    return check;
  };
  return (uri) => {
    const check = checks.get(uri) ?? firstCheck(uri);
    checks.set(uri, check);
    return check;
  };
}

export type ResolvedImage = { status: "ok"; source: string } | { status: "left_empty"; reason: string };

const maxWarnings = 20;

/** Returns copies of the images with the sources that `resolve` returned, and at most 20 warnings. */
export function resolveImages(
  images: ImageSlot[],
  resolve: (image: ImageSlot) => ResolvedImage,
): { images: ImageSlot[]; warnings: string[] } {
  const warnings: string[] = [];
  const resolved = images.map((image) => {
    const result = resolve(image);
    if (result.status === "ok") return { ...image, source: result.source };
    if (warnings.length < maxWarnings)
      warnings.push(`The image \`${image.path}\` was left empty: ${sentence(result.reason)}`);
    return { ...image, source: "" };
  });
  return { images: resolved, warnings };
}

export function leftEmpty(reason: string): Exclude<ResolvedImage, { status: "ok" }> {
  return { status: "left_empty", reason };
}
