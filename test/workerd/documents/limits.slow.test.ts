import { describe, expect, it } from "vitest";
import { create, unboundedService, quotaOf, refusalOf, tally, totalOf, tenantWithLimit } from "../app.ts";
import { monthOf } from "../../../src/core/accounts/month.ts";

/** The limits to test, in renders per month. To test for longer, add limits here or increase `createsFor`. */
const limits = [50, 150, 500];
const createsFor = (limit: number) => Math.max(600, limit + 100);

describe.for(limits)("an allowance of %i renders", (limit) => {
  it("is used up, but not exceeded, by many parallel creates", { timeout: 120_000 }, async () => {
    const tenant = await tenantWithLimit(limit);
    const service = unboundedService();

    const responses = await Promise.all(Array.from({ length: createsFor(limit) }, () => create(service, tenant)));

    const refused = responses.filter(({ status }) => status !== 201);
    const messages = await Promise.all(refused.map(async (response) => messageOf(await refusalOf(response))));
    expect({
      created: responses.length - refused.length,
      refused: tally(messages),
      documents: await totalOf(tenant),
      usage: await quotaOf(tenant).usage(monthOf(Date.now())),
    }).toEqual({
      created: limit,
      refused: { [`429 Monthly render limit exceeded. Current: ${limit}/${limit}`]: createsFor(limit) - limit },
      documents: limit,
      usage: { used: limit, reserved: 0 },
    });
  });
});

function messageOf({ status, message }: { status: number; message: string }): string {
  return `${status} ${message}`;
}
