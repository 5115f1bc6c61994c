// The settings of a client, in the form that the transport uses.
import { checkLimits } from "./deadline.ts";
import type { RequestOptions, TransportSettings } from "./transport.ts";

/** The argument of `createClient`. The limits apply to every request that does not set its own. */
export type ClientOptions = Omit<RequestOptions, "signal"> & {
  /** The URL that ends with `/api/v1`. */
  baseUrl: string;
  /** A key of the account, `colophon_…`. */
  apiKey: string;
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

export function settingsOf({ baseUrl, apiKey, fetch: ownFetch, ...limits }: ClientOptions): TransportSettings {
  // A header with other characters would be refused with an error that contains the key.
  if (typeof apiKey !== "string" || !/^[!-~]+$/.test(apiKey))
    throw new TypeError("`apiKey` must be an API key: visible ASCII characters only, without spaces and line breaks.");
  const { timeoutMs = 30_000, maxRetries = Infinity, totalTimeoutMs = 90_000 } = limits;
  checkLimits({ timeoutMs, maxRetries, totalTimeoutMs });
  return {
    baseUrl: checkedBaseUrl(baseUrl),
    apiKey,
    // Some platforms refuse to call `fetch` as a method of an object.
    fetch: ownFetch ? (url, init) => ownFetch(url, init) : (url, init) => fetch(url, init),
    random: Math.random,
    timeoutMs,
    maxRetries,
    totalTimeoutMs,
  };
}

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain) throw new TypeError("`baseUrl` must be a URL such as https://pdf.example.com/api/v1.");
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    throw new TypeError(
      "`baseUrl` must begin with https://, because anyone on the network path can read a key that is sent over http. http:// is for localhost only.",
    );
  return url.href.replace(/\/+$/, "");
}

/** The same function as in colophon-base, on which this package does not depend. */
function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(hostname);
}
