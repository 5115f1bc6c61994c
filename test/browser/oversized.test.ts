import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { job, testPool } from "./pool.ts";

const noise = (width: number, height: number) =>
  `<svg width="${width}" height="${height}" style="display:block"><filter id="f" x="0" y="0" width="1" height="1"><feTurbulence baseFrequency=".9"/></filter><rect width="${width}" height="${height}" filter="url(#f)"/></svg>`;

it("ends in time when an image is too large for the connection, and renders again", async () => {
  const pool = testPool(env.BROWSER);
  const page = { ...job("").page, width: 4000, height: 4000, cssWidth: "4000px", cssHeight: "4000px" };
  const startedMs = Date.now();

  const outcome = await pool.render(job(noise(4000, 4000), { format: "png", page }));

  // A screenshot cannot come as a stream: its message is lost, and with it the connection.
  expect(["crashed", "impossible"]).toContain(outcome.status);
  expect(Date.now() - startedMs).toBeLessThan(12_000);
  expect(pool.files.size).toBe(0);
  expect(await pool.render(job("<p>x</p>"))).toMatchObject({ status: "rendered" });
  await pool.closeIfIdle(0);
});

it("refuses a document whose file is too large, and keeps its browser", async () => {
  const pool = testPool(env.BROWSER);

  const outcome = await pool.render(job(noise(700, 1000).repeat(8)));

  expect(outcome).toMatchObject({ status: "impossible", message: expect.stringMatching(/25 MB/) as string });
  expect(pool.logged).toEqual([]);
  await pool.closeIfIdle(0);
});
