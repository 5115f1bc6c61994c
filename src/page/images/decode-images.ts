// Waits until images are decoded, because the browser does not wait for decoding when it prints or captures a page.

export async function isDecodable(image: HTMLImageElement): Promise<boolean> {
  return HTMLImageElement.prototype.decode.call(image).then(
    () => true,
    () => false,
  );
}

/** Returns the number of images that cannot be decoded. */
export async function decodeImages(images: HTMLImageElement[]): Promise<number> {
  const decoded = await Promise.all(images.map(isDecodable));
  return decoded.filter((isDecoded) => !isDecoded).length;
}
