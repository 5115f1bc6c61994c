// The warning about the requests that a document would have made. It names a few of their URLs so briefly that a caller
// can recognise them, but that no query, password or long path gets into the stored warnings.
import { counted } from "colophon-base/counted";

const maxNamed = 3;
const maxHostChars = 60;
const maxFileNameChars = 40;

/** Returns the warning for the distinct URLs of blocked requests, or null if there are none. */
export function blockedRequestsWarning(urls: ReadonlySet<string>): string | null {
  if (urls.size === 0) return null;
  const names = [...new Set([...urls].map(shortUrl))].slice(0, maxNamed);
  const more = urls.size - names.length;
  const list = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
  return `Blocked ${counted(urls.size, "network request")} (${list}): documents are rendered offline.`;
}

/**
 * Returns the scheme, the host and the file name of the URL, for example `https://example.com/…/logo.png`. Returns only
 * the scheme if there is no host. The URL parser encodes all control characters and invisible characters.
 */
function shortUrl(url: string): string {
  // The browser reports only the scheme of some URLs, such as `data` for a `data:` URI in a frame.
  if (/^[a-z][a-z\d+.-]{0,20}$/i.test(url)) return `${url}:…`;
  if (!URL.canParse(url)) return "an invalid URL";
  const { protocol, host, pathname } = new URL(url);
  if (host === "") return `${protocol}…`;
  const path = pathname.split("/");
  const fileName = shortened(path.at(-1) ?? "", maxFileNameChars);
  return `${protocol}//${shortened(host, maxHostChars)}/${path.length > 2 ? "…/" : ""}${fileName}`;
}

/** Returns the text with its middle left out if it is too long. */
function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  return `${text.slice(0, half)}…${text.slice(half + 1 - maxChars)}`;
}
