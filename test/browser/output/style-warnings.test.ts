// What a push says about CSS, compared with what a real browser does.
import { env, exports } from "cloudflare:workers";
import { launch } from "@cloudflare/puppeteer";
import { expect, it } from "vitest";
import { cssNames, type NameRange } from "../../../src/core/templates/styles/support/names/css-names.generated.ts";
import { nameSupport } from "../../../src/core/templates/styles/support/names/known-names.ts";
import { documentSentences, styleWarnings } from "../../../src/core/templates/styles/support/style-warnings.ts";
import { newTenant, post, templateContent } from "../../fixtures/tenant.ts";

it("gives a document the warnings of its template's styles", async () => {
  const options = { page: "<p style='botom: 0'>x</p>", fields: [], content: { css: "a { colr: red }" } };
  const sheets = [{ file: "style.css", css: options.content.css }];
  const found = styleWarnings({ ...templateContent(options), sheets });
  const content = { ...options.content, styleWarnings: documentSentences(found) };
  const tenant = await newTenant(env, { ...options, content });

  const created = await post(exports.default, tenant, { templateId: tenant.templateId, data: {} });

  const { data } = await created.json<{ data: { warnings: string[] } }>();
  expect(data.warnings).toEqual([
    "style.css, line 1: Chromium does not know the property `colr`; did you mean `color`?",
    "pages/1.liquid, line 1: Chromium does not know the property `botom`; did you mean `bottom`?",
  ]);
});

it("is right about the properties that the browser of these tests knows", async () => {
  const { version, known } = await propertiesOfBrowser();

  const namesOf = (isMeant: (range: NameRange) => boolean) =>
    cssNames.properties.filter(isMeant).flatMap(({ names }) => names.split(" "));
  const everywhere = namesOf(({ after, before }) => after === null && before === null);
  const notHere = namesOf(({ after, before }) => (after ?? 0) >= version || (before ?? Infinity) <= version);
  expect(everywhere.filter((name) => !known.includes(name))).toEqual([]);
  expect(notHere.filter((name) => known.includes(name))).toEqual([]);
  expect(known.filter((name) => nameSupport("properties", name).status === "unknown")).toEqual([]);
});

async function propertiesOfBrowser(): Promise<{ version: number; known: string[] }> {
  const browser = await launch(env.BROWSER);
  try {
    const page = await browser.newPage();
    const known = await page.evaluate(`(() => {
      const dashed = (key) => key === "cssFloat" ? "float" : key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase()).replace(/^webkit-/, "-webkit-");
      const names = new Set();
      for (const key in document.body.style) if (CSS.supports(dashed(key), "initial")) names.add(dashed(key));
      return [...names];
    })()`);
    return { version: Number(/\d+/.exec(await browser.version())?.[0]), known: known as string[] };
  } finally {
    await browser.close();
  }
}
