import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { DocumentFormat } from "colophon-page/document-format";
import { bombs } from "../fixtures/bombs.ts";
import { faultyBrowser } from "../fixtures/faulty-browser.ts";
import { job, runningSessions, testPool } from "../fixtures/pool.ts";

const timeoutMs = 1_000;
const graceMs = 2_000;
/** Matches the bombs that are expensive to paint. They are rendered as PNGs, because a PDF only records what to paint. */
const painted = /backdrop|filters on|layers|turbulence|by the billion|patterns|zoomed/;

const browser = faultyBrowser(env.BROWSER);
const pool = testPool(browser);
const neighbourId = crypto.randomUUID();

/** Renders a document of a different account, and asserts that the render succeeds. */
async function neighbour(): Promise<void> {
  const outcome = await pool.render(job("<h1>A neighbour's page</h1>".repeat(30), { accountId: neighbourId }));
  expect(outcome, JSON.stringify(pool.logged)).toMatchObject({ status: "rendered", pageCount: 2 });
  await new Promise((resolve) => setTimeout(resolve, 10));
}

for (const [name, markup] of Object.entries(bombs)) {
  const format: DocumentFormat = painted.test(name) ? "png" : "pdf";
  it(`keeps the bomb "${name}" (${format}) within its time limit while the renders of a different account succeed`, async () => {
    const startedMs = Date.now();
    let tookMs = Number.POSITIVE_INFINITY;
    const bombOutcome = pool
      .render(job(markup, { format, timeoutMs }))
      .finally(() => (tookMs = Date.now() - startedMs));

    while (tookMs === Number.POSITIVE_INFINITY) await neighbour();

    expect(["rendered", "impossible", "crashed", "timed_out"]).toContain((await bombOutcome).status);
    expect(tookMs).toBeLessThan(timeoutMs + graceMs);
  });
}

it("the session of each bomb that exceeds its deadline is closed", async () => {
  const timeouts = pool.logged.filter(({ reason }) => String(reason).startsWith("timeout: the render"));

  expect(timeouts.length).toBeGreaterThan(5);
  // Only this pool's sessions count, because other tests may also have open sessions.
  const ours = async () => (await runningSessions()).filter((id) => browser.acquired.includes(id));
  await expect.poll(ours, { timeout: 10_000 }).toEqual(browser.acquired.slice(-1));
  // This polls, because the pool does not close while it opens the next session.
  await expect.poll(() => pool.closeIfIdle(0), { timeout: 10_000 }).toBe(true);
  await expect.poll(ours, { timeout: 10_000 }).toEqual([]);
});
