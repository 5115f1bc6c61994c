// Creates whose two pools fail, with the real D1, R2 and objects.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { requestServices } from "../../src/services/request-services.ts";
import { dispatchOverdue, inAllShards } from "../fixtures/databases.ts";
import { newTenant, type Tenant } from "../fixtures/tenant.ts";
import { faultSource, type FaultSource } from "./fault-injection.ts";
import { faultyPools, poolFaults } from "./faulty-pools.ts";
import { webhookUrl } from "./faulty-services.ts";
import { invariantProblems } from "./invariants.ts";
import { envelopeProblems, send } from "./requests.ts";

/** The monthly limit of the plan `pro`. */
const limit = 500;

/** Sends creates. Returns their responses, and the rows, files and broken invariants afterwards. */
async function creates(faults: FaultSource, count: number) {
  const tenant = await newTenant(env, { page: "<p>x</p>", fields: [], plan: "pro" });
  const renders = new Map<string, number>();
  const renderer = faultyPools({ faults, files: env.FILES, renders });
  const work: Promise<unknown>[] = [];
  const real = requestServices(env, () => {});
  const webhookUrls = { allowedOrigins: new Set([new URL(webhookUrl).origin]), ownHosts: new Set<string>() };
  const services = {
    ...real,
    settings: { ...real.settings, webhookUrls },
    renderer,
    log: () => {},
    background: (_what: string, task: Promise<unknown>) => void work.push(task),
  };
  const responses: Response[] = [];
  const create = async () => {
    const body = JSON.stringify({ templateId: tenant.templateId, data: {}, webhookUrl });
    responses.push(await send(services, tenant, { method: "POST", path: "/documents", body }));
  };
  for (let sent = 0; sent < count; sent += 4) await Promise.all(Array.from({ length: 4 }, create));
  await Promise.all(work);
  // Events whose queue message has not arrived yet are overdue in a minute.
  await dispatchOverdue(env, { now: () => Date.now() + 60_000 });
  const problems = await invariantProblems({
    ...{ tenant, limit, documentsByKey: new Map<string, Set<string>>() },
    fileKeys: new Set(renders.keys()),
  });
  for (const response of responses) problems.push(...(await envelopeProblems(response)));
  return { problems, responses, renders, rows: await rowsOf(tenant) };
}

async function rowsOf({ accountId }: Tenant): Promise<Record<string, number>> {
  const statement = "SELECT status, count(*) AS n FROM documents WHERE account_id = ? GROUP BY status";
  const rows = await inAllShards<{ status: string; n: number }>(env, statement, accountId);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

const names = Object.keys(poolFaults);

const withStatus = (responses: Response[], ...statuses: number[]) =>
  responses.filter(({ status }) => statuses.includes(status));

it.each([1, 2, 3])(
  "creates whose pools fail leave what they respond, and none renders three times (seed %i)",
  async (seed) => {
    const { problems, responses, renders, rows } = await creates(faultSource(seed, 1 / 3), 160);

    expect(problems).toEqual([]);
    expect([...renders.values()].filter((count) => count > 2)).toEqual([]);
    expect(withStatus(responses, 201).length).toBe(rows["completed"]);
    expect(withStatus(responses, 422, 502, 504).length).toBe(rows["failed"]);
    expect(withStatus(responses, 201, 422, 502, 503, 504)).toHaveLength(160);
  },
  60_000,
);

it.each([
  ["cannot be reached", "unreachable"],
  ["lose their responses", "lost"],
  ["have no capacity", "full"],
  ["have no browser", "noBrowser"],
] as const)("creates whose pools all %s get 503 with Retry-After, and leave nothing", async (_what, name) => {
  const faults = { random: () => 0, rate: 1, pick: <T>(options: readonly T[]) => options[names.indexOf(name)] as T };

  const { problems, responses, rows } = await creates(faults, 8);

  expect([problems, rows]).toEqual([[], {}]);
  expect(withStatus(responses, 503)).toHaveLength(8);
  for (const response of responses) expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
});
