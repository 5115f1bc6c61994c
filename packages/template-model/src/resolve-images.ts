// Resolves the images of a document one after the other. An image that cannot be used is left empty, and a warning
// gives its path in the data. A document therefore never fails because of an image.
import { sentence } from "colophon-base/text";
import type { ImageSlot } from "./template-data.ts";

export type ResolvedImage = { status: "ok"; source: string } | { status: "left_empty"; reason: string };

const maxWarnings = 20;

/** Returns copies of the images, with the sources that `resolve` has returned, and at most 20 warnings. */
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
