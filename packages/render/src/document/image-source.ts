// Fetches one image by URL, and stops reading if it is too large. The caller validates URLs and follows redirects.
import type { FetchedImage, ImageSource } from "../render-services.ts";

/** The maximum size of a fetched image. */
export const maxImageBytes = 5_000_000;
const minBufferBytes = 65_536;
const tooLarge = `it is larger than ${maxImageBytes / 1e6} MB`;

export const imageSource: ImageSource = {
  async fetch(url, timeoutMs) {
    // Canceling a body can fail or leave its connection open, so the request is aborted.
    const ended = new AbortController();
    let broken = "its server could not be reached";
    try {
      const headers = { Accept: "image/*", "User-Agent": "Colophon-Images/1.0" };
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(url, { headers, redirect: "manual", signal });
      broken = "its server did not send the whole image";
      return await read(response);
    } catch (cause) {
      const isTimeout = cause instanceof Error && (cause.name === "TimeoutError" || cause.name === "AbortError");
      return failed(isTimeout ? "it did not arrive in time" : broken);
    } finally {
      ended.abort();
    }
  },
};

async function read({ status, headers, body }: Response): Promise<FetchedImage> {
  const location = headers.get("Location");
  if (status >= 300 && status < 400 && location !== null) return { status: "redirected", location };
  if (status !== 200 || !body) return failed(`its server responded with status ${status}`);
  if (Number(headers.get("Content-Length")) > maxImageBytes) return failed(tooLarge);
  // A decompressed image can be longer than its `Content-Length`.
  let bytes = new Uint8Array(Math.max(minBufferBytes, Number(headers.get("Content-Length")) || 0));
  let size = 0;
  for await (const chunk of (body as ReadableStream<Uint8Array>).values({ preventCancel: true })) {
    if (size + chunk.length > maxImageBytes) return failed(tooLarge);
    if (size + chunk.length > bytes.length) bytes = enlarged(bytes, size + chunk.length);
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return { status: "fetched", bytes: bytes.subarray(0, size) };
}

/** Returns a copy with room for at least `minBytes`, and for more, to avoid frequent copies. */
function enlarged(bytes: Uint8Array, minBytes: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.min(maxImageBytes, Math.max(minBytes, 2 * bytes.length)));
  copy.set(bytes);
  return copy;
}

function failed(reason: string): FetchedImage {
  return { status: "failed", reason };
}
