import { expect, it } from "vitest";
import { sendToManagement } from "./generated-traffic.ts";

it(
  "2,000 generated requests get responses that the description has, and meet no fault",
  { timeout: 300_000 },
  async () => {
    const statuses = await sendToManagement({ numRuns: 2_000 });

    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(["200", "400", "401", "403", "404"]));
  },
);
