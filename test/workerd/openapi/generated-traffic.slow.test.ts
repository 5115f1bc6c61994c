import { expect, it } from "vitest";
import { sendGenerated } from "./generated-traffic.ts";

it("500 generated requests, valid and broken, get responses that the description has", async () => {
  const statuses = await sendGenerated({ numRuns: 500, seed: 20_261_122 });

  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(["200", "201", "400", "401", "404", "405"]));
  expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([]);
}, 180_000);
