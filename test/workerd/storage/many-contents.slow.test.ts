import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newTenant, removeTemplate } from "../../fixtures/tenant.ts";

it("a template is removed with all its contents, even if the bucket lists the contents on several pages", async () => {
  const tenant = await newTenant(env);
  const prefix = `${tenant.accountId}/${tenant.templateId}/`;
  await Promise.all(Array.from({ length: 1_001 }, (_, index) => env.TEMPLATES.put(`${prefix}${index}.json`, "{}")));

  await removeTemplate(env, tenant);

  expect((await env.TEMPLATES.list({ prefix })).objects.length).toBe(0);
});
