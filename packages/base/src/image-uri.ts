// Recognises the `data:` URIs of images.

/** Returns whether the string begins like the URI of an image type that browsers display. */
export function isInlineImage(text: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(text);
}
