import { expect, it } from "vitest";
import { sendGenerated } from "./generated-traffic.ts";

it("20,000 generated requests, valid and broken, get responses that the description has", async () => {
  const statuses = await sendGenerated({ numRuns: 20_000 });

  console.log(`responses by status: ${JSON.stringify(statuses)}`);
  expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([]);
}, 1_800_000);
