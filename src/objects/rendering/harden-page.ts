// Closes a page to the network and to scripts. In addition to the policy that every document carries there are three
// layers: scripts are off, the network is offline, and requests are intercepted. Each layer has gaps that the others cover.
import type { CDPSession } from "@cloudflare/puppeteer";

/** Returns a counter of blocked requests, which the caller may reset to zero. Takes one round trip. */
export async function hardenPage(page: CDPSession): Promise<{ requests: number }> {
  const blocked = { requests: 0 };
  // The document's policy stops nearly all requests and reports them here; interception stops the rest.
  page.on("Audits.issueAdded", ({ issue }) => {
    const directive = issue.details.contentSecurityPolicyIssueDetails?.violatedDirective;
    // A blocked `<base>` element violates the policy, but is not a request.
    if (directive !== undefined && directive !== "base-uri") blocked.requests++;
  });
  page.on("Fetch.requestPaused", ({ requestId, resourceType }) => {
    blocked.requests++;
    // A navigation that gets a 204 leaves the document as it is; a failed one would replace it with an error page.
    const refusal =
      resourceType === "Document"
        ? page.send("Fetch.fulfillRequest", { requestId, responseCode: 204 })
        : page.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    refusal.catch(() => {}); // The page is gone, and its request with it.
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
