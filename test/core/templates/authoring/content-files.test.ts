import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contentFiles } from "../../../../src/core/templates/authoring/content-files.ts";
import { validateTemplate } from "../../../../src/core/templates/folder/validate-template.ts";
import type { TemplateFile } from "../../../../src/core/templates/folder/template-files.ts";
import type { TemplateContent } from "../../../../src/core/templates/template.ts";
import { bytesOf, manifest, svg, validFiles, type Files } from "../../../fixtures/template-files.ts";

function contentOf(files: TemplateFile[]): TemplateContent {
  const result = validateTemplate({ files, problems: [] });
  if (result.status === "valid") return result.content;
  throw new Error(JSON.stringify(result.problems));
}

function filesOf(files: Files): TemplateFile[] {
  return Object.entries(files).flatMap(([path, content]) =>
    content === null ? [] : [{ path, bytes: bytesOf(content) }],
  );
}

/** Reads a sample template of the project. */
function sampleFiles(name: string): TemplateFile[] {
  const root = join("templates", name);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(root.length + 1), bytes: new Uint8Array(readFileSync(path)) }));
}

it.each(readdirSync("templates"))("writes files from which a push makes the same content: %s", (name) => {
  const content = contentOf(sampleFiles(name));

  expect(JSON.stringify(contentOf(contentFiles(content)))).toBe(JSON.stringify(content));
});

it.each([
  [
    "margins, a locale and a time zone",
    { margin: { top: "18mm", left: 0 }, locale: "de-CH", timeZone: "Europe/Zurich" },
  ],
  ["a landscape page", { pageSize: "A5", orientation: "landscape" }],
  ["a page in pixels", { pageSize: undefined, width: 600, height: 400 }],
  ["an automatic height", { pageSize: undefined, width: 302, height: "auto" }],
  ["the width of a paper with an automatic height", { pageSize: "A4", height: "auto" }],
  ["an unpublished template", { isPublished: false, description: "One\nTwo" }],
  [
    "fields of every kind",
    {
      fields: [
        { key: "name", type: "string", required: true, label: "Name", example: "Ada\nLovelace" },
        { key: "total", type: "number", default: 1.5, description: 'in "EUR"' },
        { key: "people", type: "list", fields: [{ key: "first", type: "string", label: "First" }] },
        { key: "tags", type: "list", items: "string", default: ["a"] },
        { key: "seller", type: "object", fields: [{ key: "a", type: "object", fields: [{ key: "b", type: "date" }] }] },
      ],
    },
  ],
])("keeps %s", (_what, change) => {
  const assets = { "assets/logo.svg": svg, "style.css": "a { background: url(logo.svg) }", "footer.liquid": "F" };
  const content = contentOf(filesOf({ ...validFiles, ...assets, "template.json": manifest(change) }));

  expect(JSON.stringify(contentOf(contentFiles(content)))).toBe(JSON.stringify(content));
});

it("keeps parts", () => {
  const page = "{% layout 'letter' %}{% block body %}{% render 'row' %}{% endblock %}";
  const files = {
    "pages/1.liquid": page,
    "parts/letter.liquid": "{% block body %}{% endblock %}",
    "parts/row.liquid": "R",
  };
  const content = contentOf(filesOf({ ...validFiles, ...files }));

  expect(JSON.stringify(contentOf(contentFiles(content)))).toBe(JSON.stringify(content));
});

it("writes one line for each field", () => {
  const fields = [
    { key: "name", type: "string", required: true },
    { key: "people", type: "list", fields: [{ key: "first", label: "First name", type: "string" }] },
  ];
  const content = contentOf(filesOf({ ...validFiles, "template.json": manifest({ fields }) }));

  const [file] = contentFiles(content);

  expect(new TextDecoder().decode(file?.bytes)).toContain(`
  "fields": [
    { "key": "name", "type": "string", "required": true },
    { "key": "people", "type": "list", "fields": [
      { "key": "first", "label": "First name", "type": "string" }
    ] }
  ]
}
`);
});

it("writes shared files as files of the template itself", () => {
  const files = filesOf({
    ...validFiles,
    "template.json": manifest({ styles: ["base.css"] }),
    "pages/1.liquid": "{% render 'a' %}",
    "parts/b.liquid": "B",
    "shared/parts/a.liquid": "{% render 'b' %}{{ 'logo.svg' | asset }}",
    "shared/assets/logo.svg": svg,
    "shared/styles/base.css": "a { color: red }",
    "style.css": "b { color: red }",
  });

  const written = contentFiles(contentOf(files));

  expect(written.map(({ path }) => path)).toEqual([
    "template.json",
    "pages/1.liquid",
    "parts/b.liquid",
    "parts/a.liquid",
    "style.css",
    "assets/logo.svg",
    "sample.json",
  ]);
  expect(contentOf(written)).toMatchObject({ css: "a { color: red }\nb { color: red }" });
});
