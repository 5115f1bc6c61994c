// Decides whether the service may call a URL that a customer has given. The URL must use https and port 443, and must
// name a public host other than this service's own. The URL is checked after the WHATWG parser has normalised it,
// because fetch connects to the normalised host. The host is not looked up; SECURITY.md says why.

export type UrlRules = {
  /** Origins that are allowed without further checks, for local use and tests. */
  allowedOrigins: ReadonlySet<string>;
  /** Host names of this service, which it must not call. */
  ownHosts: ReadonlySet<string>;
};

export type UrlCheck =
  /** `url` is the normalised URL. Call exactly this URL. */
  { status: "public"; url: string } | { status: "refused"; reason: string };

export const maxUrlChars = 2_048;

/**
 * Top-level domains that do not name public hosts. The first nine, or names below them, are reserved by ICANN and RFC
 * 2606, 6761, 6762, 7686, 8375 and 9476. The others are used by private networks, clusters and routers, and do not exist
 * in the public DNS.
 */
const specialUseDomains = new Set([
  ..."local localhost internal arpa onion alt test example invalid".split(" "),
  ..."localdomain localnet private intranet intra lan home corp mail workgroup router gateway dhcp".split(" "),
  ..."cluster svc pod node kubernetes docker consul".split(" "),
]);

export function checkPublicUrl(text: string, { allowedOrigins, ownHosts }: UrlRules): UrlCheck {
  if (text.length > maxUrlChars) return refused(`must be at most ${maxUrlChars} characters long`);
  // The parser would drop some of these characters, and accept a URL without slashes. These URLs are refused, because
  // they are probably mistakes.
  if (/[\s\p{Cc}]/u.test(text)) return refused("must not contain white space or control characters");
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return refused("must be an absolute https URL");
  const url = new URL(text);
  if (url.href.length > maxUrlChars) return refused(`must be at most ${maxUrlChars} characters long`);
  // The parser drops empty user info, so the original string is searched for `@`. All slashes after the scheme are
  // skipped first, because the parser accepts any number of them.
  const [authority = ""] = text
    .slice(text.indexOf("//"))
    .replace(/^[/\\]+/, "")
    .split(/[/\\?#]/, 1);
  if (url.username || url.password || authority.includes("@")) return refused("must not contain user info");
  // A fragment is not part of a request, so it is dropped.
  url.hash = "";
  if (isHttp(url) && allowedOrigins.has(url.origin)) return { status: "public", url: url.href };
  if (url.protocol !== "https:") return refused("must be an absolute https URL");
  if (url.port !== "") return refused("must use port 443");
  const reason = hostProblem(url.hostname);
  if (reason) return refused(reason);
  if (ownHosts.has(url.hostname)) return refused("must not name a host of this service");
  return { status: "public", url: url.href };
}

/**
 * Returns the problem of a host, or null if the host is public. The host must be normalised: in lower case, in Punycode, and with IPv4
 * addresses as four decimal numbers.
 */
function hostProblem(hostname: string): string | null {
  if (hostname.startsWith("[") || /^\d+\.\d+\.\d+\.\d+\.?$/.test(hostname)) return "must not name an IP address";
  const labels = hostname.split(".");
  if (labels.at(-1) === "") return "must not have a trailing dot in its host name";
  const last = labels.at(-1) ?? "";
  const isName =
    hostname.length <= 253 && labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  if (labels.length < 2 || !isName || !/^(xn--[a-z0-9-]+|[a-z]+)$/.test(last) || specialUseDomains.has(last)) {
    return "must name a public host";
  }
  return null;
}

function refused(reason: string): UrlCheck {
  return { status: "refused", reason };
}

/** Returns the origins in a comma-separated list, e.g. `http://127.0.0.1:9900`; null when an entry is not an origin. */
export function parseOrigins(list: string): Set<string> | null {
  const entries = list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const origins = entries.map((entry) =>
    URL.canParse(entry) && isHttp(new URL(entry)) ? new URL(entry).origin : null,
  );
  const isExact = entries.every((entry, index) => entry.replace(/\/$/, "").toLowerCase() === origins[index]);
  return isExact ? new Set(origins.filter((origin) => origin !== null)) : null;
}

/**
 * Returns whether the scheme is http or https. Other schemes are excluded, because their origin may be "null" or, for `blob:`, a
 * different URL's origin.
 */
function isHttp({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "http:";
}
