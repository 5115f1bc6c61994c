import { afterAll, beforeAll, expect, it } from "vitest";
import { budgetMs, startLossyService, type LossyService } from "./browser-loss.ts";

let lossy: LossyService;

beforeAll(async () => {
  lossy = await startLossyService();
}, 120_000);

afterAll(() => lossy.service.stop());

it("renders with a new browser when Chromium is stopped by SIGSTOP, and ends the stopped browser", async () => {
  await lossy.create();
  const pid = await lossy.signalBrowser("SIGSTOP");

  const responses = await Promise.all(Array.from({ length: 4 }, lossy.create));

  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(budgetMs);
  await lossy.expectRecovery(pid);
});
