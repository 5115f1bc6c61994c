// Decides whether a key may be sent to a service URL that a user has given: only over https, or to this machine. The URL is checked
// after the WHATWG parser has normalised it, because fetch connects to the normalised host.

export type ServiceUrlCheck =
  /** `url` is the URL without `/`, `/api/v1` or `/api/manage/v1` at its end. */
  { status: "accepted"; url: string } | { status: "refused"; reason: string };

export function checkServiceUrl(text: string): ServiceUrlCheck {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    return refused("must be the address of the service, such as https://pdf.example.com");
  if (url.username || url.password || url.search || url.hash)
    return refused("must not contain user info, a query or a fragment");
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    return refused(
      "must begin with https://, because anyone on the network path can read a key that is sent over http; http:// is for localhost only",
    );
  return { status: "accepted", url: url.href.replace(/\/+$/, "").replace(/\/api(?:\/manage)?\/v1$/, "") };
}

/**
 * Returns whether the host of a URL is this machine. It must be normalised: in lower case, and with IPv4 addresses as four decimal
 * numbers.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(hostname);
}

function refused(reason: string): ServiceUrlCheck {
  return { status: "refused", reason };
}
