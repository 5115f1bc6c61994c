// A batch whose service loses the runtime or the browser repeatedly. `npm run test:long` uses 2,000 items.
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killBelow } from "./processes.ts";
import { newAccount, pushSample, read, startService, type Account, type RunningService } from "./service.ts";

const total = Number(process.env["BATCH_ITEMS"] ?? 160);
const kills = Number(process.env["KILLS"] ?? 3);
const failing = 20;
const everyMs = 5_000;
const victims = [["workerd serve"], ["chromium --font"], ["workerd serve", "chromium --font"]];

type Batch = { id: string; status: string; counts: Record<string, number> };

let service: RunningService;
let account: Account;
let templateId: string;
let folder: string;

beforeAll(async () => {
  service = await startService({ RATE_LIMITS: "off" }, undefined, "serve");
  account = await newAccount(service, "enterprise");
  await service.cli("plan", "set", "--plan", "enterprise", "--monthly-renders", "1000000");
  folder = await mkdtemp(join(tmpdir(), "colophon-test-"));
  await cp("bench/one-line", folder, { recursive: true });
  // Its data decides whether the template can be rendered.
  await writeFile(join(folder, "pages/1.liquid"), "<p>{{ name }} {{ 100 | divided_by: divisor }}</p>");
  const fields = ["name", "divisor"].map((key) => ({ key, label: key, type: key === "name" ? "string" : "number" }));
  await writeFile(join(folder, "template.json"), JSON.stringify({ title: "Division", pageSize: "A4", fields }));
  await writeFile(join(folder, "sample.json"), JSON.stringify({ name: "n", divisor: 1 }));
  ({ templateId } = await pushSample(service, account, folder));
}, 120_000);

afterAll(async () => {
  await service.stop();
  for (const path of [service.stateDir, folder]) await rm(path, { recursive: true, force: true });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it("each item ends once and is counted exactly when the runtime and the browser are killed", async () => {
  const items = Array.from({ length: total }, (_, index) => {
    const divisor = index % Math.floor(total / failing) === 3 ? 0 : 1;
    return JSON.stringify({ customId: `c-${index}`, data: { name: `n${index}`, divisor } });
  });
  const body = `${[JSON.stringify({ templateId }), ...items].join("\n")}\n`;
  const headers = { Authorization: `Bearer ${account.key}`, "Content-Type": "application/x-ndjson" };
  const response = await fetch(`${service.baseUrl}/batches`, { method: "POST", headers, body });
  const { id } = ((await response.json()) as { data: Batch }).data;

  const batch = () => read<Batch>(service, account, `/batches/${id}`).catch(() => null);
  for (let kill = 0; kill < kills && (await batch())?.status !== "ended"; kill++) {
    await pause(everyMs);
    for (const victim of victims[kill % victims.length] ?? []) killBelow(service.process.pid ?? 0, victim);
  }

  await expect.poll(async () => (await batch())?.status, { timeout: 600_000, interval: 500 }).toBe("ended");
  const { counts } = (await batch()) ?? { counts: {} };
  expect(counts).toEqual({ total, processing: 0, completed: total - failing, failed: failing, canceled: 0 });
  await expect
    .poll(() => read(service, account, "/usage"), { timeout: 20_000 })
    .toMatchObject({ used: total - failing, reserved: 0 });
  const results = await fetch(`${service.baseUrl}/batches/${id}/results`, { headers }).then((found) => found.text());
  const lines = results
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { index: number; fileUrl: string | null });
  expect(lines.map(({ index }) => index)).toEqual(items.map((_, index) => index));
  const files = lines.flatMap(({ fileUrl }) => fileUrl ?? []);
  expect(new Set(files).size).toBe(total - failing);
  for (const url of files) expect((await fetch(service.origin + new URL(url).pathname)).status).toBe(200);
}, 1_200_000);
