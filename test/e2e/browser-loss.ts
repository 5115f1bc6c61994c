// Starts a service for tests that kill or stop the service's browser during renders.
import { expect } from "vitest";
import { browsersBelow } from "../../bench/harness/processes.ts";
import { createDocument, newAccount, pushSample, read, startService, type RunningService } from "./service.ts";

type Usage = { used: number; reserved: number };
type List = { pagination: { total: number } };

export const budgetMs = 25_000;

export type LossyService = {
  service: RunningService;
  create(): Promise<{ status: number; ms: number }>;
  /** Sends the signal to the browser's process, and returns the process id. */
  signalBrowser(signal: NodeJS.Signals): Promise<number>;
  /**
   * Asserts that the next create succeeds and that every hold is settled. Then asserts that exactly one browser runs,
   * and that its process id is not `lost`.
   */
  expectRecovery(lost: number): Promise<void>;
};

export async function startLossyService(): Promise<LossyService> {
  const service = await startService({ DEMO: "0" });
  const account = await newAccount(service, "enterprise");
  const body = await pushSample(service, account, "templates/report");
  const browsers = () => browsersBelow(service.process.pid ?? 0);
  const create = async () => {
    const startedMs = Date.now();
    const response = await createDocument(service, account, body);
    await response.text();
    return { status: response.status, ms: Date.now() - startedMs };
  };
  return {
    service,
    create,
    async signalBrowser(signal) {
      const [pid] = await browsers();
      if (pid === undefined) throw new Error("no browser runs");
      process.kill(pid, signal);
      return pid;
    },
    async expectRecovery(lost) {
      expect(await create()).toMatchObject({ status: 201 });
      const usage = () => read<Usage>(service, account, "/usage");
      await expect.poll(async () => (await usage()).reserved, { timeout: 10_000 }).toBe(0);
      const { pagination } = await read<List>(service, account, "/documents?status=completed&limit=1");
      expect((await usage()).used).toBe(pagination.total);
      await expect.poll(browsers, { timeout: 30_000 }).toHaveLength(1);
      expect(await browsers()).not.toContain(lost);
    },
  };
}
