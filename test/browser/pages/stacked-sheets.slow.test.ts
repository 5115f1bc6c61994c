// Long documents whose sheets are stacked vertically on high pages. Documents with a link in the header have one sheet per
// page, so both variants are compared.
import { expect, it } from "vitest";
import { pagesOf } from "../fixtures/printed-pages.ts";

const pageCount = 45;
const number = '<span class="pageNumber"></span>';
const page = `{% for i in (1..${pageCount}) %}<p style="break-after:page;margin:0">body {{ i }}</p>{% endfor %}`;
const pages = Array.from({ length: pageCount }, (_, index) => index + 1);

it("each page of a long document gets its own header and footer", async () => {
  const header = `<b class="odd-page">odd ${number}</b><b class="even-page">even ${number}</b>`;
  const footer = `<i class="last-page">last </i>${number}/<span class="totalPages"></span>`;

  const printed = await pagesOf({ page, content: { header, footer } });

  const words = printed.map(({ text }) => text.replaceAll(/\s+/g, "").replaceAll(/\//g, " / "));
  expect(words.map((text) => [...text].toSorted().join(""))).toEqual(
    pages.map((page) => {
      const expected = `${page % 2 === 1 ? "odd" : "even"}${page}body${page}${page === pageCount ? "last" : ""}${page} / ${pageCount}`;
      return [...expected].toSorted().join("");
    }),
  );
});

const link = '<a href="https://example.com"></a>';
const content = `<span>A ${number}</span>`;

it.each([
  ["in plain headers", "", `<div style="display:flex;justify-content:space-between">${content}${content}</div>`],
  ["in headers beyond the page", "", `<div style="margin-top:-30px;line-height:20px">out<br>in<br>${content}</div>`],
  ["in fixed boxes", "", `<div style="position:fixed;left:30vw;top:5vh">${content}</div><p>${content}</p>`],
  ["on two sizes", "p:nth-of-type(3n){page:wide}@page wide{size:A5 landscape}", `<p align="right">${content}</p>`],
  [
    "in documents whose styles apply to all elements",
    "body *{opacity:.9;outline:1px solid red;overflow-clip-margin:99px}body>*{clip-path:circle(40%);translate:0 40px}",
    `<div>${content}</div>`,
  ],
])(
  "stacked sheets have the same words in the same places as sheets with their own pages (%s)",
  async (_what, css, header) => {
    const [stacked, single] = await Promise.all([
      pagesOf({ page, content: { header, css } }),
      pagesOf({ page, content: { header: `${header}${link}`, css } }),
    ]);

    expect(stacked).toHaveLength(pageCount);
    expect(stacked.map(rounded)).toEqual(single.map(rounded));
  },
);

/** Positions in tenths of a point. */
function rounded({ words }: Awaited<ReturnType<typeof pagesOf>>[number]) {
  return words.map(({ text, left, top }) => [text, Math.round(10 * left), Math.round(10 * top)]);
}
