import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { browsersBelow } from "../../bench/processes.ts";
import { startService, type RunningService } from "./service.ts";

type Usage = { used: number; reserved: number };
type List = { pagination: { total: number } };

const budgetMs = 25_000;

let service: RunningService;
let headers: Record<string, string>;
let body: string;

beforeAll(async () => {
  service = await startService({ DEMO: "0" });
  const { account } = await service.cli<{ account: { id: string } }>(
    ...["account", "create", "--name", "N", "--plan", "enterprise"],
  );
  const { key } = await service.cli<{ key: string }>("key", "create", "--account", account.id);
  const { template } = await service.cli<{ template: { id: string } }>(
    ...["template", "push", "templates/report", "--account", account.id],
  );
  headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const { sampleData } = await read<{ sampleData: object }>(`/templates/${template.id}`);
  body = JSON.stringify({ templateId: template.id, data: sampleData });
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(service.stateDir, { recursive: true, force: true });
});

async function read<T>(path: string): Promise<T> {
  return ((await (await fetch(service.baseUrl + path, { headers })).json()) as { data: T }).data;
}

async function create(): Promise<{ status: number; ms: number }> {
  const startedMs = Date.now();
  const answer = await fetch(`${service.baseUrl}/documents`, { method: "POST", headers, body });
  await answer.text();
  return { status: answer.status, ms: Date.now() - startedMs };
}

const browsers = () => browsersBelow(service.process.pid ?? 0);

async function signalBrowser(signal: NodeJS.Signals): Promise<number> {
  const [pid] = await browsers();
  if (pid === undefined) throw new Error("no browser runs");
  process.kill(pid, signal);
  return pid;
}

/** Whatever happened: every place is settled, one browser is left, and the next create succeeds at its usual pace. */
async function expectRecovery(lost: number): Promise<void> {
  expect(await create()).toMatchObject({ status: 201 });
  await expect.poll(async () => (await read<Usage>("/usage")).reserved, { timeout: 10_000 }).toBe(0);
  const { pagination } = await read<List>("/documents?status=completed&limit=1");
  expect((await read<Usage>("/usage")).used).toBe(pagination.total);
  await expect.poll(browsers, { timeout: 30_000 }).toHaveLength(1);
  expect(await browsers()).not.toContain(lost);
}

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  it(`renders all that was under way when Chromium ends by ${signal}`, async () => {
    await create();

    const creates = Array.from({ length: 8 }, create);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const pid = await signalBrowser(signal);
    const answers = await Promise.all(creates);

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(budgetMs);
    await expectRecovery(pid);
  });
}

it("finds out that Chromium was stopped, renders with another, and ends the stopped one", async () => {
  await create();
  const pid = await signalBrowser("SIGSTOP");

  const answers = await Promise.all(Array.from({ length: 4 }, create));

  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(budgetMs);
  await expectRecovery(pid);
});
