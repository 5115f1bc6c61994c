// Waits until images are decoded, because the browser does not wait for decoding when it prints or captures a page.

export async function isDecodable(image: HTMLImageElement): Promise<boolean> {
  return HTMLImageElement.prototype.decode.call(image).then(
    () => true,
    () => false,
  );
}

/** Returns the images that cannot be decoded. */
export async function decodeImages(images: HTMLImageElement[]): Promise<HTMLImageElement[]> {
  const decoded = await Promise.all(images.map(isDecodable));
  return images.filter((_, index) => !decoded[index]);
}
