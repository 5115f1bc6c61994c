// Tests the metadata, the tags and the outline of PDFs, and that a long document is complete.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { readPages } from "../fixtures/printed-pages.ts";
import { rendered } from "../fixtures/rendered.ts";

async function infoOf(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const { info } = await (await getDocumentProxy(bytes.slice())).getMetadata();
  return info as Record<string, unknown>;
}

it("the PDF contains the document's title, author, subject, keywords and dates in any script", async () => {
  const template = {
    page: [
      "<p>first</p>",
      '<title>Rechnung {{ number }} (漢字)</title><meta name="Author" content="{{ name }}">' +
        '<meta name="description" content="November\n"><meta name="keywords" content="a, b"><p>second</p>',
    ],
    fields: [field("number", "string"), field("name", "string")],
  };

  const { record, bytes } = await rendered(template, { data: { number: "7/26", name: "Zoë & Søn \\)" } });

  const date = `D:${record.createdAt.slice(0, 19).replace(/[-:T]/g, "")}+00'00'`;
  expect(await infoOf(bytes)).toMatchObject({
    Title: "Rechnung 7/26 (漢字)",
    Author: "Zoë & Søn \\)",
    Subject: "November",
    Keywords: "a, b",
    CreationDate: date,
    ModDate: date,
  });
});

it("the PDF has the title of the template if the document has no title", async () => {
  const { bytes } = await rendered({ page: "<svg><title>a picture's</title></svg><p>x</p>" });

  expect((await infoOf(bytes))["Title"]).toBe("Test template");
});

it("the PDF has tags, a language and an outline", async () => {
  const { bytes } = await rendered({ page: "<h1>One</h1><h2>One a</h2><h1>Two</h1>" });

  const pdf = await getDocumentProxy(bytes);
  expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
  expect(await outlineOf(pdf)).toEqual([
    ["One", [["One a", []]]],
    ["Two", []],
  ]);
  expect((await pdf.getMetadata()).info).toMatchObject({ Language: "en-US" });
});

it("a long document is printed without tags and with a warning, but has the outline and the language", async () => {
  const template = {
    page:
      "<h1>Start</h1>{% for i in (1..2600) %}<p><b>{{ i }}</b> <i>x</i> <u>y</u></p>{% endfor %}" +
      '<h2 id="end">The end</h2><h3 style="display:none">never seen</h3><p>z</p>',
  };

  const { record, bytes } = await rendered(template);

  const pdf = await getDocumentProxy(bytes);
  expect(record.warnings).toEqual([expect.stringMatching(/too long for accessibility tags/)]);
  expect(await pdf.getMarkInfo()).toBeNull();
  expect(await outlineOf(pdf)).toEqual([["Start", [["The end", []]]]]);
  expect(await pageOf(pdf, "The end")).toBe(record.pageCount);
  expect((await pdf.getMetadata()).info).toMatchObject({ Language: "en-US" });
});

it("all 300 pages of a document are printed with page numbers", async () => {
  const sentence = "{{ i }}a {{ i }}b {{ i }}c {{ i }}d {{ i }}e {{ i }}f ";
  const template = {
    page: `{% for i in (1..300) %}<section style="break-before:page"><h2>Chapter {{ i }}</h2><p>${sentence}</p></section>{% endfor %}`,
    content: {
      header: "<b>Header</b>",
      footer: '<span class="pageNumber"></span> of <span class="totalPages"></span>',
    },
  };

  const { record, bytes } = await rendered(template);

  const text = (await readPages(bytes)).map((page) => page.text);
  expect(record).toMatchObject({ pageCount: 300, warnings: [] });
  const words = (page: string) => page.split(/\s+/).filter((word) => /^\d+[a-f]$/.test(word));
  expect(text.map(words)).toEqual(
    text.map((_, i) => ["a", "b", "c", "d", "e", "f"].map((letter) => `${i + 1}${letter}`)),
  );
  expect(text[299]).toContain("300 of 300");
});

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Outline = Awaited<ReturnType<Pdf["getOutline"]>>;
type Titles = [string, Titles][];

async function outlineOf(pdf: Pdf): Promise<Titles> {
  const titles = (items: Outline): Titles => (items ?? []).map(({ title, items: inner }) => [title, titles(inner)]);
  return titles(await pdf.getOutline());
}

/** Returns the page number, starting at 1, of the outline entry with the title `wanted`. */
async function pageOf(pdf: Pdf, wanted: string): Promise<number> {
  const all = (items: Outline): Outline => (items ?? []).flatMap((item) => [item, ...all(item.items as Outline)]);
  const entry = all(await pdf.getOutline()).find(({ title }) => title === wanted);
  const dest = typeof entry?.dest === "string" ? await pdf.getDestination(entry.dest) : entry?.dest;
  return 1 + (await pdf.getPageIndex(dest?.[0] as Parameters<Pdf["getPageIndex"]>[0]));
}

it.each([
  { what: "moves to the next page with the text below it", style: "", expected: ["filler", "Terms text"] },
  {
    what: "stays alone if the template allows it",
    style: "<style>h2{break-after:auto}</style>",
    expected: ["filler Terms", "text"],
  },
])("a heading at the foot of a page $what", async ({ style, expected }) => {
  const filler = '<div style="height:820px">filler</div>';
  const text = '<p style="break-inside:avoid;height:200px">text</p>';

  const { bytes } = await rendered({ page: `${style}${filler}<h2>Terms</h2>${text}` });

  const pages = await readPages(bytes);
  expect(pages.map(({ words }) => words.map((word) => word.text).join(" "))).toEqual(expected);
});
