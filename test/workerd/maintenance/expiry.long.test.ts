// How fast the scheduled run removes expired documents on real D1, R2 and objects.
import { env } from "cloudflare:workers";
import pMap from "p-map";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import type { MaintenanceServices } from "../../../src/ports/services.ts";
import { maintenanceServices } from "../../../src/services/maintenance-services.ts";
import { silenceObjects } from "../app.ts";
import { repairEverything } from "./passes.ts";

const dayMs = 86_400_000;

beforeAll(repairEverything);
beforeEach(silenceObjects);

type Run = { removed: number; ms: number };

/** Does one scheduled run, without the daily pass. */
async function run(): Promise<Run> {
  const services = maintenanceServices(env);
  const idle = { position: null, finishedAt: Date.now() + dayMs };
  const read: MaintenanceServices["passes"]["read"] = (name) =>
    name === "scheduled" ? Promise.resolve(idle) : services.passes.read(name);
  let removed = 0;
  const log: MaintenanceServices["log"] = (level, { event, count }) => {
    if (level === "error") throw new Error(event);
    if (event === "retention.removed") removed = Number(count);
  };
  const beganMs = Date.now();
  await runMaintenance({ ...services, passes: { ...services.passes, read }, log });
  return { removed, ms: Date.now() - beganMs };
}

const rowsPerStatement = 10_000;

/** Inserts expired documents, each for the next of these accounts, or for its own account if there are none. */
async function insertExpired(count: number, accounts: string[], expiresAt: number, keptMs = 2 * dayMs): Promise<void> {
  for (let from = 0; from < count; from += rowsPerStatement) {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
       INSERT INTO documents (id, account_id, template_id, template_version, status, format, width, device_scale_factor, file_key,
         month, created_at, completed_at, expires_at)
       SELECT lower(hex(randomblob(16))), coalesce(?3 ->> CAST(i % ?4 AS INTEGER), lower(hex(randomblob(16)))), 't', 1, 'completed', 'pdf', 794, 2,
         lower(hex(randomblob(16))) || '.pdf', '2026-11', ?5 - ?6, ?5 - ?6, ?5 FROM n`,
    )
      .bind(
        from,
        Math.min(count, from + rowsPerStatement),
        JSON.stringify(accounts),
        accounts.length,
        expiresAt,
        keptMs,
      )
      .run();
  }
}

/** Puts files for that many documents, which are a sample of all accounts, because ids are random. Returns their keys. */
async function putFiles(count: number): Promise<string[]> {
  const select = env.DB.prepare("SELECT file_key AS key FROM documents ORDER BY id LIMIT ?").bind(count);
  const { results } = await select.all<{ key: string }>();
  const keys = results.map(({ key }) => key);
  await pMap(keys, (key) => env.FILES.put(key, new Uint8Array(1_000)), { concurrency: 20 });
  return keys;
}

async function countOf(accountId: string): Promise<number> {
  const select = env.DB.prepare("SELECT count(*) AS n FROM documents WHERE account_id = ?").bind(accountId);
  return (await select.first<{ n: number }>())?.n ?? NaN;
}

async function countAll(): Promise<number> {
  return (await env.DB.prepare("SELECT count(*) AS n FROM documents").first<{ n: number }>())?.n ?? NaN;
}

it("200,000 expired documents are removed, at least 200 a second, and none of 20,400 accounts waits for the largest", async () => {
  const large = crypto.randomUUID();
  const others = Array.from({ length: 400 }, () => crypto.randomUUID());
  await insertExpired(150_000, [large], Date.now() - 2 * dayMs);
  await insertExpired(30_000, others, Date.now() - dayMs);
  await insertExpired(20_000, [], Date.now() - dayMs, 60_000);
  const keys = await putFiles(5_000);

  const runs: (Run & { left: number; leftOfOthers: number })[] = [];
  for (let left = Infinity; left > 0;) {
    const done = await run();
    left = await countAll();
    runs.push({ ...done, left, leftOfOthers: left - (await countOf(large)) });
    console.log(JSON.stringify(runs.at(-1)));
  }

  expect(runs.reduce((sum, { removed }) => sum + removed, 0)).toBe(200_000);
  for (const { removed, ms, left } of runs) {
    expect(ms).toBeLessThan(60_000);
    if (left > 0) expect(removed / 60).toBeGreaterThan(200);
  }
  expect(runs.findIndex(({ leftOfOthers }) => leftOfOthers === 0)).toBeLessThan(2);
  expect((await pMap(keys, (key) => env.FILES.head(key), { concurrency: 20 })).filter(Boolean)).toEqual([]);
}, 1_200_000);
