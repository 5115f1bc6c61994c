import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { noisePng } from "colophon-test-kit/photo";
import { job, testPool } from "../fixtures/pool.ts";

const noise = (width: number, height: number) =>
  `<svg width="${width}" height="${height}" style="display:block"><filter id="f" x="0" y="0" width="1" height="1"><feTurbulence baseFrequency=".9"/></filter><rect width="${width}" height="${height}" filter="url(#f)"/></svg>`;

/**
 * A box of noise that no format can compress well. An image is repeated, but at a distance at which no format finds the
 * repetition.
 */
async function noiseBox(width: number, height: number): Promise<string> {
  const png = Buffer.from(await noisePng(width, 350)).toString("base64");
  return `<div style="width:${width}px;height:${height}px;background:url(data:image/png;base64,${png})"></div>`;
}

it("a PNG whose file is too large is rejected, and the session remains usable", async () => {
  const pool = testPool(env.BROWSER);
  const page = { ...job("").page, width: 5000, height: 5000, cssWidth: "5000px", cssHeight: "5000px" };

  const outcome = await pool.render(job(await noiseBox(5000, 5000), { format: "png", page, timeoutMs: 24_000 }));

  // The page is captured in strips, because a single message with the complete image would break the connection.
  expect(outcome).toMatchObject({ status: "impossible", message: expect.stringMatching(/25 MB/) as string });
  expect(pool.files.size).toBe(0);
  expect(await pool.render(job("<p>x</p>"))).toMatchObject({ status: "rendered" });
  expect(pool.logged).toEqual([]);
  await pool.closeIfIdle(0);
});

it("a PDF whose file is too large is rejected, and the session remains usable", async () => {
  const pool = testPool(env.BROWSER);

  const outcome = await pool.render(job(noise(700, 1000).repeat(8)));

  expect(outcome).toMatchObject({ status: "impossible", message: expect.stringMatching(/25 MB/) as string });
  expect(pool.logged).toEqual([]);
  await pool.closeIfIdle(0);
});
