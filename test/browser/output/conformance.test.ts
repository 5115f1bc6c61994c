// PDF/A through the whole service. Whether the files conform is for `npm run test:conformance`, which validates them with veraPDF.
import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { rendered, requested } from "../fixtures/rendered.ts";

const conformance = ["pdf/a-2b"];

it("a document that asks for PDF/A conforms, with its headers", async () => {
  const content = { header: "<p>Page {{ page.number }}</p>" };

  const { record, bytes } = await rendered({ page: "<h1>Déjà vu</h1><p>Ελληνικά</p>", content }, { conformance });

  expect(record).toMatchObject({ conformance, warnings: [] });
  expect(latin1(bytes)).toContain("<pdfaid:part>2</pdfaid:part>");
});

it.each([
  ["text", "<p>a</p><p style='break-before: page'>b\u{e123}</p>", "No font has a glyph for"],
  ["invisible text", "<p style='break-after: page'>a</p><p>b\u0007</p>", "No font has a glyph for U+0007"],
  [
    "an SVG image",
    `<p style='break-after: page'>a</p><img src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"><text y="20">\u{e123}</text></svg>')}">`,
    "A character has no glyph in any font",
  ],
])("a document with a character that no font has in %s is refused with its page", async (_, page, message) => {
  const response = await requested({ page }, { conformance });

  expect(response.status).toBe(422);
  const { error } = await response.json<{ error: { message: string; details: unknown } }>();
  expect(error.message).toContain(`The document cannot conform to pdf/a-2b: page 2: ${message}`);
  const problem = { path: "conformance", clause: "6.2.11.8-1", page: 2, message: expect.stringContaining(message) };
  expect(error.details).toEqual([problem]);
});

it("a refusal names the elements at fault with their pages, files and lines", async () => {
  const page = `<h1>A</h1>\n{%- for n in (1..2) -%}\n\n<p style="break-before: page">{{ n }}</p>\n<img\n class="a {{ n }}" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==">{% endfor %}`;
  const conformance = ["pdf/ua-1"];

  const response = await requested({ page }, { conformance });

  const { error } = await response.json<{ error: { message: string; details: unknown } }>();
  expect(error.message).toMatch(/^The document .*: page 2: .* And 1 more problem\. See pages\/1\.liquid, line 5\.$/);
  const problem = { path: "conformance", clause: "7.3", file: "pages/1.liquid", line: 5, message: expect.any(String) };
  expect(error.details).toEqual([
    { ...problem, page: 2, element: '<img class="a 1">' },
    { ...problem, page: 3, element: '<img class="a 2">' },
  ]);
});

it("a document of the same template without PDF/A shows such a character as a box", async () => {
  const { record } = await rendered({ page: "<p>\u{e123}</p>" });

  expect(record).not.toHaveProperty("conformance");
  expect(record.warnings).toEqual([expect.stringContaining("No font has a glyph for")]);
});
