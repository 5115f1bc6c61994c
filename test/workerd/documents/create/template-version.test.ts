import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { field, templateContent } from "colophon-test-kit/template-content";
import { newTenant, post, pushed, removeTemplate, type Tenant } from "../../../fixtures/tenant.ts";
import { dataOf, refusalOf, testService, totalOf, unknownId, usageOf, type TestService, newWorld } from "../../app.ts";

/** Returns a tenant with a template whose two versions differ in everything that a create uses. */
async function tenantWithVersions(): Promise<Tenant> {
  const { manifest } = templateContent({});
  const margin = { top: 200, right: 200, bottom: 200, left: 200 };
  const tenant = await newTenant(env, {
    page: "<p>first {{ code }}</p>",
    fields: [field("code", "integer", { required: true })],
    content: { manifest: { ...manifest, margin, fields: [field("code", "integer", { required: true })] } },
  });
  await pushed(env, tenant.accountId, { page: "<p>second {{ name }}</p>" });
  return tenant;
}

function createWith(service: TestService, { key, ...tenant }: Tenant, body: object, headers = {}) {
  return post(service, { ...tenant, key }, { templateId: tenant.templateId, data: { code: 7 }, ...body }, headers);
}

it("a create with `templateVersion` renders that version with its margins; a create without it renders the newest version", async () => {
  const service = testService();
  const tenant = await tenantWithVersions();

  const record = await dataOf(await createWith(service, tenant, { templateVersion: 1 }));

  const newest = await dataOf(await createWith(service, tenant, { data: {} }));
  expect([newest.templateVersion, service.jobs[1]?.html.includes("second")]).toEqual([2, true]);
  expect(record).toMatchObject({ status: "completed", templateVersion: 1, warnings: [] });
  const [job] = service.jobs;
  expect(job?.html).toContain("first 7");
  expect(job?.margin).toMatchObject({ top: 200 });
});

it("a create with `templateVersion` validates the data against the fields of that version", async () => {
  const service = testService();
  const tenant = await tenantWithVersions();

  const refusals = [
    await refusalOf(await createWith(service, tenant, { templateVersion: 1, data: {} })),
    await refusalOf(await createWith(service, tenant, { templateVersion: 1, data: { code: "7" } })),
    await refusalOf(await createWith(service, tenant, { templateVersion: 1, width: 390 })),
  ];

  expect(refusals.map(({ code }) => code)).toEqual(["MISSING_FIELD", "VALIDATION_ERROR", "VALIDATION_ERROR"]);
});

it("a create with `templateVersion` gets the same error for another account's template as for an unknown template", async () => {
  const { tenant, service } = await newWorld();
  const { templateId } = await tenantWithVersions();

  const refusals = await Promise.all(
    [templateId, unknownId].map(async (id) =>
      refusalOf(await createWith(service, tenant, { templateId: id, templateVersion: 1 })),
    ),
  );

  expect(refusals[0]).toEqual(refusals[1]);
  expect(refusals[0]).toMatchObject({ status: 404, code: "TEMPLATE_NOT_FOUND" });
});

it("a create with an unknown `templateVersion` gets an error that names the newest version", async () => {
  const refusal = await refusalOf(await createWith(testService(), await tenantWithVersions(), { templateVersion: 3 }));

  const message = "The template has no version 3; its newest version is 2.";
  expect(refusal).toMatchObject({ status: 404, details: [{ path: "templateVersion", message }] });
});

it("a create with `templateVersion` finds no version of a template that has been deleted", async () => {
  const service = testService();
  const tenant = await tenantWithVersions();
  await removeTemplate(env, tenant);

  const { status, code } = await refusalOf(await createWith(service, tenant, { templateVersion: 1 }));

  expect([status, code]).toEqual([404, "TEMPLATE_NOT_FOUND"]);
});

it("a create with `templateVersion` fails with INTERNAL_ERROR and leaves no data if the version cannot be looked up", async () => {
  const service = testService(({ templates }) => ({
    templates: { ...templates, findVersion: () => Promise.reject(new Error("D1 is down")) },
  }));
  const tenant = await tenantWithVersions();

  const refusal = await refusalOf(await createWith(service, tenant, { templateVersion: 1 }));

  expect(refusal).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
  expect([await totalOf(tenant), await usageOf(tenant)]).toEqual([0, { used: 0, reserved: 0 }]);
});
