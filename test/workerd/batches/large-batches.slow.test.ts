// Batches of the maximum size.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newTenant } from "../../fixtures/tenant.ts";
import { refusalOf, testService, usageOf } from "../app.ts";
import { items, ndjson, postNdjson } from "./batches.ts";

const service = testService();

it("a batch of 10,000 items is refused as a whole if line 9,999 has a mistake", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const all: object[] = items(10_000);
  all[9_997] = { customId: "c-9997", data: { name: 5 } };

  const refusal = await refusalOf(await postNdjson(service, tenant, ndjson({ templateId: tenant.templateId }, ...all)));

  expect(refusal).toMatchObject({ status: 400, details: [{ path: "items.9997.data.name", customId: "c-9997" }] });
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
});

it("a batch of 10,001 items is refused", async () => {
  const tenant = await newTenant(env, { plan: "pro" });

  const body = ndjson({ templateId: tenant.templateId }, ...items(10_001));
  const refusal = await refusalOf(await postNdjson(service, tenant, body));

  expect(refusal).toMatchObject({ status: 400, details: [{ path: "items" }] });
});
