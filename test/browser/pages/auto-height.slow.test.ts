// Tests pages that are as high as their content by the positions of text in real PDFs and the sizes of PNGs. The first and last
// lines of each document have the same style, so the distance between a line and its baseline is known.
import { describe, expect, it } from "vitest";
import { imageInfo } from "colophon-images/image-info";
import { customGeometry } from "colophon-page/page-geometry";
import { templateContent } from "colophon-test-kit/template-content";
import { type TenantOptions } from "../../fixtures/tenant.ts";
import { readPages, wordOn, type PrintedPage } from "../fixtures/printed-pages.ts";
import { rendered, type DocumentRecord } from "../fixtures/rendered.ts";

const margin = { top: 10, right: 12, bottom: 30, left: 12 };
const manifest = {
  ...templateContent({}).manifest,
  pageSize: "Custom" as const,
  page: customGeometry(302, "auto"),
  margin,
  fields: [],
};
const linePx = 20;
const css = `body{font:14px/${linePx}px 'Open Sans'} p,table{margin:0;border-spacing:0} td{padding:0}`;
const [first, last] = ["<p>First</p>", "<p>Last</p>"];

const created = ({ content, ...options }: TenantOptions, body: object = {}) =>
  rendered({ content: { manifest, css, ...content }, ...options }, body);

/** The lengths on the pages are in CSS pixels. */
async function printed(
  options: TenantOptions,
  body: object = {},
): Promise<{ record: DocumentRecord; pages: PrintedPage[] }> {
  const { record, bytes } = await created(options, body);
  const pages = (await readPages(bytes)).map(({ width, height, words, text }) => {
    return {
      width: width / 0.75,
      height: height / 0.75,
      words: words.map((word) => ({ ...word, top: word.top / 0.75 })),
      text,
    };
  });
  return { record, pages };
}

/** Returns the blank height between the last line on a page and the bottom margin, in CSS pixels. */
function whiteBelow(page: PrintedPage | undefined, { top, bottom } = margin, scale = 1): number {
  const aboveBaseline = (wordOn(page, "First")?.top ?? NaN) - top;
  return (page?.height ?? NaN) - (wordOn(page, "Last")?.top ?? NaN) - (linePx * scale - aboveBaseline) - bottom;
}

function expectExact(pages: PrintedPage[], margins = margin): void {
  expect(pages).toHaveLength(1);
  expect(Math.abs(whiteBelow(pages[0], margins))).toBeLessThanOrEqual(1);
}

function distance(page: PrintedPage | undefined): number {
  return (wordOn(page, "Last")?.top ?? NaN) - (wordOn(page, "First")?.top ?? NaN) - linePx;
}

/** Returns a receipt's page whose rows have different, fractional heights. */
const receipt = (count: number) =>
  `${first}<table style="width:100%">{% for i in (1..${count}) %}<tr style="font-size:{{ i | modulo: 3 | plus: 11 }}.3px;` +
  'line-height:1.37"><td>{{ i }} × Espresso doppio with a long name, number {{ i | times: 7919 }}</td>' +
  `<td>{{ i | times: 1.37 | currency: "EUR" }}</td></tr>{% endfor %}</table>${last}`;

describe.each([1, 300])("a receipt of %i items", (count) => {
  it("a receipt is one PDF page that ends one margin below the last line", async () => {
    const { record, pages } = await printed({ page: receipt(count) });

    expectExact(pages);
    expect(record).toMatchObject({ pageCount: 1, width: 302, warnings: [] });
    expect(record.height).toBe(Math.round(pages[0]?.height ?? 0));
  });
});

it.each(["code128", "datamatrix"])("the height of a page fits the exact height of a barcode: %s", async (kind) => {
  const [data, boxes] = [`"(91)AB" | barcode: "${kind}", 22`, [40, 90, 260]];
  const bars = boxes.map((px) => `<div style="width:${px}px">{{ ${data} }}</div>`).join("");

  const { pages } = await printed({ content: { pages: [{ name: "1.liquid", source: `${first}${bars}${last}` }] } });

  expect(distance(pages[0])).toBeCloseTo((3 * 22 * 96) / 25.4, 0);
});

