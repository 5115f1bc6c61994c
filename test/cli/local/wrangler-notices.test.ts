import { expect, it } from "vitest";
import { noticeFilter } from "../../../src/cli/local/wrangler-notices.ts";

/** Returns the lines of the output that are printed. */
function printed(output: string): string[] {
  return output.split("\n").filter(noticeFilter());
}

it("leaves out the notice about scheduled events, including its `curl` command and blank lines", () => {
  const output = `before

\u001b[33m▲ [WARNING]\u001b[0m \u001b[1mScheduled Workers are not automatically triggered during local development.\u001b[0m

  To manually trigger a scheduled event, run:
    curl "http://localhost:8787/cdn-cgi/local/scheduled"
  For more details, see \u001b[4mhttps://developers.cloudflare.com/workers/configuration/cron-triggers/#test-cron-triggers-locally\u001b[0m


after`;

  expect(printed(output)).toEqual(["before", "", "after"]);
});

it("leaves out the notice about compiled scripts", () => {
  expect(printed("a\nfailed to use the bootstrap compile cache\nb")).toEqual(["a", "b"]);
});

it("leaves out the notice about routes of static files", () => {
  const output = `before
\u001b[33m▲ [WARNING]\u001b[0m \u001b[1mWarning: The following routes will attempt to serve Assets on a configured path:\u001b[0m

    • */api/* (Will match assets: dist/assets/api/*)
    • */healthz (Will match assets: dist/assets/healthz)
  
  Requests not matching an asset will be forwarded to the Worker's code.


after`;

  expect(printed(output)).toEqual(["before", "after"]);
});

it("keeps every other line, blank lines included", () => {
  const output = `{"level":"error","event":"request.failed"}

Base URL  http://localhost:8787/api/v1

curl -sS http://localhost:8787/api/v1/documents`;

  expect(printed(output).join("\n")).toBe(output);
});
