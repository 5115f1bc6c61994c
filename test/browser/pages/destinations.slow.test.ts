// Tests where links and bookmarks lead, by comparing their targets with the positions of the printed headings. pdf.js reads both.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { pdfMerger } from "colophon-pdf/merge-pdfs";
import type { TenantOptions } from "../../fixtures/tenant.ts";
import { readPages, wordOn } from "../fixtures/printed-pages.ts";
import { rendered } from "../fixtures/rendered.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Bookmark = { title: string; dest: string | unknown[] | null; items: Bookmark[] };

/**
 * Returns the distances, downwards and to the right in points, of the heading from the places to which its links and its bookmark lead.
 */
async function distances(bytes: Uint8Array): Promise<Record<string, [down: number, right: number][]>> {
  const pdf = await getDocumentProxy(bytes.slice());
  const pages = await readPages(bytes);
  const found: Record<string, [number, number][]> = {};
  for (const { text, dest } of [...(await bookmarks(pdf)), ...(await links(pdf))]) {
    const place = (typeof dest === "string" ? await pdf.getDestination(dest) : dest) as [
      { num: number },
      0,
      number,
      number,
    ];
    const page = pages[await pdf.getPageIndex(place[0] as never)];
    const heading = wordOn(page, text);
    const measured: [number, number] =
      page && heading ? [heading.top - heading.sizePt - (page.height - place[3]), heading.left - place[2]] : [NaN, NaN];
    (found[text] ??= []).push(measured);
  }
  return found;
}

async function bookmarks(pdf: Pdf) {
  const all = (items: Bookmark[]): Bookmark[] => items.flatMap((item) => [item, ...all(item.items)]);
  const outline = ((await pdf.getOutline()) ?? []) as Bookmark[];
  return all(outline).flatMap(({ title: text, dest }) => (text.startsWith("HEAD") ? [{ text, dest }] : []));
}

/** The name of the destination of a link to a heading is the end of its text. */
async function links(pdf: Pdf) {
  const pages = Array.from({ length: pdf.numPages }, (_, index) => pdf.getPage(index + 1));
  const annotations = (await Promise.all(pages.map(async (page) => (await page).getAnnotations()))).flat();
  return (annotations as { dest?: string | unknown[] }[]).flatMap(({ dest }) =>
    typeof dest === "string" && /^c\d/.test(dest) ? [{ text: `HEAD${dest.slice(1)}x`, dest }] : [],
  );
}

const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
const contents = `<ul>${numbers.map((n) => `<li><a href="#c${n}">to ${n}</a></li>`).join("")}</ul>`;
const chapter = (n: number, attributes = "") => `<h2 id="c${n}" ${attributes}>HEAD${n}x</h2><p class="fill">text</p>`;
const chapters = numbers.map((n) => chapter(n)).join("");
const base = "h2 { margin: 0; font-size: 20px; line-height: 1.2 } .fill { height: 330px; margin: 0 }";
const page = contents + chapters;

