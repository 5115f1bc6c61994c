// Fetches the images of all renders of one object. An image that many documents use is cached for a while, and the renders share the
// connections that the platform gives an object.
import { agedCache } from "colophon-base/aged-cache";
import type { FetchedImage, ImageSource } from "colophon-render/render-services";
import { Semaphore } from "../../core/rendering/semaphore.ts";
import type { SharedImages } from "../../ports/batches.ts";

const maxKeptBytes = 10_000_000;
/** If an image changes during a batch, documents may show the old image for this long. */
const maxAgeMs = 300_000;
/** The platform lets one object wait for six responses at a time. */
const capacity = 6;
/** The platform ends an alarm after 15 minutes. */
const maxWaitMs = 600_000;

export function sharedImages(source: ImageSource): SharedImages {
  const cache = agedCache<FetchedImage>({ maxEntries: 1_000, maxAgeMs, weight: { max: maxKeptBytes, of: weightOf } });
  const connections = new Semaphore({ capacity });
  return {
    fetch: (url, timeoutMs) => cache.get(url, () => source.fetch(url, timeoutMs)),
    async connect(accountId, urls) {
      const missing = new Set(urls.filter((url) => !cache.peek(url))).size;
      if (missing === 0) return { release() {} };
      return connections.acquire({ accountId, amount: Math.min(missing, capacity), maxWaitMs });
    },
  };
}

/** A failure is not cached, because the next fetch may succeed. */
function weightOf(image: FetchedImage): number {
  if (image.status === "failed") return maxKeptBytes + 1;
  return image.status === "fetched" ? image.bytes.length : image.location.length;
}
