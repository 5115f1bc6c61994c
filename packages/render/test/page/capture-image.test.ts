// Tests with a fake browser which parts of a page are captured, and which images are refused.
import { expect, it, vi } from "vitest";
import { customGeometry } from "colophon-page/page-geometry";
import { renderJob } from "colophon-test-kit/render-job";
import type { RenderJob } from "../../src/render-job.ts";
import { fakePage, preparation } from "./fake-page.ts";

const page = customGeometry(1_000, 500);
const [small, limit] = [1_000_000, 25_000_000];

/** Captures a page. The captured parts have these numbers of bytes. */
async function capture(job: Partial<RenderJob>, boxHeights: number[], bytes: number[]) {
  const sizes = bytes.values();
  const { open, memory, inputsOf, sent } = fakePage({
    preparePage: () => preparation({ boxHeights, warnings: ["w"] }),
    "Page.captureScreenshot": () => ({ data: Buffer.alloc(sizes.next().value ?? 0).toString("base64") }),
  });
  const outcome = await (await open()).render(renderJob({ format: "png", page, ...job }), null, memory);
  return { outcome, captures: inputsOf("Page.captureScreenshot"), isReleased: sent.at(-1)?.[0] === "memory.release" };
}

it("all pages are captured together, and the outcome describes the first page and the image", async () => {
  const { outcome, captures } = await capture({ format: "jpeg", imageQuality: 80 }, [300.4, 200.4], [7]);

  const clip = { x: 0, y: 0, width: 1_000, height: 501, scale: 1 };
  const command = { format: "jpeg", quality: 80, captureBeyondViewport: true, clip, optimizeForSpeed: false };
  expect(captures).toEqual([command]);
  const size = { pageCount: 2, width: 1_000, height: 300, imageSize: { width: 2_000, height: 1_002 } };
  expect(outcome).toEqual({ status: "rendered", bytes: Buffer.alloc(7), ...size, warnings: ["w"] });
});

it.each([
  ["captures a small image, and releases its memory", {}, 2_000, [small], ["0+2000"], "rendered, released"],
  ["keeps the memory of a larger image", {}, 2_000, [small + 1], ["0+2000"], "rendered"],
  ["captures strips first", {}, 2_100, [0, 0, limit, limit], ["0+1000", "1000+1000", "2000+100", "0+2100"], "rendered"],
  ["refuses strips that are too large", {}, 2_100, [limit, 1], ["0+1000", "1000+1000"], "impossible"],
  ["refuses an image that is too large", {}, 2_000, [limit + 1], ["0+2000"], "impossible"],
  ["leaves room for what a JPEG adds", { format: "jpeg" }, 4_000, [0.98 * limit], ["0+1000"], "impossible"],
  ["refuses an image without height", {}, 0, [], [], "impossible"],
] as const)("a page %s", async (_what, job, height, bytes, parts, end) => {
  const { outcome, captures, isReleased } = await capture(job, [height], [...bytes]);

  expect(
    captures.map(({ clip }) => clip as { y: number; height: number }).map((clip) => `${clip.y}+${clip.height}`),
  ).toEqual(parts);
  expect(`${outcome.status}${isReleased ? ", released" : ""}`).toBe(end);
});

it.each([
  ["gives up a plain image after five seconds if it can be retried", {}, {}, "page.silent"],
  ["waits for a plain image that is not retried", { mayRetry: false }, {}, "pending"],
  ["waits for a plain image that has too little time to be retried", { timeoutMs: 10_000 }, {}, "pending"],
  ["waits for a large image", {}, { boxHeights: [4_001] }, "pending"],
  ["waits for an image with expensive effects", {}, { effectMegapixels: 6 }, "pending"],
])("a page %s", async (_what, job, prepared, end) => {
  vi.useFakeTimers();
  const { open } = fakePage({
    preparePage: () => preparation({ boxHeights: [500], ...prepared }),
    "Page.captureScreenshot": () => new Promise(() => {}),
  });
  const warm = await open();
  const retried = { mayRetry: true, timeoutMs: 24_000, deviceScaleFactor: 1, ...job };

  const rendering = warm.render(renderJob({ format: "png", page, ...retried })).catch(({ code }) => code);
  await vi.advanceTimersByTimeAsync(5_000);

  expect(await Promise.race([rendering, Promise.resolve("pending")])).toBe(end);
  vi.useRealTimers();
});
