import { afterAll, beforeAll, expect, it } from "vitest";
import { createDocument, newAccount, pushSample, startService, type RunningService } from "./service.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService({ DEMO: "0" });
}, 120_000);

afterAll(() => service.stop());

it("completes exactly 50 of 200 parallel creates on the free plan, with the real browser", async () => {
  const account = await newAccount(service, "free");
  const body = await pushSample(service, account, "templates/shipping-label");
  const create = async (): Promise<string> => {
    for (;;) {
      const response = await createDocument(service, account, body);
      const { error } = (await response.json()) as { error?: { message: string } };
      if (response.status === 201) return "completed";
      if (response.status !== 503) return `${response.status} ${error?.message}`;
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("Retry-After") ?? 1)));
    }
  };

  const outcomes = await Promise.all(Array.from({ length: 200 }, create));

  const tally = Map.groupBy(outcomes, (outcome) => outcome);
  expect([...tally].map(([outcome, { length }]) => [outcome, length]).toSorted()).toEqual([
    ["429 Monthly render limit exceeded. Current: 50/50", 150],
    ["completed", 50],
  ]);
});
