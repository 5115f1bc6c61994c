// Blocks the network and scripts in a page. In addition to the content security policy of every document, there are
// three layers: scripts are off, the network is offline, and requests are intercepted. Each layer has gaps that the
// others cover.
import type { CDPSession } from "@cloudflare/puppeteer";

/** A longer URL is cut off, so that a `data:` URI of megabytes is not kept in memory. */
const maxUrlChars = 2_000;

/** Hardens the page in one round trip. Returns the URLs of the blocked requests. The caller may clear this set. */
export async function hardenPage(page: CDPSession): Promise<Set<string>> {
  const blockedUrls = new Set<string>();
  // The policies of all documents that the page has loaded add up, and the browser reports a URL for each of them.
  const add = (url: string) => void blockedUrls.add(url.slice(0, maxUrlChars));
  // The document's policy blocks nearly all requests, and this event reports them. Interception blocks the rest.
  page.on("Audits.issueAdded", ({ issue }) => {
    const { violatedDirective, blockedURL } = issue.details.contentSecurityPolicyIssueDetails ?? {};
    // Neither a blocked script, which has no URL here, nor a blocked `<base>` element is a request.
    if (blockedURL !== undefined && violatedDirective !== "base-uri") add(blockedURL);
  });
  page.on("Fetch.requestPaused", ({ requestId, request, resourceType }) => {
    add(request.url);
    // A navigation that gets status 204 leaves the document as it is. A failed navigation would replace it with an
    // error page.
    const refusal =
      resourceType === "Document"
        ? page.send("Fetch.fulfillRequest", { requestId, responseCode: 204 })
        : page.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    refusal.catch(() => {}); // Sending fails only when the page is gone, and then so is its request.
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
