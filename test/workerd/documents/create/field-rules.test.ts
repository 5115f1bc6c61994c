// Decimals and the rules of fields through the API, with the formats of the Workers runtime.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { newTenant, post } from "../../../fixtures/tenant.ts";
import { dataOf, testService } from "../../app.ts";

const fields = [
  field("country", "string", { enum: ["DE", "AT"], required: true }),
  field("amounts", "list", { items: "decimal", minimum: "0.01", maxItems: 3 }),
];
const page = `{% assign sum = amounts | sum %}{{ sum }} {{ sum | currency: "EUR" }} {{ sum | divided_by: 3, scale: 2 }} {{ amounts | join: " " }}`;

it("a template calculates with decimals exactly, also in the Workers runtime", async () => {
  const tenant = await newTenant(env, { fields, page });
  const service = testService();
  const data = { country: "AT", amounts: ["12345678901234567890.10", 0.2, "1.00"] };

  const record = await dataOf(await post(service, tenant, { templateId: tenant.templateId, data }));

  expect(record).toMatchObject({ status: "completed", warnings: [] });
  expect(service.jobs[0]?.html).toContain(
    "12345678901234567891.30 €12,345,678,901,234,567,891.30 4115226300411522630.43 12345678901234567890.10 0.2 1.00",
  );
});

it("data that breaks rules is refused with all of its paths", async () => {
  const tenant = await newTenant(env, { fields, page });
  const data = { country: "FR", amounts: ["0.00", "1.00"] };

  const response = await post(testService(), tenant, { templateId: tenant.templateId, data });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: {
      code: "VALIDATION_ERROR",
      details: [
        { path: "data.country", message: '`country` must be one of "DE", "AT", got the string "FR".' },
        { path: "data.amounts.0", message: "`amounts.0` must be at least 0.01, got 0.00." },
      ],
    },
  });
});
