import { describe, expect, it } from "vitest";
import { getTemplate, listTemplates } from "../../../src/operations/templates/read-templates.ts";
import { fakeAccount, fakeServices, fakeTemplate } from "../../fakes/services.ts";
import { templateContent } from "../../fixtures/tenant.ts";

const notFound = { code: "TEMPLATE_NOT_FOUND" };

async function withTemplate() {
  const services = fakeServices();
  const { account } = await fakeAccount(services);
  const content = templateContent({});
  return { services, account, content, template: fakeTemplate(services, account, content) };
}

describe("getTemplate", () => {
  it("returns the template with its content", async () => {
    const { services, account, content, template } = await withTemplate();

    expect(await getTemplate(services, account, template.id)).toEqual({ template, content });
  });

  it("finds neither an unknown template nor a template of another account", async () => {
    const { services, account, template } = await withTemplate();
    const { account: other } = await fakeAccount(services);

    await expect(getTemplate(services, account, "nope")).rejects.toMatchObject(notFound);
    await expect(getTemplate(services, other, template.id)).rejects.toMatchObject(notFound);
  });
});

describe("listTemplates", () => {
  it("returns only the templates of the account", async () => {
    const { services, account, template } = await withTemplate();
    const { account: other } = await fakeAccount(services);
    const page = { limit: 10, offset: 0 };

    expect(await listTemplates(services, account, page)).toEqual({ templates: [template], more: null, total: 1 });
    expect(await listTemplates(services, other, page)).toEqual({ templates: [], more: null, total: 0 });
  });
});
