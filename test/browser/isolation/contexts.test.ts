import { connect } from "@cloudflare/puppeteer";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { paperGeometry } from "../../../src/core/rendering/page-geometry.ts";
import { browserPool } from "../../../src/objects/rendering/pool.ts";
import type { RenderJob } from "../../../src/core/rendering/render-job.ts";

const maxPages = 5;

const jobOf = (accountId: string): RenderJob => ({
  accountId,
  html: "<!doctype html><html><head></head><body><section class='page'>x</section></body></html>",
  headChars: 0,
  markupChars: 100,
  format: "pdf",
  page: paperGeometry("A4", "portrait"),
  margin: { top: 48, right: 48, bottom: 48, left: 48 },
  deviceScaleFactor: 2,
  fileKey: `${accountId}.pdf`,
  metadata: { createdAt: 0, language: "en-US" },
  timeoutMs: 20_000,
});

it("never has more contexts than the cap, however many accounts come at once", async () => {
  let sessionId = "";
  const pool = browserPool({
    browser: env.BROWSER,
    memory: { load: async () => undefined, save: async (id) => void (sessionId = id ?? sessionId) },
    store: async (_job, _bytes, metadata) => metadata,
    settings: { concurrentPages: 4, maxPages, queueLength: 64, maxRendersPerSession: 1_000 },
    log: () => {},
  });
  await pool.render(jobOf("first"), true);
  const watcher = await connect(env.BROWSER, sessionId);
  const cdp = await watcher.target().createCDPSession();
  let most = 0;
  const watch = async () => {
    const { browserContextIds } = await cdp.send("Target.getBrowserContexts");
    most = Math.max(most, browserContextIds.length);
  };

  const outcomes = await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const outcome = await pool.render(jobOf(`account-${n}`), true);
      await watch();
      return outcome.status;
    }),
  );

  expect(outcomes.every((status) => status === "rendered")).toBe(true);
  // One that is closing may still be seen beside the one that takes its place.
  expect(most).toBeLessThanOrEqual(maxPages + 1);
  await watcher.disconnect();
  await pool.closeIfIdle(0);
});