it.each([
  ["does not include the bottom margin of the last block", `${first}<div><p style="margin-bottom:40px">Last</p></div>`],
  ["includes a float at the end", `${first}<p style="float:left">Last</p>`],
  ["includes a positioned box below the content", `${first}<p style="position:absolute;top:500px">Last</p>`],
  ["includes the margin of the first block", `<p style="margin-top:0">First</p><p style="margin-top:50px">Last</p>`],
  ["does not depend on page breaks", `${first}<p style="break-before:page">x</p><p style="page:other">Last</p>`],
  ["does not depend on markup after the end of the section", `${first}</div>text<p>Last</p>`],
])("the height of a page %s", async (_what, page) => {
  expectExact((await printed({ page })).pages);
});

it.each([
  ["a body that is at least as high as the window", "body{min-height:100vh}"],
  ["a body that centres", "body{min-height:100vh;display:flex;flex-direction:column;justify-content:center}"],
  ["a section that is at least as high as the window", ".page{min-height:100vh}"],
  ["sections of the page's height", ".page{min-height:var(--page-height)}"],
  ["sections that do not contain margins", ".page{display:block}"],
  ["@page rules with another size and other margins", "@page{size:A4!important;margin:3cm} @page :first{margin:0}"],
])("the height of a page does not depend on %s", async (_what, rule) => {
  expectExact((await printed({ page: `${first}${last}`, content: { css: css + rule } })).pages);
});

it("the height of a page includes the padding of the body", async () => {
  const { pages } = await printed({ page: `${first}${last}`, content: { css: `${css}body{padding:5px 0 25px}` } });

  expectExact(pages, { ...margin, top: margin.top + 5, bottom: margin.bottom + 25 });
});

it.each([margin.bottom, 400])(
  "the height of a page fits content that is shrunk because it is too wide, with a margin of %i px",
  async (bottom) => {
    const each = { ...margin, bottom };
    const wide = `<p style="width:390px">${"words that wrap at the width of the layout ".repeat(30)}</p>`;

    const { pages } = await printed({
      page: `${first}${wide}${last}`,
      content: { manifest: { ...manifest, margin: each } },
    });

    // The width between the margins is 278 px.
    expect(pages).toHaveLength(1);
    expect(Math.abs(whiteBelow(pages[0], each, 278 / 390))).toBeLessThanOrEqual(1);
  },
);

it("the height of a page fits wide content that is not shrunk, because it leaves the page on the left", async () => {
  const wide = `<p style="width:390px">${"words that wrap at the width of the layout ".repeat(30)}</p>`;

  const { pages } = await printed({ page: `${first}${wide}${last}`, content: { css: `${css}body{direction:rtl}` } });

  expectExact(pages);
});

it("each page file has its own page height", async () => {
  const tall = `${first}<div style="height:700.4px"></div>${last}`;

  const { record, pages } = await printed({ page: [`${first}${last}`, tall, `${first}${last}`] });

  expect(record.pageCount).toBe(3);
  expect(pages.map(({ height }) => Math.round(height))).toEqual([80, 780, 80]);
  for (const page of pages) expectExact([page]);
});

it("the height of a page includes a header and a footer that are higher than their margins", async () => {
  const content = {
    css: `${css}.tall{height:80px}`,
    header: "<div class='tall'>HEAD</div>",
    footer: "<div class='tall'>FOOT</div>",
  };

  const { pages } = await printed({ page: `${first}${last}`, content });

  // The header and the footer are each 116 px high: 80 px of content and 36 px of padding.
  expectExact(pages, { ...margin, top: 116, bottom: 116 });
  expect(pages[0]?.words.map(({ text }) => text)).toEqual(expect.arrayContaining(["First", "Last"]));
});

it("a request can make the pages of a paper template as high as their content", async () => {
  const content = { manifest: { ...templateContent({}).manifest, margin, fields: [] } };

  const { record, pages } = await printed({ page: `${first}${last}`, content }, { height: "auto" });

  expectExact(pages);
  expect([record.width, record.height]).toEqual([794, 80]);
});

it("the boxes in a PNG are as high as their content and the padding", async () => {
  const page = [`${first}<p style="margin-bottom:40px">Last</p>`, `<div style="height:100px"></div>`];

  const { record, bytes } = await created({ page }, { format: "png", deviceScaleFactor: 2 });

  expect(imageInfo(bytes)).toEqual({ type: "png", width: 604, height: 2 * (80 + 140) });
  expect(record).toMatchObject({ width: 302, height: 80, pageCount: 2 });
});

it("a page may have exactly the maximum height", async () => {
  const { record } = await printed({ page: "<div style='height:19160px'></div>" });

  expect(record).toMatchObject({ height: 19_200, pageCount: 1 });
});
