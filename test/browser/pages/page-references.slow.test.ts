// Tests the numbers in the tables of contents of long documents.
import { expect, it } from "vitest";
import { chapters, numbersOf, printed, tableOfContents, tocStyles, words } from "../fixtures/reference-documents.ts";

it.each([
  ["a contract of 15 pages", { entries: 24, words: 330, pages: [14, 22] }],
  ["a book of 300 pages", { entries: 200, words: 760, pages: [280, 320] }],
])(
  "shows the right page for every entry of %s",
  async (_what, { entries, words: count, pages: [min = 0, max = 0] }) => {
    const all = chapters(entries);
    const toc = `${tableOfContents(all)}<div style="break-after:page"></div>`;
    const body = all.map(
      ({ id, name }, index) => `<h2 id="${id}">${name}</h2><p>${words(count + ((index * 37) % 240))}</p>`,
    );

    const document = await printed(`${tocStyles}h2{break-after:avoid}`, toc + body.join(""));

    const tocPages = Math.ceil(entries / 48);
    const numbers = numbersOf(document, all, tocPages);
    expect(numbers.filter(({ shown, found }) => shown !== found)).toEqual([]);
    expect(document.pageCount).toBeGreaterThanOrEqual(min);
    expect(document.pageCount).toBeLessThanOrEqual(max);
    expect(document).toMatchObject({ prints: 2, warnings: [] });
  },
);
