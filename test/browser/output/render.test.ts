import { env, exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newTenant, post } from "../../fixtures/tenant.ts";

it("renders a template to a PDF that can be downloaded", async () => {
  const tenant = await newTenant(env, { page: "<h1>{{ name }}</h1>" });

  const created = await post(exports.default, tenant, { templateId: tenant.templateId, data: { name: "Ada" } });

  expect(created.status).toBe(201);
  const { data } = await created.json<{ data: { pdfUrl: string; pageCount: number } }>();
  expect(data.pageCount).toBe(1);
  const file = await exports.default.fetch(data.pdfUrl);
  expect(new TextDecoder().decode(await file.arrayBuffer()).slice(0, 5)).toBe("%PDF-");
});

it("gives nothing its :hover style", async () => {
  const page = `<style>:root:hover p { break-after: page }</style><p>one</p><p>two</p>`;
  const tenant = await newTenant(env, { page });

  const created = await post(exports.default, tenant, { templateId: tenant.templateId, data: { name: "Ada" } });

  expect(await created.json()).toMatchObject({ data: { pageCount: 1 } });
});
