import { expect, it } from "vitest";
import { Admission } from "../../../src/objects/rendering/admission.ts";
import { maxWeight, renderWeight } from "../../../src/objects/rendering/render-weight.ts";

const settings = { concurrentPages: 6, maxPages: 16, queueLength: 8 };
const request = (weight: number, mayWait = false) => ({ accountId: "a", weight, mayWait, timeoutMs: 20_000 });

it("lets all pages render small documents beside one of the largest size", () => {
  const small = renderWeight({ textBytes: 30_000, fileBytes: 200_000 });
  const largest = renderWeight({ textBytes: 8_000_000, fileBytes: 26_700_000 });

  expect(5 * small + largest).toBeLessThanOrEqual(maxWeight);
  expect(2 * largest).toBeGreaterThan(maxWeight);
});

it("makes a heavy render wait until the others leave enough memory, and lets light ones go first", async () => {
  const admission = new Admission(settings);
  const first = await admission.enter(request(maxWeight * 0.7));
  const heavy = admission.enter(request(maxWeight * 0.7, true));

  expect(await admission.enter(request(maxWeight * 0.7))).toMatchObject({ status: "refused" });
  expect(await admission.enter(request(maxWeight * 0.2))).toMatchObject({ status: "admitted" });
  expect(admission.rendersUnderWay).toBe(2);
  if (first.status === "admitted") admission.leave(first.render);
  expect(await heavy).toMatchObject({ status: "admitted" });
});

it("admits a render that weighs more than all renders may, if it is alone", async () => {
  const admission = new Admission(settings);

  expect(await admission.enter(request(2 * maxWeight))).toMatchObject({ status: "admitted" });
  expect(await admission.enter(request(1))).toMatchObject({ status: "refused" });
});