/** `right` is how far the text of a heading may be from the place to which the link leads. */
const documents: Record<string, TenantOptions & { css?: string; right?: number }> = {
  "with ordinary margins": { page },
  "with a top margin of 60 mm": { page, css: "@page { margin: 60mm 20mm 20mm }" },
  "without margins": { page, css: "@page { margin: 0 }" },
  "with a high first margin": { page, css: "@page :first { margin-top: 90mm }" },
  "with left and right pages": {
    page,
    css: "@page :left { margin: 10mm 40mm 70mm 10mm } @page :right { margin: 70mm 10mm 10mm 40mm }",
  },
  "with headers": { page, content: { header: "<p>head</p>", footer: '<a href="#c5">to 5</a>' } },
  "with a grown header": {
    page,
    content: { header: '<div style="height: 200px">{{ page.number }}<br><a href="#c7">to 7</a></div>' },
  },
  "with a header that differs from page to page": {
    page,
    content: { header: '<div class="first-page" style="height: 250px">1</div><div class="even-page">2</div>' },
  },
  "on named pages with other margins": {
    page: `${contents}${chapter(1)}${chapter(2)}<div class="wide">${chapter(3)}${chapter(4)}</div>${chapter(5)}${chapter(6)}`,
    css: "@page wide { size: A4 landscape; margin: 80mm 5mm 5mm 90mm } .wide { page: wide }",
  },
  "on pages of different sizes": {
    page: `${contents}${chapter(1)}<div class="low">${chapter(2)}${chapter(3)}</div>${chapter(4)}${chapter(5)}${chapter(6)}`,
    css: "@page low { size: 148mm 110mm; margin: 9mm } .low { page: low }",
  },
  "after a low page": {
    page: `<div class="low">${contents}</div><div style="height: 400px">x</div>${chapter(1)}${chapter(2)}`,
    css: "@page low { size: 148mm 110mm; margin: 9mm } .low { page: low }",
  },
  "in a document that is shrunk to the width of the page": { page: `<div style="width: 900px">wide</div>${page}` },
  "with blank pages": { page, css: "h2 { break-before: right }" },
  "with a background and boxes in the margins": {
    page,
    css: "html { background: #eef } @page { margin-top: 30mm; @top-left { content: 'top' } @bottom-right { content: counter(page) } }",
  },
  "with borders of the page": { page, css: "@page { border: 9px solid; padding: 30px; margin: 20mm }" },
  "in boxes that clip their content": {
    page: numbers.map((n) => `<div class="box">${chapter(n)}</div>`).join("") + contents,
    css: ".box { overflow: hidden; margin: 40px 0 0 50px }",
    right: 30,
  },
  "on transparent paper": { page, css: "body { opacity: .5 }" },
  // Chromium 127 leaves the destination of a heading behind when it moves the heading to the next column.
  "in columns": { page, css: "body { columns: 2 } .fill { height: 280px } h2 { break-after: auto }", right: 30 },
  "with moved headings": { page, css: "h2 { transform: translate(40px, 60px) } @page { margin-top: 40mm }" },
  "below a moved heading": {
    page: numbers.map((n) => `<p style="transform: translateY(90px)">moved</p>${chapter(n)}`).join("") + contents,
    css: "h2 { break-before: page } @page { margin-top: 40mm }",
  },
  "with relative positions": { page, css: "h2 { position: relative; top: 50px; left: 60px }" },
  "in a table": {
    page: `${contents}<table>${numbers.map((n) => `<tr><td>${chapter(n)}</td></tr>`).join("")}</table>`,
    css: "td { padding: 0 } @page { margin-top: 50mm }",
  },
  "with ids inside the headings": {
    page: contents + numbers.map((n) => `<h2><span id="c${n}">HEAD${n}x</span></h2><p class="fill">x</p>`).join(""),
    css: "@page { margin-top: 50mm }",
  },
  "in several page files": {
    page: [contents, chapter(1) + chapter(2), chapter(3), ...numbers.slice(3).map((n) => chapter(n))],
  },
};

/** A heading begins with its ascent, and Chromium writes places in whole pixels. */
const [minDown, maxDown] = [-2, 10];

it.each(Object.keys(documents))("links and bookmarks lead to their headings, %s", async (name) => {
  const { css = "", content, right = 10, ...options } = documents[name] ?? {};
  const { bytes } = await rendered({ ...options, content: { ...content, css: base + css } });

  const found = await distances(bytes);

  expect(Object.keys(found).length).toBeGreaterThan(1);
  const wrong = Object.entries(found).filter(
    ([, places]) =>
      places.length < 2 ||
      places.some(([down, across]) => !(down > minDown && down < maxDown && across > -2 && across < right)),
  );
  expect(wrong).toEqual([]);
});

it("links and bookmarks of a merged file lead to their headings", async () => {
  const css = `${base} @page { margin: 60mm 20mm 20mm }`;
  const { bytes } = await rendered({ page, content: { css } });
  const merger = pdfMerger({ title: "All", language: "en", createdAt: 0 });
  const merged = new Uint8Array(
    Buffer.concat([merger.add(bytes, "A").bytes, merger.add(bytes, "B").bytes, merger.finish()]),
  );

  const found = await distances(merged);

  const places = numbers.map((n) => found[`HEAD${n}x`]?.map(([down]) => down > minDown && down < maxDown));
  expect(places).toEqual(numbers.map(() => [true, true]));
});
