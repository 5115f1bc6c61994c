import { expect, it } from "vitest";
import { resolveFiles } from "colophon-page/resolve-files";
import { templateContent } from "colophon-test-kit/template-content";
import { compileTemplate } from "../src/compile-template.ts";
import type { TemplateContent } from "../src/template.ts";

const assets = {
  "logo.svg": { contentType: "image/svg+xml", base64: "QUJD" },
  "my logo.png": { contentType: "image/png", base64: "QUJE" },
};
const logoUri = "data:image/svg+xml;base64,QUJD";

const compiled = (content: Partial<TemplateContent>) =>
  compileTemplate(templateContent({ content: { assets, ...content } }));
const page = (source: string) => ({ pages: [{ name: "1.liquid", source }] });

function problemsOf(content: Partial<TemplateContent>) {
  const result = compiled(content);
  return result.status === "broken" ? result.problems : [];
}

it("the `data:` URI of each asset counts towards the size of the compiled template", () => {
  const result = compiled({ css: "p { background: url(logo.svg) }" });

  const template = result.status === "compiled" ? result.template : null;
  expect(template?.assetUris.get("logo.svg")).toBe(logoUri);
  expect(template?.sizeBytes).toBeGreaterThan(2 * logoUri.length);
});

it("each reference to an asset in the styles is replaced with a placeholder for the asset", () => {
  const result = compiled({ css: "p { background: url(logo.svg) } q { background: image-set('my logo.png' 2x) }" });

  const { css = "", styleFiles = [] } = result.status === "compiled" ? result.template : {};
  expect(css).not.toContain("base64");
  expect(resolveFiles(css, styleFiles)).toBe(
    `p { background: url("${logoUri}") } q { background: image-set("data:image/png;base64,QUJE" 2x) }`,
  );
});

it.each(["header", "footer"] as const)("a problem in the %s is reported with the name of its file", (part) => {
  const problems = problemsOf({ [part]: "\n{% nonsense %}" });

  expect(problems).toEqual([{ file: `${part}.liquid`, line: 2, reason: "there is no tag `nonsense`" }]);
});

it("all files of a template together may have exactly 20,000 texts, outputs and tags", () => {
  const source = "{{ a }}".repeat(10_000);

  expect(compiled({ ...page(source), header: source }).status).toBe("compiled");
  expect(problemsOf({ ...page(source), header: `${source}x` })).toEqual([
    { file: "pages", line: 1, reason: "the template has more than 20,000 texts, outputs and tags" },
  ]);
});

it("comments and closing tags count towards the limit on texts, outputs and tags", () => {
  expect(problemsOf(page("{% # x %}".repeat(20_001)))).toHaveLength(1);
  expect(problemsOf(page("{% if a %}{% endif %}".repeat(10_001)))).toHaveLength(1);
});

it("all outputs and tags of a template together may have exactly 200,000 characters", () => {
  const source = `{{ ${"a".repeat(98)} }}`;

  expect(compiled(page(source.repeat(2_000))).status).toBe("compiled");
  expect(problemsOf(page(source.repeat(2_000).replace("a", "aa")))).toEqual([
    {
      file: "pages",
      line: 1,
      reason: "the outputs and tags of the template have more than 200,000 characters in total",
    },
  ]);
});

it("the characters of texts do not count towards the limit on the code of a template", () => {
  expect(compiled(page("x".repeat(1_000_000))).status).toBe("compiled");
});

it("a header reads `page` if one of its parts does", () => {
  const readsPage = (header: string, part: string) => {
    const parts = [
      { file: "parts/a.liquid", source: "{% render 'b' %}" },
      { file: "shared/parts/b.liquid", source: part },
    ];
    const result = compiled({ header, parts });
    return result.status === "compiled" && result.template.readsPage.header;
  };

  expect(readsPage("{% render 'a' %}", "{{ page.number }}")).toBe(true);
  expect(readsPage("{% layout 'a' %}", "{{ page.number }}")).toBe(true);
  expect(readsPage("{% render 'a' %}", "{{ number }}")).toBe(false);
  expect(readsPage("x", "{{ page.number }}")).toBe(false);
});

it("the parts and the parsed messages count towards the size of the compiled template", () => {
  const sizeOf = (content: Partial<TemplateContent>) => {
    const result = compiled({ ...page("{% render 'a' %}"), ...content });
    return result.status === "compiled" ? result.template.sizeBytes : 0;
  };
  const withPart = (source: string) => sizeOf({ parts: [{ file: "parts/a.liquid", source }] });
  const withMessage = (a: string) => sizeOf({ locales: [{ locale: "en", source: JSON.stringify({ a }) }] });
  const text = "x".repeat(1_000);

  expect(withPart(text) - withPart("")).toBe(1_000);
  expect(withMessage(text) - withMessage("")).toBe(32_000);
});
