// Blocks the network and scripts in a page. In addition to every document's content security policy, there are three layers:
// scripts are disabled, the network is offline, and requests are intercepted. Each layer has gaps that the others cover.
import type { CDPSession } from "@cloudflare/puppeteer";
import { counted } from "colophon-base/text";

/** A longer URL is truncated, so that a `data:` URI of megabytes is not kept in memory. */
const maxUrlChars = 2_000;

/** Hardens the page in one round trip. Returns the URLs of the blocked requests. The caller may clear this set. */
export async function hardenPage(page: CDPSession): Promise<Set<string>> {
  const blockedUrls = new Set<string>();
  // The policies of all documents that the page has loaded accumulate, and the browser reports a URL once for each of them.
  const add = (url: string) => void blockedUrls.add(url.slice(0, maxUrlChars));
  // The document's policy blocks nearly all requests, and this event reports them. Interception blocks the rest.
  page.on("Audits.issueAdded", ({ issue }) => {
    const { violatedDirective, blockedURL } = issue.details.contentSecurityPolicyIssueDetails ?? {};
    // Blocked scripts, which have no URL here, and blocked `<base>` elements are not requests.
    if (blockedURL !== undefined && violatedDirective !== "base-uri") add(blockedURL);
  });
  page.on("Fetch.requestPaused", ({ requestId, request, resourceType }) => {
    add(request.url);
    // A navigation with the response status 204 leaves the document as it is. A failed navigation would replace it with an
    // error page.
    const refusal =
      resourceType === "Document"
        ? page.send("Fetch.fulfillRequest", { requestId, responseCode: 204 })
        : page.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    refusal.catch(() => {}); // Sending fails only if the page and its request no longer exist.
  });
  await Promise.all([
    page.send("Audits.enable"),
    page.send("Emulation.setScriptExecutionDisabled", { value: true }),
    page.send("Network.emulateNetworkConditions", {
      offline: true,
      latency: 0,
      downloadThroughput: 0,
      uploadThroughput: 0,
    }),
    page.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
  ]);
  return blockedUrls;
}

const maxNamed = 3;
const maxHostChars = 60;
const maxFileNameChars = 40;

/**
 * Returns the warning for the distinct URLs of blocked requests, or null if there are none. It names a few of them in a short
 * form that callers recognise, but without query strings, passwords or long paths, because warnings are stored.
 */
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
  const fileName = withoutMiddle(path.at(-1) ?? "", maxFileNameChars);
  return `${protocol}//${withoutMiddle(host, maxHostChars)}/${path.length > 2 ? "…/" : ""}${fileName}`;
}

/** Returns the text without its middle if it is too long. */
function withoutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  return `${text.slice(0, half)}…${text.slice(half + 1 - maxChars)}`;
}
