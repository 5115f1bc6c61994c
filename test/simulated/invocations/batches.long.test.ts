// The largest batch in docs/limits.md, with merged output, whose alarms are killed repeatedly.
import { afterAll, expect, it, vi } from "vitest";
import { withoutThreads } from "../../objects/batches/without-threads.ts";
import { killedRun } from "./merged-runs.ts";

vi.mock("cloudflare:workers", () => import("../../fakes/cloudflare-workers.ts"));

withoutThreads();
afterAll(() => vi.unstubAllGlobals());

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

it.each(seeds)("10,000 items end with their merged files (seed %i)", { timeout: 600_000 }, async (seed) => {
  expect(await killedRun({ seed, count: 10_000, pageCount: 1 })).toEqual([]);
});
