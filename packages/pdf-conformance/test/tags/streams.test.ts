import { deflateSync, inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { openPdf } from "colophon-pdf/open-pdf";
import { readPages } from "colophon-pdf/page-tree";
import { latin1 } from "colophon-test-kit/pdf";
import { chromiumPdf, stream } from "../../../pdf/test/inputs.ts";
import { contentBoxes } from "../../src/tags/content-boxes.ts";
import { placesOf } from "../../src/tags/decoded-content.ts";
import { fontReader } from "../../src/tags/font-texts.ts";
import { correctGlyphTexts } from "../../src/tags/glyph-texts.ts";
import { markStreams, paintedForms } from "../../src/tags/marked-streams.ts";

/** Returns a file whose page has this content and these resources. `more` are the objects from number 7 on. */
function pageOf(content: string, resources: string, more: string[] = []) {
  const page = `/Resources <<${resources}>>`;
  const body = chromiumPdf({ page, more: [stream(content), ...more] });
  return openPdf(Buffer.from(latin1(body).replace("/Contents 5 0 R", "/Contents 6 0 R"), "latin1"));
}

const decoded = (data: Uint8Array | undefined) => latin1(inflateSync(data ?? deflateSync("")));

it.each([
  ["UTF-16", "<FEFF00660069>"],
  ["one byte for each character", "(fi)"],
])("a glyph without a text gets the one that the content gives in %s", (_, text) => {
  const content = `BT /F 9 Tf /Span<</ActualText ${text}>>BDC <00020003> Tj EMC <0001> Tj ET`;
  const table = "3 beginbfchar\n<0001> <0041>\n<0002> <0000>\n<0003> <0000>\n<0004> <0000>\nendbfchar";
  const file = pageOf(content, "/Font <</F 7 0 R>>", ["<</Type /Font /ToUnicode 8 0 R>>", stream(table)]);

  const corrected = decoded(correctGlyphTexts(file, placesOf(readPages(file), new Map()).values()).get(8)?.data);

  expect(corrected).toContain("<0001> <0041>\n<0002> <00660069>\n<0003> <200B>\n<0004> <0000>");
});

it("a form with tags that is painted again becomes a copy without tags", () => {
  const form = stream("/P <</MCID 0>>BDC (a) Tj EMC", "/Subtype /Form /StructParents 1");
  const file = pageOf("/X Do /X Do", "/XObject <</X 7 0 R>>", [form]);
  const pages = readPages(file);

  const { streams, resources, size } = markStreams(file, pages, {
    forms: paintedForms(file, pages),
    tagged: new Set([7]),
    fontsOf: fontReader(file),
    marksOf: () => ({ kindOf: () => "content", blockOf: () => undefined, texts: new Map() }),
  });

  expect(size).toBe(file.size + 1);
  expect(decoded(streams.get(6)?.data).replaceAll(/\s+/g, " ").trim()).toBe("/X Do /Artifact BMC /XCopy Do EMC");
  expect(decoded(streams.get(file.size)?.data)).toBe("/Artifact BMC (a) Tj EMC");
  expect(streams.get(file.size)?.dictionary.has("StructParents")).toBe(false);
  expect(resources.get(3)?.get("XObject")).toEqual(
    new Map([
      ["X", { type: "reference", number: 7 }],
      ["XCopy", { type: "reference", number: file.size }],
    ]),
  );
});

it("content is where its paths, pictures and texts are painted", () => {
  const marked = (mcid: number, content: string) => `/P <</MCID ${mcid}>>BDC ${content} EMC`;
  const content = [
    "q .5 0 0 .5 10 20 cm",
    marked(0, "0 0 m 40 80 l S 20 100 20 40 re f"),
    marked(1, "q 40 0 0 60 0 0 cm /Image Do Q"),
    marked(2, "BT /F 20 Tf 1 0 0 1 4 8 Tm <00010002> Tj ET"),
    "Q",
    marked(3, "/Form Do"),
  ].join(" ");

  const { ofContent, ofForm } = contentBoxes(Buffer.from(content), (name) =>
    name === "Form" ? { left: 1, bottom: 2, right: 3, top: 4 } : null,
  );

  expect([...ofContent.values()]).toEqual([
    { left: 10, bottom: 20, right: 30, top: 90 },
    { left: 10, bottom: 20, right: 30, top: 50 },
    { left: 12, bottom: 24, right: 22, top: 32 },
    { left: 1, bottom: 2, right: 3, top: 4 },
  ]);
  expect(ofForm.get("Image")).toEqual({ left: 10, bottom: 20, right: 30, top: 50 });
});
