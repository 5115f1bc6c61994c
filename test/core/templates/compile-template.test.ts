import { describe, expect, it } from "vitest";
import { assetName, compileTemplate } from "../../../src/core/templates/compile-template.ts";
import type { TemplateContent } from "../../../src/core/templates/template.ts";
import { templateContent } from "../../fixtures/tenant.ts";

const assets = {
  "logo.svg": { contentType: "image/svg+xml", base64: "QUJD" },
  "my logo.png": { contentType: "image/png", base64: "QUJE" },
};
const logoUri = "data:image/svg+xml;base64,QUJD";

const compiled = (content: Partial<TemplateContent>) =>
  compileTemplate(templateContent({ content: { assets, ...content } }));
const page = (source: string) => ({ pages: [{ name: "1.liquid", source }] });

function cssOf(css: string): string {
  const result = compiled({ css });
  if (result.status === "compiled") return result.template.css;
  throw new Error(JSON.stringify(result.problems));
}

function problemsOf(content: Partial<TemplateContent>) {
  const result = compiled(content);
  return result.status === "broken" ? result.problems : [];
}

it("stores each asset in the compiled template as a `data:` URI, and includes the URI in the template's size", () => {
  const result = compiled({ css: "p { background: url(logo.svg) }" });

  const template = result.status === "compiled" ? result.template : null;
  expect(template?.assetUris.get("logo.svg")).toBe(logoUri);
  expect(template?.sizeBytes).toBeGreaterThan(2 * logoUri.length);
});

describe("styles", () => {
  it.each(["url(logo.svg)", "url('logo.svg')", 'url("logo.svg")', "url( ./logo.svg )", "url(assets/logo.svg)"])(
    "contain the asset in place of %s",
    (url) => {
      expect(cssOf(`a{background:${url}}`)).toBe(`a{background:url("${logoUri}")}`);
    },
  );

  it("contain an asset whose name has a space", () => {
    expect(cssOf('a{background:url("my logo.png")}')).toBe('a{background:url("data:image/png;base64,QUJE")}');
  });

  it("contain the asset even if `url` is in upper case", () => {
    expect(cssOf("a{background:URL(logo.svg)}")).toBe(`a{background:url("${logoUri}")}`);
  });

  it.each(["url(data:image/png;base64,AA==)", "url(#gradient)"])("keep %s unchanged", (url) => {
    expect(cssOf(`a{fill:${url}}`)).toBe(`a{fill:${url}}`);
  });

  it.each(["nope.svg", "constructor", "https://example.com/a.png", "//example.com/a.png"])(
    "may not refer to %s, which the template does not contain",
    (target) => {
      const problems = problemsOf({ css: `a {\n\n  background: url(${target});\n}` });

      expect(problems).toEqual([
        { file: "style.css", line: 3, reason: `there is no file assets/${target}; style.css can use only files in assets/` },
      ]);
    },
  );

  it("are refused with the line of every unknown asset", () => {
    const problems = problemsOf({ css: "a{b:url(x.png)}\n\nc{d:url(y.png)}" });

    expect(problems.map(({ line }) => line)).toEqual([1, 3]);
  });

  it.each(["@import 'a.css';", "@IMPORT url(logo.svg);"])("may not contain %s", (rule) => {
    const [problem] = problemsOf({ css: `a{}\n${rule}` });

    expect(problem).toMatchObject({ file: "style.css", line: 2, reason: expect.stringContaining("@import") });
  });

  it.each(["</style>", "</STYLE >", "</style\n>"])("may not contain %j, which would end the style element", (end) => {
    const [problem] = problemsOf({ css: `a{}\nb{}\n/* ${end} */` });

    expect(problem).toMatchObject({ file: "style.css", line: 3 });
  });
});

describe("pages, header and footer", () => {
  it("keep the order of the page files", () => {
    const pages = ["1.liquid", "2.liquid"].map((name) => ({ name, source: "x" }));

    const result = compiled({ pages });

    expect(result.status === "compiled" && result.template.pages.map(({ file }) => file)).toEqual([
      "pages/1.liquid",
      "pages/2.liquid",
    ]);
  });

  it("are compiled with null for a missing header and a missing footer", () => {
    const result = compiled({});

    expect(result.status === "compiled" && [result.template.header, result.template.footer]).toEqual([null, null]);
  });

  it.each(["header", "footer"] as const)("report a problem in the %s with the name of its file", (part) => {
    const problems = problemsOf({ [part]: "\n{% nonsense %}" });

    expect(problems).toEqual([{ file: `${part}.liquid`, line: 2, reason: 'tag "nonsense" not found' }]);
  });

  it("report the problems of all files at once", () => {
    const problems = problemsOf({ ...page("{% nonsense %}"), header: "{{ x", css: "@import 'x'" });

    expect(problems.map(({ file }) => file)).toEqual(["pages/1.liquid", "header.liquid", "style.css"]);
  });

  it("report the line of a reference to a missing asset", () => {
    const problems = problemsOf(page("<p>\n<p>\n<img src=\"{{ 'nope.png' | asset }}\">"));

    expect(problems).toEqual([{ file: "pages/1.liquid", line: 3, reason: "there is no file assets/nope.png" }]);
  });

  it.each(["'logo.svg' | asset", '"assets/logo.svg"|asset', "'./logo.svg'  |  asset"])(
    "may refer to the asset as %s",
    (output) => {
      expect(problemsOf(page(`{{ ${output} }}`))).toEqual([]);
    },
  );

  it("may compute the name of an asset", () => {
    expect(problemsOf(page("{{ 'logo' | append: '.svg' | asset }}"))).toEqual([]);
  });
});

describe("assetName", () => {
  it.each([
    ["logo.svg", "logo.svg"],
    ["./logo.svg", "logo.svg"],
    ["assets/logo.svg", "logo.svg"],
    ["./assets/logo.svg", "logo.svg"],
    ["../logo.svg", "../logo.svg"],
  ])("reads %s as %s", (written, name) => {
    expect(assetName(written)).toBe(name);
  });
});
