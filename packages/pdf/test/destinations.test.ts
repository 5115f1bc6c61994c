import { expect, it } from "vitest";
import { pdf } from "colophon-test-kit/pdf";
import { readPdf, referenceIn } from "colophon-test-kit/pdf-reader";
import { destinationPages, readDestinations } from "../src/file/destinations.ts";
import { openPdf } from "../src/file/open-pdf.ts";
import { readPages } from "../src/file/page-tree.ts";
import { assembled, stream } from "./inputs.ts";

/** The content of a page of 300 x 400 points with this clip and this matrix, whose unit is a quarter of a point. */
const drawn = (clip: string, matrix = "1 0 0 1 0 0") =>
  `.25 0 0 -.25 0 400 cm\nq\n${clip} re\nW* n\nq\n${matrix} cm\n(text) Tj\nQ\nQ\n`;

/** Margins of 20 points at the left and 50 at the top and at the bottom. The areas are 300 points high. */
const ordinary = [0, 1, 2].map((page) => drawn("80 200 1000 1200", `3 0 0 3 80 ${200 - 1200 * page}`));

/** Returns a file of three pages, the objects 3 to 5, with these destinations and contents. */
function threePages(entries: string, contents = ordinary) {
  const page = (content: number) => `<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents ${content} 0 R>>`;
  return pdf([
    "<</Type /Catalog /Pages 2 0 R /Dests 6 0 R>>",
    "<</Type /Pages /Count 3 /Kids [3 0 R 4 0 R 5 0 R]>>",
    ...[7, 8, 9].map(page),
    `<<${entries}>>`,
    ...contents.map((content) => stream(content)),
  ]);
}

function found(entries: string, contents?: string[]) {
  const file = openPdf(threePages(entries, contents));
  return Object.fromEntries(readDestinations(file, readPages(file)));
}

const heights = (entries: string, contents?: string[]) => Object.values(found(entries, contents)).map(({ yPt }) => yPt);

it("a destination is found with its page by its name", () => {
  const file = openPdf(
    threePages("/first [3 0 R /XYZ 7 390 0] /#C3#BC#23 [5 0 R /XYZ null 100.5 0] /none [6 0 R /Fit]"),
  );

  expect([...destinationPages(file)]).toEqual([
    ["first", 0],
    ["ü#", 2],
  ]);
});

it("a destination is moved by the margins of its page", () => {
  const contents = [...ordinary.slice(0, 2), drawn("40 400 1000 1200", "3 0 0 3 40 -2000")];

  expect(found("/a [3 0 R /XYZ 7 390 0] /b [5 0 R /XYZ null 390 0]", contents)).toEqual({
    a: { page: 0, xPt: 27, yPt: 340 },
    b: { page: 2, xPt: 10, yPt: 290 },
  });
});

it("a height that was measured from the top of the first page is corrected", () => {
  const entries = "/a [3 0 R /XYZ 0 390 0] /b [4 0 R /XYZ 0 90 0] /c [5 0 R /XYZ 0 -210 0] /d [5 0 R /XYZ 0 -400 0]";

  expect(heights(entries)).toEqual([340, 340, 340, 150]);
});

it("the distances of destinations are scaled in a document that was shrunk", () => {
  const contents = [0, 1, 2].map((page) => drawn("80 200 1000 1200", `2 0 0 2 80 ${200 - 1200 * page}`));

  const places = found("/a [3 0 R /XYZ 30 370 0] /b [4 0 R /XYZ 0 -65 0]", contents);

  expect(places["a"]).toEqual({ page: 0, xPt: 40, yPt: expect.closeTo(330) });
  expect(places["b"]?.yPt).toBeCloseTo(340);
});

it("the margins of a page are found if its content is in boxes that clip it", () => {
  const contents = [0, 1, 2].map((page) => drawn("120 300 500 700", `3 0 0 3 80 ${200 - 1200 * page}`));

  expect(heights("/a [3 0 R /XYZ 0 390 0] /b [5 0 R /XYZ 0 390 0]", contents)).toEqual([340, 340]);
});

it("a rotated page is shown from its top, and a blank page has the margins of the page before it", () => {
  const contents = [drawn("80 200 1000 1200", "0 -3 3 0 80 900"), drawn("80 200 1000 1200", "3 0 0 3 80 -800"), ""];

  expect(heights("/a [3 0 R /XYZ 100 9 0] /b [4 0 R /XYZ 0 390 0] /c [5 0 R /XYZ 0 390 0]", contents)).toEqual([
    350, 340, 340,
  ]);
});

it("a destination with an impossible height is placed at the top of its page", () => {
  const entries = "/a [4 0 R /XYZ 0 -900 0] /b [4 0 R /XYZ 0 9000 0] /c [4 0 R /XYZ 0 -10 0]";

  expect(heights(entries)).toEqual([400, 400, 240]);
});

it("a destination that is on no page of the file is left out", () => {
  expect(found("/a [6 0 R /Fit] /b [0 /Fit] /c /first /d 5 /e [99 0 R /Fit] /f <<>>")).toEqual({});
});

it("the corrected destinations are written in the order of their names", () => {
  const body = threePages("/c [5 0 R /XYZ 0 -210 0] /a [3 0 R /XYZ 0 390 0] /b#20#28 [4 0 R /XYZ 0 90 0]");

  const { objects, trailer } = readPdf(assembled(body).bytes);

  const catalog = objects.get(referenceIn(trailer, "Root"));
  expect(objects.get(referenceIn(catalog, "Dests"))).toBe(
    "<</a[3 0 R/XYZ 20 340 0]/b#20#28[4 0 R/XYZ 20 340 0]/c[5 0 R/XYZ 20 340 0]>>",
  );
});
