import { expect, it } from "vitest";
import { pdf } from "colophon-test-kit/pdf";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { startAssembly } from "../src/assemble-pdf.ts";
import { insertBlankPages } from "../src/file/blank-pages.ts";
import { destinationPages, readDestinations } from "../src/file/destinations.ts";
import { openPdf } from "../src/file/open-pdf.ts";
import { pageBoxes, readPages } from "../src/file/page-tree.ts";
import { metadata, stream } from "./inputs.ts";

/** The third page has its own node in the page tree. The pages are 100, 200 and 300 points wide. */
function threePages() {
  const page = (parent: number, width: number, content: number) =>
    `<</Type /Page /Parent ${parent} 0 R /MediaBox [0 0 ${width} 400] /Contents ${content} 0 R>>`;
  const area = (page: number) =>
    stream(
      `.25 0 0 -.25 0 400 cm\nq\n80 200 300 1200 re\nW* n\nq\n3 0 0 3 80 ${200 - 1200 * page} cm\n(text) Tj\nQ\nQ\n`,
    );
  return openPdf(
    pdf([
      "<</Type /Catalog /Pages 2 0 R /Dests 10 0 R>>",
      "<</Type /Pages /Count 3 /Kids [3 0 R 6 0 R]>>",
      "<</Type /Pages /Parent 2 0 R /Count 2 /Kids [4 0 R 5 0 R]>>",
      ...[page(3, 100, 7), page(3, 200, 8), page(2, 300, 9)],
      ...[0, 1, 2].map(area),
      "<</a [4 0 R /XYZ 0 390 0] /b [5 0 R /XYZ 0 90 0] /c [6 0 R /XYZ 0 -210 0]>>",
    ]),
  );
}

it("a blank page has the size of the page on the other side of its sheet", () => {
  const widthsOf = (before: number[]) =>
    pageBoxes(insertBlankPages(threePages(), { before, boxes: new Set() }).file).map(({ widthPt }) => widthPt);

  expect(widthsOf([1, 2])).toEqual([100, 100, 200, 200, 300]);
  expect(widthsOf([0, 1])).toEqual([100, 100, 200, 200, 300]);
  expect(widthsOf([2])).toEqual([100, 200, 300, 300]);
});

it("destinations keep their places on their pages when blank pages are inserted", () => {
  const [before, after] = [threePages(), insertBlankPages(threePages(), { before: [0, 1, 2], boxes: new Set() }).file];
  const heights = (file: typeof before) => [...readDestinations(file, readPages(file)).values()].map(({ yPt }) => yPt);

  expect([...destinationPages(after)]).toEqual(Object.entries({ a: 1, b: 3, c: 5 }));
  expect(heights(after)).toEqual(heights(before));
});

it("the finished file has the blank pages once, and counts them in each node of the page tree", () => {
  const { bytes } = startAssembly({
    body: insertBlankPages(threePages(), { before: [1, 2], boxes: new Set() }).file,
  }).finish({
    sheets: null,
    metadata,
    headings: [],
  });

  const sources = [...readPdf(bytes).objects.values()];
  const counts = sources.flatMap((source) => /\/Type\s*\/Pages.*\/Count (\d+)/s.exec(source)?.[1] ?? []);
  expect(counts.map(Number).toSorted()).toEqual([3, 5]);
  expect(sources.filter((source) => /\/Type\s*\/Page\b/.test(source))).toHaveLength(5);
  expect(sources.filter((source) => /\/Type\s*\/Page\b/.test(source) && !source.includes("/Contents"))).toHaveLength(2);
});
