// Fetches one image by its URL, and stops reading if it is too large. The caller validates URLs and follows redirects.
import type { FetchedImage } from "../../core/images/fetched-image.ts";
import type { ImageSource } from "../../ports/rendering.ts";

const maxImageBytes = 5_000_000;
const tooLarge = `it is larger than ${maxImageBytes / 1e6} MB`;

export const imageSource: ImageSource = {
  async fetch(url, timeoutMs) {
    try {
      const headers = { Accept: "image/*", "User-Agent": "Colophon-Images/1.0" };
      const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
      const image = await read(response);
      if (image.status !== "fetched") await response.body?.cancel();
      return image;
    } catch (cause) {
      const isTimeout = cause instanceof Error && (cause.name === "TimeoutError" || cause.name === "AbortError");
      return failed(isTimeout ? "it did not arrive in time" : "its server could not be reached");
    }
  },
};

async function read(response: Response): Promise<FetchedImage> {
  const { status, headers, body } = response;
  const location = headers.get("Location");
  if (status >= 300 && status < 400 && location !== null) return { status: "redirected", location };
  if (status !== 200 || !body) return failed(`its server responded with status ${status}`);
  if (Number(headers.get("Content-Length")) > maxImageBytes) return failed(tooLarge);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    size += chunk.length;
    if (size > maxImageBytes) return failed(tooLarge);
    chunks.push(chunk);
  }
  return { status: "fetched", bytes: Buffer.concat(chunks) };
}

function failed(reason: string): FetchedImage {
  return { status: "failed", reason };
}
