// Kills creates and deletes at every step, drops the alarm that would settle them, and then runs one repair pass.
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Repair } from "../../../src/core/maintenance/repair.ts";
import { limit } from "../../faults/faulty-services.ts";
import { invariantProblems } from "../../faults/invariants.ts";
import { shardOf } from "../../fixtures/databases.ts";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, silenceObjects } from "../app.ts";
import { killedRequest, type Kill, type KilledRequest } from "./killed-requests.ts";
import { laterServices, loseAlarm, repairEverything, runPass } from "./passes.ts";

const never = 1_000_000;
const kills: Kill[] = ["crash", "crash-after"];

beforeEach(async () => {
  silenceObjects();
  await repairEverything();
});

it.for(kills)("a create that is killed at any step (%s) is repaired by one pass", async (kill) => {
  const steps = await eachStep(async (step) => {
    const tenant = await newTenant(env, { page: "<p>x</p>", fields: [] });
    return { tenant, request: await killedRequest({ step, kill }, tenant, ["POST", "/documents"]) };
  });

  expect(steps.flatMap(({ problems }) => problems)).toEqual([]);
  expect(kindsOf(steps)).toEqual(
    new Set(["expired_hold", "overdue_file_removal", "file_without_document", "missing_alarm", "undispatched_event"]),
  );
});

it.for(kills)("a private create that is killed at any step (%s) is repaired by one pass", async (kill) => {
  const steps = await eachStep(async (step) => {
    const tenant = await newTenant(env, { page: "<p>x</p>", fields: [] });
    const request = await killedRequest({ step, kill, access: "private" }, tenant, ["POST", "/documents"]);
    for (const key of request.fileKeys)
      expect([key.slice(0, 8), await env.FILES.head(key)]).toEqual(["private/", null]);
    return { tenant, request };
  });

  expect(steps.flatMap(({ problems }) => problems)).toEqual([]);
  expect(kindsOf(steps)).toContain("file_without_document");
});

it.for(kills)("a create whose render fails is repaired by one pass if it is killed at any step (%s)", async (kill) => {
  const outcome = { status: "impossible", message: "The table is too long." } as const;
  const steps = await eachStep(async (step) => {
    const tenant = await newTenant(env, { page: "<p>x</p>", fields: [] });
    return { tenant, request: await killedRequest({ step, kill, outcome }, tenant, ["POST", "/documents"]) };
  });

  expect(steps.flatMap(({ problems }) => problems)).toEqual([]);
  expect(kindsOf(steps)).toContain("expired_hold");
});

it.for(kills)("a delete that is killed at any step (%s) is repaired by one pass", async (kill) => {
  const steps = await eachStep(async (step) => {
    const tenant = await newTenant(env, { page: "<p>x</p>", fields: [] });
    const created = await killedRequest({ step: never, kill }, tenant, ["POST", "/documents"]);
    const { id } = await dataOf(created.response ?? new Response());
    const request = await killedRequest({ step, kill }, tenant, ["DELETE", `/documents/${id}`]);
    return { tenant, request: { ...request, fileKeys: created.fileKeys } };
  });

  expect(steps.flatMap(({ problems }) => problems)).toEqual([]);
  expect(kindsOf(steps)).toContain("overdue_file_removal");
});

type Step = { repairs: Repair[]; problems: string[] };

/** Runs the request with a kill at step 1, 2, 3 and so on, until it ends without being killed, and repairs after each run. */
async function eachStep(send: (step: number) => Promise<{ tenant: Tenant; request: KilledRequest }>): Promise<Step[]> {
  const steps: Step[] = [];
  for (let step = 1; ; step++) {
    const { tenant, request } = await send(step);
    const { repairs, problems } = await repairAndCheck(tenant, request.fileKeys);
    steps.push({ repairs, problems: problems.map((problem) => `killed at step ${step}: ${problem}`) });
    if (!request.wasKilled) break;
  }
  expect(steps.length).toBeGreaterThan(4);
  return steps;
}

async function repairAndCheck(tenant: Tenant, fileKeys: Set<string>): Promise<Step> {
  await loseAlarm(tenant);
  const pass = await runPass(laterServices());
  await eventsAreReported(tenant);
  const problems = await invariantProblems({ tenant, fileKeys, documentsByKey: new Map(), limit });
  const again = await runPass(laterServices());
  if (again.repairs.length > 0) problems.push(`left after the pass: ${JSON.stringify(again.repairs)}`);
  return { repairs: pass.repairs, problems };
}

/** Waits until the sender has reported on all events of the account. */
async function eventsAreReported({ accountId }: Tenant): Promise<void> {
  const select = "SELECT count(*) AS n FROM webhook_events WHERE account_id = ? AND dispatch_at IS NOT NULL";
  const waiting = async () =>
    (await (await shardOf(env, accountId)).prepare(select).bind(accountId).first<{ n: number }>())?.n;
  await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 15_000, interval: 20 });
}

function kindsOf(steps: Step[]): Set<string> {
  return new Set(steps.flatMap(({ repairs }) => repairs.map(({ kind }) => kind)));
}
