// Tests, with PDFs, that neither a template nor its data can make the browser connect to the trap server.
// `egress-png.slow.test.ts` runs the same tests with PNGs, which take longer.
import { env, exports } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { newTenant, post } from "../../fixtures/tenant.ts";
import { testEgress } from "../fixtures/egress-tests.ts";

testEgress("pdf");

it("warns with the number of blocked requests", async () => {
  const tenant = await newTenant(env, {
    page: `<iframe src="http://127.0.0.1:${inject("trapPort")}/"></iframe><meta http-equiv="refresh" content="0;url=http://127.0.0.1:${inject("trapPort")}/"><p>x</p>`,
    fields: [],
  });

  const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: {} });

  const { data } = await response.json<{ data: { warnings: string[] } }>();
  expect(data.warnings).toEqual(["Blocked 1 network request: documents are rendered offline."]);
});
