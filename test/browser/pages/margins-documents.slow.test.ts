// Compares the positions of the words in headers and footers with fixed numbers, which hold for every Chromium. A browser
// that loses a header or a page number, or puts it somewhere else, fails here.
import { describe, expect, inject, it } from "vitest";
import type { TenantOptions } from "../../fixtures/tenant.ts";
import { pagesOf } from "../fixtures/printed-pages.ts";
import { scripts } from "../fixtures/scripts.ts";

const number = '<span class="pageNumber"></span>';
const total = '<span class="totalPages"></span>';
const row = "display:flex;justify-content:space-between";

/** In points. */
const tolerance = 1;

/** A word of a header or footer, and the distances of the start of its baseline from the left and top edges, in points. */
type Placed = [text: string, left: number, top: number];

/** Returns the words of each page that do not belong to the body, from the top to the bottom. */
async function marginWords(options: TenantOptions): Promise<Placed[][]> {
  return (await pagesOf(options)).map(({ words }) =>
    words
      .filter(({ text }) => !text.includes("body"))
      .map(({ text, left, top }): Placed => [text.trim(), left, top])
      .toSorted(([, leftA, topA], [, leftB, topB]) => topA - topB || leftA - leftB),
  );
}

function expectPlaced(actual: Placed[][], expected: Placed[][]): void {
  const texts = (pages: Placed[][]) => pages.map((page) => page.map(([text]) => text));
  expect(texts(actual)).toEqual(texts(expected));
  for (const [page, words] of expected.entries()) {
    for (const [index, [text, left, top]] of words.entries()) {
      const [, actualLeft = NaN, actualTop = NaN] = actual[page]?.[index] ?? [];
      const distance = Math.max(Math.abs(actualLeft - left), Math.abs(actualTop - top));
      expect(distance, `${text} on page ${page + 1} at ${actualLeft}, ${actualTop}`).toBeLessThanOrEqual(tolerance);
    }
  }
}

describe("every Chromium puts the words of headers and footers at the same positions", () => {
  it("when they differ from page to page and contain links and counters", async () => {
    const actual = await marginWords({
      page: ["<p>body</p>", "<p>body</p>", '<p id="end">body</p>'],
      content: {
        header: `<div style="${row}"><b class="first-page">First</b><b class="later-pages">Later</b><i class="odd-page">odd</i><i class="even-page">even</i><u class="last-page">last</u></div>`,
        footer: `<table style="width:100%"><tr><td>${number}/${total}<td style="text-align:right;font-size:20px">${number} <a href="#end">end</a></table>`,
      },
    });

    expectPlaced(actual, [
      [
        ["First", 36, 29.2],
        ["odd", 540.9, 29.2],
        ["1/3", 38.2, 813.7],
        ["1 end", 517.4, 816],
      ],
      [
        ["Later", 36, 29.2],
        ["even", 537.6, 29.2],
        ["2/3", 38.2, 813.7],
        ["2 end", 517.4, 816],
      ],
      [
        ["Later", 36, 29.2],
        ["odd", 293.7, 29.2],
        ["last", 541.7, 29.2],
        ["3/3", 38.2, 813.7],
        ["3 end", 517.4, 816],
      ],
    ]);
  });

  it("when the pages have several sizes", async () => {
    const actual = await marginWords({
      page: ["<p>body</p>", "<p>body</p>", "<p>body</p>"],
      content: {
        css: "@page wide{size:297mm 210mm} @page small{size:105mm 148mm} .page-2{page:wide} .page-3{page:small}",
        header: `<div style="${row}"><b>left</b><b>right</b></div>`,
        footer: `<p style="margin:0;text-align:center">page ${number}</p>`,
      },
    });

    expectPlaced(actual, [
      [
        ["left", 36, 29.2],
        ["right", 533.6, 29.2],
        ["page 1", 281.2, 819.7],
      ],
      [
        ["left", 36, 29.2],
        ["right", 780.5, 29.2],
        ["page 2", 404.6, 572.2],
      ],
      [
        ["left", 36, 29.2],
        ["right", 236.2, 29.2],
        ["page 3", 132.4, 397.3],
      ],
    ]);
  });

  it("when they are higher than their margins", async () => {
    const actual = await marginWords({
      page: "{% for i in (1..6) %}<p style='margin:0;height:300px'>body</p>{% endfor %}",
      content: {
        header: `<div class="odd-page" style="height:200px">high</div><div class="even-page">low</div>`,
        footer: "{% if page.number == 2 %}<div style='height:150px'>tall</div>{% else %}short{% endif %}",
      },
    });

    expectPlaced(actual, [
      [
        ["high", 36, 29.2],
        ["short", 36, 819.7],
      ],
      [
        ["low", 36, 29.2],
        ["tall", 36, 723],
      ],
      [
        ["high", 36, 29.2],
        ["short", 36, 819.7],
      ],
    ]);
  });

  it("when the document is written from right to left", async () => {
    const hebrew = scripts.find(({ name }) => name === "Hebrew");
    const { css, assets } = inject("fonts")["Hebrew"] ?? { css: "", assets: {} };
    const actual = await marginWords({
      page: ["<p>body</p>", "<p>body</p>"],
      content: {
        css: `${css} html{direction:rtl} .text{font:16px/24px Script}`,
        assets,
        header: `<div class="text">${hebrew?.text.slice(0, 8)}</div>`,
        footer: `<div style="${row}"><span>${number}</span><span>${total} end</span></div>`,
      },
    });

    expectPlaced(actual, [
      [
        ["לשלם", 513.9, 31.5],
        ["נא", 546.9, 31.5],
        ["end 2", 36, 819.7],
        ["1", 553, 819.7],
      ],
      [
        ["לשלם", 513.9, 31.5],
        ["נא", 546.9, 31.5],
        ["end 2", 36, 819.7],
        ["2", 553, 819.7],
      ],
    ]);
  });

  it("when the styles of the body would move or hide them", async () => {
    const actual = await marginWords({
      page: "<p>body</p>",
      content: {
        css: "html{background:gold;zoom:1}body{columns:2;margin:40px;transform:scale(.5);writing-mode:vertical-rl;opacity:.5}body>:last-child{opacity:1}",
        header: `<div>header ${number}</div>`,
        footer: `<div>footer ${total}</div>`,
      },
    });

    expectPlaced(actual, [
      [
        ["header 1", 36, 29.2],
        ["footer 1", 36, 819.7],
      ],
    ]);
  });
});
