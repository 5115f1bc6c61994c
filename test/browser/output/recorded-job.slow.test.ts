// The real pool renders the jobs that Workers of each recorded release have sent. `test/workerd/releases` tests all other
// messages.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { PageMargins } from "../../../src/ports/rendering.ts";
import { newFileKey } from "../../../src/core/documents/document.ts";
import { jobOf, type RecordedJob } from "../../workerd/releases/recorded-job.ts";
import type { Recording } from "../../workerd/releases/recorder.ts";
import release1 from "../../workerd/releases/release-1.json";

const releases = [{ name: "release 1", recording: release1 as unknown as Recording }];

it.each(releases)("a pool renders the jobs of $name", async ({ recording: { calls } }) => {
  const pool = env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName("enam-0"));
  const margins = calls.find(({ to }) => to.startsWith("renderMargins"))?.result as PageMargins;
  const renders = calls.filter(({ to }) => to === "BrowserPool.render");

  const outcomes = [];
  for (const { args } of renders) {
    const [job, mayWait, renderMargins] = args as [RecordedJob, boolean, unknown];
    const ownFile = { ...jobOf(job), fileKey: newFileKey(job.format), timeoutMs: 20_000 };
    outcomes.push(await pool.render(ownFile, mayWait, renderMargins === null ? null : async () => margins));
  }

  expect(renders.length).toBeGreaterThanOrEqual(3);
  expect(outcomes.map(({ status }) => status)).toEqual(renders.map(() => "rendered"));
});
