import { afterAll, beforeAll, expect, it } from "vitest";
import { budgetMs, startLossyService, type LossyService } from "./browser-loss.ts";

let lossy: LossyService;

beforeAll(async () => {
  lossy = await startLossyService();
}, 120_000);

afterAll(() => lossy.service.stop());

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  it(`completes all renders in flight when Chromium is terminated by ${signal}`, async () => {
    await lossy.create();

    const creates = Array.from({ length: 8 }, lossy.create);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const pid = await lossy.signalBrowser(signal);
    const responses = await Promise.all(creates);

    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(budgetMs);
    await lossy.expectRecovery(pid);
  });
}
