import { expect, it } from "vitest";
import { RenderSpeed } from "../../../src/objects/rendering/render-speed.ts";

/** Renders four documents at once again and again, each in `renderMs`. Returns the time at the end. */
function render(speed: RenderSpeed, renderMs: number, { forMs, fromMs }: { forMs: number; fromMs: number }): number {
  let nowMs = fromMs;
  for (; nowMs < fromMs + forMs; nowMs += renderMs) {
    speed.observe(4, nowMs);
    speed.observe(0, nowMs + renderMs);
  }
  return nowMs;
}

it("assumes about 50 ms per render until renders have been measured", () => {
  const speed = new RenderSpeed(4);
  expect(speed.msPerRender(0)).toBe(47.5);

  speed.setInRuns(true, 0);

  expect(speed.msPerRender(0)).toBe(49.75);
});

it("measures renders in runs separately from others", () => {
  const speed = new RenderSpeed(4);
  let nowMs = render(speed, 800, { forMs: 20_000, fromMs: 0 });
  speed.setInRuns(true, nowMs);
  nowMs = render(speed, 400, { forMs: 20_000, fromMs: nowMs });

  const inRuns = speed.msPerRender(nowMs);
  speed.setInRuns(false, nowMs);
  const apart = speed.msPerRender(nowMs);

  expect(Math.round(inRuns / 10)).toBe(10);
  expect(Math.round(apart / 10)).toBe(20);
  speed.setInRuns(true, nowMs);
  expect(speed.msPerRender(nowMs)).toBe(inRuns);
});

it("assumes that runs are twice as fast as the renders before them, until ten seconds have been measured", () => {
  const speed = new RenderSpeed(4);
  const nowMs = render(speed, 800, { forMs: 20_000, fromMs: 0 });

  speed.setInRuns(true, nowMs);
  expect(Math.round(speed.msPerRender(nowMs) / 10)).toBe(10);
  const laterMs = render(speed, 2_000, { forMs: 2_000, fromMs: nowMs });

  // In the last ten seconds, 80 renders are assumed to have ended in 8 s, and four have ended in 2 s.
  expect(speed.msPerRender(laterMs)).toBeGreaterThan(110);
  expect(speed.msPerRender(laterMs)).toBeLessThan(125);
});

it("does not count the renders under way as ended when runs begin or end", () => {
  const speed = new RenderSpeed(4);
  const nowMs = render(speed, 800, { forMs: 20_000, fromMs: 0 });
  speed.observe(4, nowMs);
  const before = speed.msPerRender(nowMs);

  for (const areInRuns of [true, false, true, false]) {
    speed.setInRuns(areInRuns, nowMs);
    speed.observe(4, nowMs);
  }

  expect(speed.msPerRender(nowMs)).toBe(before);
});

it("does not count the time of runs as time of the renders before them", () => {
  const speed = new RenderSpeed(4);
  const nowMs = render(speed, 800, { forMs: 20_000, fromMs: 0 });
  speed.observe(4, nowMs);
  const before = speed.msPerRender(nowMs);

  speed.setInRuns(true, nowMs);
  const laterMs = render(speed, 400, { forMs: 20_000, fromMs: nowMs });
  speed.setInRuns(false, laterMs);

  expect(speed.msPerRender(laterMs)).toBe(before);
});
