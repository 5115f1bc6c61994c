// Blocks the network and scripts in a page. In addition to the content security policy of every document, there are
// three layers: scripts are off, the network is offline, and requests are intercepted. Each layer has gaps that the
// others cover.
import type { CDPSession } from "@cloudflare/puppeteer";

/** Hardens the page in one round trip. Returns a counter of blocked requests, which the caller may reset to zero. */
export async function hardenPage(page: CDPSession): Promise<{ requests: number }> {
  const blocked = { requests: 0 };
  // The document's policy blocks nearly all requests, and this event reports them. Interception blocks the rest.
  page.on("Audits.issueAdded", ({ issue }) => {
    const directive = issue.details.contentSecurityPolicyIssueDetails?.violatedDirective;
    // A blocked `<base>` element violates the policy, but is not a request.
    if (directive !== undefined && directive !== "base-uri") blocked.requests++;
  });
  page.on("Fetch.requestPaused", ({ requestId, resourceType }) => {
    blocked.requests++;
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
  return blocked;
}
