// Defines the test that runs seeds.
import { expect, it } from "vitest";
import { runSeed } from "./fault-run.ts";
import { withoutThreads } from "./without-threads.ts";

export function testSeeds(count: number): void {
  withoutThreads();

  it(`each item ends once and counts once in ${count} runs with faults`, { timeout: 180_000 }, async () => {
    const problems: string[] = [];
    for (let seed = 1; seed <= count; seed++) problems.push(...(await runSeed(seed)));

    expect(problems).toEqual([]);
  });
}
