import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getPlatformProxy } from "wrangler";
import { createDocument, newAccount, pushSample, read, startService, type RunningService } from "./service.ts";

type Usage = { used: number; reserved: number };
type List = { documents: { status: string; pdfUrl: string | null }[]; pagination: { total: number } };

const shortLease = { LEASE_SECONDS: "5", RENDER_BUDGET_MS: "4000", DEMO: "0" };

let service: RunningService;
let stateDir: string;

beforeAll(async () => {
  service = await startService(shortLease);
  stateDir = service.stateDir;
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(stateDir, { recursive: true, force: true });
});

/** Returns the keys of all files, read directly from the bucket's storage while the service runs. */
async function storedFiles(): Promise<string[]> {
  const configPath = join(stateDir, "files-only.json");
  const bucket = { binding: "FILES", bucket_name: "colophon-files" };
  await writeFile(
    configPath,
    JSON.stringify({ name: "files-only", compatibility_date: "2026-11-01", r2_buckets: [bucket] }),
  );
  const proxy = await getPlatformProxy<{ FILES: R2Bucket }>({ configPath, persist: { path: join(stateDir, "v3") } });
  const keys = (await proxy.env.FILES.list()).objects.map(({ key }) => key);
  await proxy.dispose();
  return keys;
}

it("settles every hold when the service is killed during fifty renders and then restarted", async () => {
  const account = await newAccount(service, "enterprise");
  const body = await pushSample(service, account, "templates/shipping-label");
  const create = () => createDocument(service, account, body);
  await (await create()).text();

  const creates = Array.from({ length: 50 }, () => create().catch(() => null));
  await expect
    .poll(async () => (await read<Usage>(service, account, "/usage")).used, { timeout: 20_000, interval: 20 })
    .toBeGreaterThan(5);
  await service.killHard();
  await Promise.all(creates);
  service = await startService(shortLease, stateDir);

  await expect.poll(async () => (await read<Usage>(service, account, "/usage")).reserved, { timeout: 65_000 }).toBe(0);
  const { used } = await read<Usage>(service, account, "/usage");
  const { documents } = await read<List>(service, account, "/documents?limit=100");
  const completed = documents.filter(({ status }) => status === "completed");
  expect(used).toBe(completed.length);
  expect(used).toBeLessThan(51);
  expect((await storedFiles()).toSorted()).toEqual(completed.map(({ pdfUrl }) => pdfUrl?.split("/").at(-1)).toSorted());
});
