import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { openPdf } from "../src/file/open-pdf.ts";
import { maxContentBytes, unstackSheets } from "../src/parts/unstack-sheets.ts";
import { assembled, chromiumPdf, drawings, stacked, stackedContent, stackPdf, type StackParts } from "./inputs.ts";

const unstacked = (parts: StackParts = {}, places = stacked) => unstackSheets(openPdf(stackPdf(parts)), places);

it("the boxes and the contents of sheets that share a page are found", () => {
  const [first, second] = unstacked() ?? [];

  expect([first?.cut?.box, second?.cut?.box]).toEqual([
    { left: 0, bottom: 250, right: 300, top: 400 },
    { left: 0, bottom: 70, right: 300, top: 220 },
  ]);
  const texts = [first, second].map((part) => latin1(inflateSync(part?.cut?.content ?? new Uint8Array())));
  expect(texts.map((text) => text.trim())).toEqual(drawings.map((drawing) => `.75 0 0 -.75 0 400 cm\n${drawing}`));
});

it("a sheet that has its own page is not changed", () => {
  expect(unstacked({ text: "anything" }, [{ page: 0, area: null }])).toEqual([{ page: 0, cut: null }]);
});

it.each<[string, StackParts]>([
  ["whose page has annotations", { page: "/Annots []" }],
  ["whose content is not compressed", { entries: "", compress: (text) => Buffer.from(text) }],
  ["whose content has a predictor", { entries: "/Filter /FlateDecode /DecodeParms <</Predictor 12>>" }],
  ["whose content is compressed twice", { entries: "/Filter [/FlateDecode /FlateDecode]" }],
  ["whose content cannot be attributed", { text: `${stackedContent} 0 0 9 9 re f` }],
])("sheets cannot be separated %s", (_what, parts) => {
  expect(unstacked(parts)).toBeNull();
});

it("sheets cannot be separated when their page is missing", () => {
  expect(unstacked({}, [{ page: 1, area: { topPx: 0, heightPx: 200 } }])).toBeNull();
});

it("sheets cannot be separated when the contents of all pages are too long together", () => {
  const text = `${stackedContent}${" ".repeat(maxContentBytes / 2)}`;
  const places = [0, 1].map((page) => ({ page, area: { topPx: 0, heightPx: 200 } }));

  expect(unstacked({ text, pages: 1 }, stacked)).not.toBeNull();
  expect(unstacked({ text, pages: 2 }, [...stacked, ...places])).toBeNull();
});

it("sheets from the same page are put onto the body with the resources that they share", () => {
  const file = openPdf(stackPdf());
  const parts = unstackSheets(file, stacked);

  const read = readPdf(assembled(chromiumPdf(), { sheets: { file, ofPage: [1], parts } }).bytes);

  const form = Number(/\/Sheet (\d+) 0 R/.exec(read.objects.get(3) ?? "")?.[1]);
  const resources = Number(/\/Resources (\d+) 0 R/.exec(read.objects.get(form) ?? "")?.[1]);
  expect(read.objects.get(form)).toContain("/BBox [0 70 300 220]");
  expect(read.objects.get(resources)).toMatch(/^<<\/Font <<\/F1 \d+ 0 R>>>>$/);
  expect([...read.streams.values()].map(latin1)).toContain(
    "Q /Artifact<</Type/Pagination>>BDC q 1 0 0 1 0 180 cm /Sheet Do Q EMC",
  );
});
