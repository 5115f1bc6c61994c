// The console of an account with 100,000 documents. It asserts that every page is there within a generous time, and prints the times.
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBare } from "../../bench/harness/bare.ts";
import {
  failedDocument,
  importDocuments,
  letterFiles,
  newOwner,
  startConsoleService,
  zipOf,
  type ConsoleService,
  type Owner,
} from "./console-accounts.ts";
import { openConsole } from "./console-reader.ts";

const documents = 100_000;
const rowsPerRequest = 200;
const requestsAtOnce = 4;
const days = 31;
const dayMs = 24 * 3_600_000;

let running: ConsoleService;
let browser: Browser;
let owner: Owner;
let templateId: string;

beforeAll(async () => {
  [running, browser] = await Promise.all([startConsoleService(), launchBare()]);
  owner = await newOwner(running, "Many");
  const pushed = await owner.call<{ template: { id: string } }>(
    "PUT",
    "/manage/v1/templates/letter",
    zipOf(letterFiles()),
  );
  templateId = pushed.template.id;
  const parts = Array.from({ length: documents / rowsPerRequest }, (_, part) => part);
  await Promise.all(Array.from({ length: requestsAtOnce }, () => importParts(parts)));
}, 1_200_000);

afterAll(() => Promise.all([running.stop(), browser.close()]));

/** Imports parts until none are left. */
async function importParts(parts: number[]): Promise<void> {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const first = part * rowsPerRequest;
    const rows = Array.from({ length: rowsPerRequest }, (_, index) => documentAt(first + index));
    await importDocuments(running, owner.id, rows);
  }
}

/** One of ten documents has failed. The others are completed, although their files are missing. The first one is the newest. */
function documentAt(index: number): object {
  const createdAt = Date.now() - Math.round((index / documents) * days * dayMs);
  return failedDocument({
    ...{ accountId: owner.id, templateId, createdAt, month: new Date(createdAt).toISOString().slice(0, 7) },
    ...{ metadata: JSON.stringify({ order: String(index) }), format: index % 50 === 1 ? "png" : "pdf" },
    ...(index % 10 !== 0 && {
      ...{ status: "completed", completedAt: createdAt, error: null },
      ...{ pageCount: 1, fileSize: 10_000, sha256: "0".repeat(64) },
    }),
  });
}

describe("the console of an account with 100,000 documents", () => {
  it("paints at once, and shows every page", async () => {
    const reader = await openConsole(browser, running.service.origin, owner.key);
    const painted = await reader.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
    const times: Record<string, number> = { "first contentful paint": Math.round(Number(painted)) };
    const places = [
      ...[
        "/overview",
        "/documents",
        "/documents?status=failed",
        "/documents?format=png",
        "/documents?status=processing",
      ],
      ...[`/documents?templateId=${templateId}`, "/documents?metadata[order]=500", "/documents?metadata[order]=99999"],
      ...["/templates", "/templates/letter/usage", "/webhooks", "/batches", "/keys", "/events"],
    ];

    for (const place of places) times[place] = await timeOf(() => reader.show(place));
    await reader.show("/documents");
    for (const page of [2, 3, 4]) times[`page ${page} of documents`] = await timeOf(() => reader.press("Next page"));
    const text = await reader.text();

    console.log(
      Object.entries(times)
        .map(([what, ms]) => `${String(ms).padStart(6)} ms  ${what}`)
        .join("\n"),
    );
    expect(text).toContain("Total: 100,000");
    expect(reader.problems).toEqual([]);
    expect(times["first contentful paint"]).toBeLessThan(5_000);
    expect(Math.max(...Object.values(times))).toBeLessThan(20_000);
  });

  it("is there for the operator too", async () => {
    const reader = await openConsole(browser, running.service.origin, running.operatorKey);

    const accounts = await timeOf(() => reader.show("/accounts"));
    const overview = await timeOf(() => reader.show(`/accounts/${owner.id}`));

    console.log(`${accounts} ms  the operator's accounts\n${overview} ms  the account's overview`);
    expect(await reader.text()).toContain("Last failures");
    expect(reader.problems).toEqual([]);
  });
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round(performance.now() - startedAt);
}
