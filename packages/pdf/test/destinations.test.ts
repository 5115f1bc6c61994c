import { expect, it } from "vitest";
import { destinations } from "../src/file/destinations.ts";
import { openPdf } from "../src/file/open-pdf.ts";
import { pdf } from "../../../test/fixtures/pdf.ts";
import { readPdf, referenceIn } from "../../../test/fixtures/pdf-reader.ts";
import { assembled } from "./inputs.ts";

const page = "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 400]>>";

/** Returns a file of three pages, the objects 3 to 5, with these destinations. */
function threePages(entries: string) {
  return pdf([
    "<</Type /Catalog /Pages 2 0 R /Dests 6 0 R>>",
    "<</Type /Pages /Count 3 /Kids [3 0 R 4 0 R 5 0 R]>>",
    page,
    page,
    page,
    `<<${entries}>>`,
  ]);
}

/** The content of each page is 300 points high. */
const found = (entries: string) =>
  Object.fromEntries(destinations(openPdf(threePages(entries)), { contentHeightPt: 300 }));

it("returns the page and the place of each destination by its name", () => {
  const places = found("/first [3 0 R /XYZ 7 390 0] /#C3#BC#23 [5 0 R /XYZ null 100.5 0]");

  expect(places).toEqual({
    first: { page: 0, xPt: 7, yPt: 390 },
    "ü#": { page: 2, xPt: 0, yPt: 100.5 },
  });
});

it("corrects heights that were measured from the top of the first page", () => {
  const places = found(
    "/a [3 0 R /XYZ 0 390 0] /b [4 0 R /XYZ 0 90 0] /c [5 0 R /XYZ 0 -210 0] /d [5 0 R /XYZ 0 -400 0]",
  );

  expect(Object.values(places).map(({ yPt }) => yPt)).toEqual([390, 390, 390, 200]);
});

it("places a destination at the top of its page if its height cannot be right", () => {
  const places = found("/a [4 0 R /XYZ 0 -900 0] /b [4 0 R /XYZ 0 9000 0] /c [4 0 R /Fit] /d [4 0 R /XYZ 0 (x) 0]");

  expect(Object.values(places).map(({ yPt }) => yPt)).toEqual([400, 400, 400, 400]);
});

it("leaves out destinations that are on no page of the file", () => {
  expect(found("/a [6 0 R /Fit] /b [0 /Fit] /c /first /d 5 /e [99 0 R /Fit] /f <<>>")).toEqual({});
});

it("writes the corrected destinations in the order of their names", () => {
  const body = threePages("/c [5 0 R /XYZ 0 -210 0] /a [3 0 R /XYZ 0 390 0] /b#20#28 [4 0 R /XYZ 0 90 0]");

  const { objects, trailer } = readPdf(assembled(body).bytes);

  const catalog = objects.get(referenceIn(trailer, "Root"));
  expect(objects.get(referenceIn(catalog, "Dests"))).toBe(
    "<</a[3 0 R/XYZ 0 390 0]/b#20#28[4 0 R/XYZ 0 390 0]/c[5 0 R/XYZ 0 390 0]>>",
  );
});
