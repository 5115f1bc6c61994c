// A service whose browser is killed or stopped during renders.
import { afterAll, beforeAll, expect, it } from "vitest";
import { browsersBelow } from "./processes.ts";
import {
  createDocument,
  newAccount,
  pushSample,
  read,
  startService,
  type Account,
  type RunningService,
} from "./service.ts";

const budgetMs = 25_000;

let service: RunningService;
let account: Account;
let body: { templateId: string; data: object };

beforeAll(async () => {
  service = await startService({ DEMO: "0" });
  account = await newAccount(service, "enterprise");
  body = await pushSample(service, account, "templates/report");
}, 120_000);

afterAll(() => service.stop());

const browsers = () => browsersBelow(service.process.pid ?? 0);

async function create(): Promise<{ status: number; ms: number }> {
  const startedMs = Date.now();
  const response = await createDocument(service, account, body);
  await response.text();
  return { status: response.status, ms: Date.now() - startedMs };
}

it.each([
  ["killed during them", "SIGKILL", 150],
  ["stopped by SIGSTOP before them", "SIGSTOP", 0],
] as const)("all renders complete with a new browser when Chromium is %s", async (_when, signal, ms) => {
  await create();
  const [lost = 0] = browsers();

  const creates = ms === 0 ? [] : Array.from({ length: 8 }, create);
  await new Promise((resolve) => setTimeout(resolve, ms));
  process.kill(lost, signal);
  const responses = await Promise.all(ms === 0 ? Array.from({ length: 4 }, create) : creates);

  expect(responses.filter(({ status }) => status !== 201)).toEqual([]);
  expect(Math.max(...responses.map((response) => response.ms))).toBeLessThan(budgetMs);
  expect(await create()).toMatchObject({ status: 201 });
  const usage = () => read<{ used: number; reserved: number }>(service, account, "/usage");
  await expect.poll(async () => (await usage()).reserved, { timeout: 10_000 }).toBe(0);
  const path = "/documents?status=completed&limit=1";
  const { pagination } = await read<{ pagination: { total: number } }>(service, account, path);
  expect((await usage()).used).toBe(pagination.total);
  await expect.poll(browsers, { timeout: 30_000 }).toHaveLength(1);
  expect(browsers()).not.toContain(lost);
});
