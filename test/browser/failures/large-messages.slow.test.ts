import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { times, words } from "../fixtures/bombs/markup.ts";
import { job, testPool } from "../fixtures/pool.ts";

/** A document of 10 kB whose PDF has more than 25 MB, because a box of words is drawn on each of 499 pages. */
const markup = `<div style="position:fixed;top:0;font-size:6px">${words(560)}</div>${times(499, `<p style="break-after:page">x</p>`)}`;

it("refuses a PDF that would break the connection as one message, while other accounts go on rendering", async () => {
  const pool = testPool(env.BROWSER);
  await pool.render(job("<p>x</p>"));
  const neighbourId = crypto.randomUUID();
  const startedMs = Date.now();
  let tookMs = Number.POSITIVE_INFINITY;
  const outcome = pool.render(job(markup, { timeoutMs: 50_000 })).finally(() => (tookMs = Date.now() - startedMs));
  let slowestMs = 0;

  while (tookMs === Number.POSITIVE_INFINITY) {
    const neighbourStartedMs = Date.now();
    expect(await pool.render(job("<p>x</p>", { accountId: neighbourId }))).toMatchObject({ status: "rendered" });
    slowestMs = Math.max(slowestMs, Date.now() - neighbourStartedMs);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  console.log(`the slowest render of a neighbour: ${slowestMs} ms`);
  expect(await outcome).toEqual({ status: "impossible", message: expect.stringMatching(/25 MB/) as string });
  expect(pool.logged.filter(({ event }) => event === "render.failed")).toEqual([]);
  await pool.closeIfIdle(0);
});
