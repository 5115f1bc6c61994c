import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newTenant } from "../../fixtures/tenant.ts";
import { create, refusalOf, testService, totalOf, usageOf } from "../app.ts";

/** Longer than the time limit of the creates in this file and the time for recording them. */
const slowMs = 1_500;
const delay = () => new Promise((resolve) => setTimeout(resolve, slowMs));

it("a create that got 504 because D1 is slow is listed and counted once D1 has recorded it", async () => {
  const tenant = await newTenant(env);
  // The first create takes longer, because it starts the account's object.
  await create(testService(), tenant);
  const service = testService(({ settings, documents }) => ({
    settings: { ...settings, renderBudgetMs: 200 },
    documents: { ...documents, insert: (...args) => delay().then(() => documents.insert(...args)) },
  }));

  const response = await create(service, tenant);

  expect(await refusalOf(response)).toEqual({
    status: 504,
    code: "RENDER_FAILED",
    message: "The service took too long. If the document was created anyway, it appears in the list.",
  });
  expect(await totalOf(tenant)).toBe(2);
  expect(await usageOf(tenant)).toEqual({ used: 2, reserved: 0 });
});
