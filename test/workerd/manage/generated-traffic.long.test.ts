import { expect, it } from "vitest";
import { sendToManagement } from "./generated-traffic.ts";

it(
  "20,000 generated requests get responses that the description has, and meet no fault",
  { timeout: 1_800_000 },
  async () => {
    const statuses = await sendToManagement({ numRuns: 20_000 });
    console.log(JSON.stringify(statuses));

    expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(19_000);
  },
);
