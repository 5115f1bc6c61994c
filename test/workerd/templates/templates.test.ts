import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Field, TemplateManifest } from "colophon-template-model/template";
import { field, templateContent } from "colophon-test-kit/template-content";
import { get, newTenant, post, removeTemplate, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, testService, timestampPattern, type Pagination } from "../app.ts";

type Summary = { id: string; title: string; createdAt: string; updatedAt: string; [name: string]: unknown };
type List = { templates: Summary[]; pagination: Pagination };
type Detail = Summary & { version: number; dataSchema: { properties: Record<string, unknown> } };

const service = testService();

it("GET /templates returns template summaries with exactly the documented properties", async () => {
  // Only the top-level fields are counted.
  const fields = [field("a", "string"), field("b", "list", { fields: [field("c", "number")] })];
  const tenant = await newTenant(env, { page: ["one", "two"], fields });

  const response = await get(service, tenant, "/templates");

  expect([response.status, await dataOf(response)]).toEqual([
    200,
    {
      templates: [
        {
          id: tenant.templateId,
          title: "Test template",
          description: "",
          pageSize: "A4",
          fieldsCount: 2,
          pagesCount: 2,
          isPublished: true,
          createdAt: expect.stringMatching(timestampPattern),
          updatedAt: expect.stringMatching(timestampPattern),
        },
      ],
      pagination: { limit: 20, offset: 0, total: 1, totalIsExact: true, nextCursor: null },
    },
  ]);
});

it("GET /templates counts no fields of a template without fields", async () => {
  const [summary] = (await list(await newTenant(env, { fields: [] }))).templates;

  expect(summary).toMatchObject({ fieldsCount: 0 });
});

const fields: Field[] = [
  field("name", "string", { required: true, description: "Who it is for.", example: "Ada" }),
  field("count", "integer", { default: 1 }),
  field("paidAt", "datetime"),
  field("tags", "list", {
    items: "string",
    minItems: 1,
    maxItems: 9,
    pattern: "^[a-z]+$",
    minLength: 2,
    maxLength: 9,
  }),
  field("rate", "decimal", { enum: ["7.00", 19], minimum: "0.01", maximum: 100 }),
  field("items", "list", { required: true, fields: [field("price", "number", { required: true })] }),
  field("sender", "object", { fields: [field("logo", "image")] }),
];

it("GET /templates/:id returns the summary, the version, the page and the fields", async () => {
  const sampleData = { name: "Ada", items: [{ price: 1.5 }] };
  const tenant = await newTenant(env, { fields, content: { sampleData } });
  const [summary] = (await list(tenant)).templates;

  const response = await get(service, tenant, `/templates/${tenant.templateId}`);

  expect([response.status, await dataOf(response)]).toEqual([
    200,
    {
      ...summary,
      version: 1,
      width: 794,
      height: 1123,
      orientation: "portrait",
      margin: { top: 48, right: 48, bottom: 48, left: 48 },
      locale: "en-US",
      locales: [],
      timeZone: "UTC",
      fields,
      dataSchema: expect.objectContaining({ type: "object", required: ["name", "items"] }),
      sampleData,
    },
  ]);
});

it("GET /templates/:id returns `auto` as the height of pages that are as high as their content", async () => {
  const page = { width: 302, height: "auto", cssWidth: "302px", cssHeight: "auto" } as const;
  const manifest = { ...templateContent({}).manifest, pageSize: "Custom" as const, page };
  const tenant = await newTenant(env, { content: { manifest } });

  expect(await detail(tenant)).toMatchObject({ pageSize: "Custom", width: 302, height: "auto" });
});

it("GET /templates/:id returns the access of a template only if its documents are private", async () => {
  const accessOf = async (policy: Pick<TemplateManifest, "access" | "allowPublic">) => {
    const tenant = await newTenant(env, { content: { manifest: { ...templateContent({}).manifest, ...policy } } });
    const { access, allowPublic } = await detail(tenant);
    return { access, allowPublic };
  };

  expect([
    await accessOf({ access: "public" }),
    await accessOf({ access: "private", allowPublic: false }),
    await accessOf({ access: "private", allowPublic: true }),
  ]).toEqual([{}, { access: "private" }, { access: "private", allowPublic: true }]);
});

it("GET /templates/:id reveals neither the template's sources nor where they are stored", async () => {
  const tenant = await newTenant(env, { page: "<p>TOP SECRET MARKUP</p>" });

  const text = await (await get(service, tenant, `/templates/${tenant.templateId}`)).text();

  expect(text).not.toMatch(/TOP SECRET|contentHash|folder|accountId/);
});

it("a deleted template leaves its documents readable, downloadable and listed", async () => {
  const tenant = await newTenant(env);
  const { id } = await dataOf(await post(service, tenant, { templateId: tenant.templateId, data: {} }));
  await removeTemplate(env, tenant);

  const paths = [`/documents/${id}`, `/documents/${id}/download`, `/documents?templateId=${tenant.templateId}`];
  const statuses = await Promise.all(paths.map(async (path) => (await get(service, tenant, path)).status));

  expect(statuses).toEqual([200, 200, 200]);
});

it("a create fails with RENDER_FAILED if the content of its template is missing from the bucket", async () => {
  const tenant = await newTenant(env);
  const { objects } = await env.TEMPLATES.list({ prefix: `${tenant.accountId}/` });
  await env.TEMPLATES.delete(objects.map(({ key }) => key));

  const response = await post(service, tenant, { templateId: tenant.templateId, data: {} });

  expect(await refusalOf(response)).toMatchObject({ status: 502, message: "The template could not be loaded." });
});

async function list(tenant: Tenant, query = ""): Promise<List> {
  return dataOf<List>(await get(service, tenant, `/templates${query}`));
}

async function detail(tenant: Tenant): Promise<Detail> {
  return dataOf<Detail>(await get(service, tenant, `/templates/${tenant.templateId}`));
}
