import { connect } from "@cloudflare/puppeteer";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { job, testPool } from "../fixtures/pool.ts";

const maxPages = 5;

it("keeps the number of browser contexts within the limit when many accounts render at once", async () => {
  const settings = { concurrentPages: 4, maxPages, queueLength: 64, maxRendersPerSession: 1_000 };
  const pool = testPool(env.BROWSER, { settings });
  await pool.render(job("x"));
  const watcher = await connect(env.BROWSER, pool.remembered()[0] ?? "");
  const cdp = await watcher.target().createCDPSession();
  let most = 0;
  const watch = async () => {
    const { browserContextIds } = await cdp.send("Target.getBrowserContexts");
    most = Math.max(most, browserContextIds.length);
  };

  const outcomes = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const outcome = await pool.render(job("x"));
      await watch();
      return outcome.status;
    }),
  );

  expect(outcomes.every((status) => status === "rendered")).toBe(true);
  expect(most).toBeGreaterThanOrEqual(settings.concurrentPages);
  // One extra context is allowed, because a context that is being closed may still be listed together with its
  // replacement.
  expect(most).toBeLessThanOrEqual(maxPages + 1);
  await watcher.disconnect();
  await pool.closeIfIdle(0);
});
