import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { costTable } from "../../../src/cli/costs/cost-table.ts";
import { monthlyCost, monthlyUsage, openSecondsPerPool, type Workload } from "../../../src/cli/costs/monthly-cost.ts";

const workload: Workload = { documents: 0, regions: 1, poolsPerRegion: 1, idleSeconds: 60, monthsKept: 3 };
const total = (changes: Partial<Workload>) => monthlyCost(monthlyUsage({ ...workload, ...changes })).totalUsd;

describe("a month", () => {
  it("without documents costs the plan and nothing more", () => {
    expect(total({})).toBe(5);
    expect(total({ regions: 4 })).toBe(5);
  });

  it("with a hundred documents fits into what the plan includes", () => {
    expect(monthlyUsage({ ...workload, documents: 100 }).browserHours).toBeCloseTo(2.5, 1);
    expect(total({ documents: 100 })).toBe(5);
  });

  it("with a browser that is always open costs 720 hours more than the included ten", () => {
    const usage = monthlyUsage({ ...workload, documents: 1_000_000 });

    expect(usage.browserHours).toBeCloseTo(730, 5);
    expect(monthlyCost(usage).byMeter.browserHours).toBeCloseTo(720 * 0.09, 5);
  });

  it("costs more in four regions, but at most four times as much", () => {
    for (const documents of [10_000, 100_000, 1_000_000]) {
      expect(total({ documents, regions: 4 })).toBeGreaterThan(total({ documents }));
      expect(total({ documents, regions: 4 })).toBeLessThan(4 * total({ documents }));
    }
  });

  it("charges for browsers above the ten that are included", () => {
    const usage = monthlyUsage({ ...workload, documents: 1_000_000, regions: 6, poolsPerRegion: 2 });

    expect(monthlyCost(usage).byMeter.concurrentBrowsers).toBe(4);
  });
});

describe("an open browser", () => {
  it("stays open for one and a half idle periods after a document that comes alone", () => {
    expect(openSecondsPerPool({ ...workload, documents: 1 })).toBeCloseTo(90.1, 1);
  });

  it("is never open for longer than the month", () => {
    expect(openSecondsPerPool({ ...workload, documents: 100_000_000 })).toBe(730 * 3600);
  });
});

describe("the table", () => {
  const table = costTable({ poolsPerRegion: 1, idleSeconds: 60, monthsKept: 3 });
  const rows = table.split("\n").filter((line) => /^\| \d/.test(line));

  it("has a row for each number of documents and regions, with the total in the last column", () => {
    expect(rows).toHaveLength(8);
    expect(rows[0]).toMatch(/^\| 0 \| 1 \| 0 \|.*\| 5\.00 \|$/);
  });

  it("marks the rows that do not fit into one database", () => {
    const marked = costTable({ poolsPerRegion: 1, idleSeconds: 60, monthsKept: 12 });

    expect(table).not.toContain("| 1,000,000 (1) |");
    expect(marked).toContain("| 1,000,000 (1) | 1 |");
  });

  it("is the one in the documentation", () => {
    const documentation = readFileSync("docs/operations.md", "utf8");

    expect(documentation).toContain(table);
  });

  it("names the date and the sources of the prices", () => {
    expect(table).toContain("prices of 22 November 2026");
    expect(table).toContain("https://developers.cloudflare.com/browser-run/pricing/");
  });
});
