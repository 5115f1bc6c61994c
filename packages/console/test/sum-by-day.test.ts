import { expect, it } from "vitest";
import { sumByDay } from "../src/parts/sum-by-day.ts";

it("sumByDay adds up the renders of all templates on a day, and includes days without renders", () => {
  const from = Date.parse("2026-11-29T00:00Z");
  const usage = [
    { day: "2026-12-01", templateId: "a", completed: 3, failed: 1 },
    { day: "2026-12-01", templateId: "b", completed: 4, failed: 0 },
    { day: "2026-11-29", templateId: "a", completed: 0, failed: 2 },
  ];

  expect(sumByDay(usage, from, Date.parse("2026-12-01T09:00Z"))).toEqual([
    { day: "2026-11-29", completed: 0, failed: 2 },
    { day: "2026-11-30", completed: 0, failed: 0 },
    { day: "2026-12-01", completed: 7, failed: 1 },
  ]);
});
