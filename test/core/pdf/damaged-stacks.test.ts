// A small part of damaged-stacks.long.test.ts, with a file that is written by hand.
import { expect, it } from "vitest";
import { tryDamagedStack, type Outcome } from "./damaged-stacks.ts";
import { chromiumPdf, stacked, stackPdf } from "./inputs.ts";

it("refuses a damaged stack of sheets, or makes a valid file of it", () => {
  const stacks = [{ bytes: stackPdf(), places: stacked }];
  const counts: Record<Outcome["status"], number> = { assembled: 0, inseparable: 0, refused: 0 };

  for (let seed = 0; seed < 300; seed++) counts[tryDamagedStack(stacks, chromiumPdf(), seed).status]++;

  expect(Math.min(...Object.values(counts))).toBeGreaterThan(20);
});
