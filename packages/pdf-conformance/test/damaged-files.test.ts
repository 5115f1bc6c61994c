// Damaged files must be refused with a reason, or conform; `npm run test:conformance -- --damaged 10000` asks veraPDF about the latter.
import { expect, it } from "vitest";
import { runDamaged } from "./damage/run-damaged.ts";
import { taggedPrint } from "./damage/tagged-print.ts";

const count = Number(process.env["DAMAGED_FILES"] ?? 400);

it(
  "damaged prints and damaged files are validated or refused in bounded time and memory",
  { timeout: 600_000 },
  async () => {
    const results = await runDamaged({ prints: [taggedPrint], from: 0, to: count });

    expect(results.filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(results.length).toBe(count);
    expect(results.filter(({ accepted }) => accepted).length).toBeGreaterThan(count / 20);
  },
);
