import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { templateContent } from "colophon-test-kit/template-content";
import { get, newTenant, post, type Tenant } from "../../../fixtures/tenant.ts";
import { dataOf, newWorld, refusalOf, testService, type TestService } from "../../app.ts";

/** A tenant whose template asks for a standard. */
function conformingTenant() {
  const manifest = { ...templateContent({}).manifest, conformance: ["pdf/a-2u" as const] };
  return newTenant(env, { content: { manifest } });
}

async function listed(service: TestService, tenant: Tenant) {
  const response = await get(service, tenant, "/documents");
  return (await dataOf<{ documents: object[] }>(response)).documents;
}

it.each([
  ["the template's conformance", {}, ["pdf/a-2u"]],
  ["the request's conformance instead of the template's", { conformance: ["pdf/a-3b"] }, ["pdf/a-3b"]],
  ["no conformance if the request's is empty", { conformance: [] }, undefined],
  ["no conformance as an image", { format: "png" }, undefined],
])("a document has %s, in its record and in lists", async (_, rest, conformance) => {
  const tenant = await conformingTenant();
  const service = testService();

  const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, ...rest });
  const created = await dataOf(response);

  expect(service.jobs[0]?.conformance).toEqual(conformance);
  expect(created.conformance).toEqual(conformance);
  expect("conformance" in created).toBe(conformance !== undefined);
  expect(await dataOf(await get(service, tenant, `/documents/${String(created.id)}`))).toEqual(created);
  expect(await listed(service, tenant)).toEqual([created]);
});

it("a document that cannot conform fails with the violated clauses, which its record keeps, and it has no conformance", async () => {
  const { tenant, service } = await newWorld();
  const problem = { clause: "6.2.11.8-1", message: "A character has no glyph.", page: 2 };
  service.render = async () => ({ status: "impossible", message: "The document cannot conform.", problems: [problem] });

  const body = { templateId: tenant.templateId, data: {}, conformance: ["pdf/a-2b"] };
  const response = await post(service, tenant, body);
  const [failed] = await listed(service, tenant);

  expect(response.status).toBe(422);
  expect(await refusalOf(response)).toMatchObject({
    code: "RENDER_FAILED",
    message: "The document cannot conform.",
    details: [{ path: "conformance", ...problem }],
  });
  const error = {
    code: "RENDER_FAILED",
    message: "The document cannot conform.",
    details: [{ path: "conformance", ...problem }],
  };
  expect(failed).toMatchObject({ status: "failed", error });
  expect(failed).not.toHaveProperty("conformance");
});

it("a template's description says which conformance its documents have", async () => {
  const tenant = await conformingTenant();

  const template = await dataOf(await get(testService(), tenant, `/templates/${tenant.templateId}`));

  expect(template["conformance"]).toEqual(["pdf/a-2u"]);
});
