import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { runSeed } from "./seed-run.ts";

const first = Number(env.FAULT_SEED ?? 1);
const seeds = Number(env.FAULT_SEEDS ?? 4);

// `npm run test:faults -- --seed N` runs only the seed N.
for (let seed = first; seed < first + seeds; seed++) {
  it(`all invariants hold after two hundred operations with injected faults (seed ${seed})`, async () => {
    const { problems, completed } = await runSeed(seed, 200);

    expect(problems).toEqual([]);
    expect(completed).toBeGreaterThan(0);
  }, 120_000);
}
