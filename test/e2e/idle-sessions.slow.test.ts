import { afterAll, beforeAll, expect, it } from "vitest";
import { browsersBelow, residentMb } from "./processes.ts";
import { createDocument, newAccount, pushSample, startService, type Account, type RunningService } from "./service.ts";

let service: RunningService;
let account: Account;
let body: Record<string, unknown>;

beforeAll(async () => {
  service = await startService({ DEMO: "0", SESSION_IDLE_MS: "1500" });
  account = await newAccount(service, "enterprise");
  body = await pushSample(service, account, "templates/invoice");
}, 120_000);

afterAll(() => service.stop());

const servicePid = () => service.process.pid ?? 0;

async function renderAndBecomeIdle(): Promise<void> {
  const response = createDocument(service, account, body);
  await expect.poll(() => browsersBelow(servicePid()), { timeout: 30_000, interval: 50 }).toHaveLength(1);
  expect((await response).status).toBe(201);
  await (await response).text();
  // Nothing connects to the browser: the `connect` of Puppeteer never settles if the browser exits while it attaches to tabs.
  await expect.poll(() => residentMb(servicePid(), "chromium"), { timeout: 30_000, interval: 250 }).toBe(0);
}

it("sessions that become idle again and again leave no Chromium process and no memory behind", async () => {
  await renderAndBecomeIdle();
  const memoryMb = [residentMb(servicePid(), "workerd")];

  for (let i = 0; i < 5; i++) {
    await renderAndBecomeIdle();
    memoryMb.push(residentMb(servicePid(), "workerd"));
  }

  console.log(`workerd after each idle close: ${memoryMb.map(Math.round).join(", ")} MB`);
  expect(memoryMb.at(-1)).toBeLessThan((memoryMb[0] ?? 0) + 50);
});
