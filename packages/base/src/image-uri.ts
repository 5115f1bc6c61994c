// The `data:` URIs of images.

/** Whether the text begins as the URI of an image of a type that browsers show. */
export function isInlineImage(text: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(text);
}
