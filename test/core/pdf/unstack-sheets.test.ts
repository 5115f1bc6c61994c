import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openPdf } from "../../../src/core/pdf/file/open-pdf.ts";
import { unstackSheets, type Compression } from "../../../src/core/pdf/parts/unstack-sheets.ts";
import type { SheetPlace } from "../../../src/core/rendering/prepared-page.ts";
import { latin1, pdf } from "../../fixtures/pdf.ts";
import { readPdf } from "../../fixtures/pdf-reader.ts";
import { assembled, chromiumPdf } from "./inputs.ts";

const compression: Compression = { deflate: deflateSync, inflate: (bytes) => inflateSync(bytes) };

/** A page of 400 points for two sheets, which are 200 px high and begin 240 px below each other. */
const stacked: SheetPlace[] = [
  { page: 0, area: { topPx: 0, heightPx: 200 } },
  { page: 0, area: { topPx: 240, heightPx: 200 } },
];
const drawings = ["q 0 0 300 200 re W n (a) Tj Q", "q 0 240 300 200 re W n (b) Tj Q"];
const content = `.75 0 0 -.75 0 400 cm ${drawings.join(" ")}`;

type Parts = { text?: string; page?: string; entries?: string; compress?: (text: string) => Uint8Array };

const deflated = (text: string) => deflateSync(Buffer.from(text, "latin1"));

function stackPdf({ text = content, page = "", entries = "/Filter /FlateDecode", compress = deflated }: Parts = {}) {
  const data = compress(text);
  return pdf([
    "<</Type /Catalog /Pages 2 0 R>>",
    "<</Type /Pages /Count 1 /Kids [3 0 R]>>",
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>> ${page}>>`,
    `<</Length ${data.length} ${entries}>> stream\n${Buffer.from(data).toString("latin1")}\nendstream`,
    "<</Type /Font>>",
  ]);
}

const unstacked = (parts: Parts = {}, places = stacked) => unstackSheets(openPdf(stackPdf(parts)), places, compression);

it("finds the boxes and the contents of sheets on the same page", () => {
  const [first, second] = unstacked() ?? [];

  expect([first?.cut?.box, second?.cut?.box]).toEqual([
    { left: 0, bottom: 250, right: 300, top: 400 },
    { left: 0, bottom: 70, right: 300, top: 220 },
  ]);
  const texts = [first, second].map((part) => latin1(inflateSync(part?.cut?.content ?? new Uint8Array())));
  expect(texts.map((text) => text.trim())).toEqual(drawings.map((drawing) => `.75 0 0 -.75 0 400 cm\n${drawing}`));
});

it("takes a sheet that has a page of its own as it is", () => {
  expect(unstacked({ text: "anything" }, [{ page: 0, area: null }])).toEqual([{ page: 0, cut: null }]);
});

describe("cannot take sheets apart", () => {
  it.each<[string, Parts]>([
    ["whose page has annotations", { page: "/Annots []" }],
    ["whose content is not compressed", { entries: "", compress: (text) => Buffer.from(text) }],
    ["whose content has a predictor", { entries: "/Filter /FlateDecode /DecodeParms <</Predictor 12>>" }],
    ["whose content is compressed twice", { entries: "/Filter [/FlateDecode /FlateDecode]" }],
    ["whose content cannot be attributed", { text: `${content} 0 0 9 9 re f` }],
  ])("%s", (_what, parts) => {
    expect(unstacked(parts)).toBeNull();
  });

  it("when their page is missing", () => {
    expect(unstacked({}, [{ page: 1, area: { topPx: 0, heightPx: 200 } }])).toBeNull();
  });
});

it("puts sheets from the same page onto the body, with resources that they share", () => {
  const file = openPdf(stackPdf());
  const parts = unstackSheets(file, stacked, compression);

  const read = readPdf(assembled(chromiumPdf(), { sheets: { file, ofPage: [1], parts } }).bytes);

  const form = Number(/\/Sheet (\d+) 0 R/.exec(read.objects.get(3) ?? "")?.[1]);
  const resources = Number(/\/Resources (\d+) 0 R/.exec(read.objects.get(form) ?? "")?.[1]);
  expect(read.objects.get(form)).toContain("/BBox [0 70 300 220]");
  expect(read.objects.get(resources)).toMatch(/^<<\/Font <<\/F1 \d+ 0 R>>>>$/);
  expect([...read.streams.values()].map(latin1)).toContain(
    "Q /Artifact<</Type/Pagination>>BDC q 1 0 0 1 0 180 cm /Sheet Do Q EMC",
  );
});
