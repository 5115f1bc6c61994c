import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { RenderJob } from "colophon-render/render-job";
import { selfContainedHtml } from "colophon-test-kit/self-contained-html";
import { field, templateContent } from "colophon-test-kit/template-content";
import { get, newTenant, post } from "../../../fixtures/tenant.ts";
import { dataOf, refusalOf, testService } from "../../app.ts";

const locales = [
  {
    locale: "de",
    source: '{ "items": "{n, plural, one {# Artikel} other {# Artikel}}, {total, number, ::currency/EUR}" }',
  },
  { locale: "en", source: '{ "items": "{n, plural, one {# item} other {# items}}, {total, number, ::currency/EUR}" }' },
];
const fields = [field("n", "integer"), field("total", "number")];

/** A tenant whose template has messages in English and German. */
function tenantWithMessages() {
  const manifest = { ...templateContent({ fields }).manifest, locales: ["de", "en"] };
  return newTenant(env, {
    page: '<p>{{ "items" | t: n: n, total: total }}</p>',
    fields,
    content: { locales, manifest },
  });
}

/** Returns the language and the text that were rendered, with plain spaces. */
function rendered(job: RenderJob | undefined) {
  if (!job) throw new Error("nothing was rendered");
  const [, text] = /<p>(.*)<\/p>/.exec(selfContainedHtml(job)) ?? [];
  return { language: job.metadata.language, text: text?.replaceAll(/\s/g, " ") };
}

it.each([
  ["de-DE", "de-DE", "1 Artikel, 1.234,50 €"],
  ["en-gb", "en-GB", "1 item, €1,234.50"],
  [undefined, "en-US", "1 item, €1,234.50"],
])("a document is rendered in the locale %s: %s", async (locale, language, text) => {
  const tenant = await tenantWithMessages();
  const service = testService();

  const response = await post(service, tenant, {
    templateId: tenant.templateId,
    data: { n: 1, total: 1234.5 },
    locale,
  });

  expect(response.status).toBe(201);
  expect(rendered(service.jobs[0])).toEqual({ language, text });
});

it("a create in a language that the template lacks is refused with a list of the template's languages", async () => {
  const tenant = await tenantWithMessages();

  const response = await post(testService(), tenant, { templateId: tenant.templateId, data: {}, locale: "fr" });

  expect(await refusalOf(response)).toMatchObject({
    code: "VALIDATION_ERROR",
    details: [
      { path: "locale", message: "`locale` must be one of the template's languages, or a variant of one: de, en." },
    ],
  });
});

it("a request may name any known language if the template has no messages", async () => {
  const tenant = await newTenant(env, { page: "<p>{{ name | number }}</p>", fields: [field("name", "number")] });
  const service = testService();

  const response = await post(service, tenant, {
    templateId: tenant.templateId,
    data: { name: 1234.5 },
    locale: "tlh",
  });

  expect(response.status).toBe(201);
  expect(rendered(service.jobs[0])).toEqual({ language: "tlh", text: "1,234.5" });
});

it("the languages of a template are listed", async () => {
  const tenant = await tenantWithMessages();

  const response = await get(testService(), tenant, `/templates/${tenant.templateId}`);

  expect(await dataOf(response)).toMatchObject({ locale: "en-US", locales: ["de", "en"] });
});
