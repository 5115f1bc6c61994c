// A tagged print like those of Chromium: two pages with text, a list, a table, a picture, links, forms, a mask and a pattern.
import { deflateSync } from "node:zlib";
import { pdf } from "colophon-test-kit/pdf";
import { stream } from "../../../pdf/test/inputs.ts";
import { fontProgram, unicodeMap } from "../font-parts.ts";
import type { Print } from "./damaged-file.ts";

const elements: Print["elements"] = (["link", "figure", "heading", "list", "term", "definition", "head"] as const).map(
  (kind) => ({ kind, name: `\`<${kind}>\``, text: "text", isRepeated: kind === "head" }),
);

const deflated = (text: string, entries = "") => {
  const data = deflateSync(Buffer.from(text, "latin1")).toString("latin1");
  return stream(data, `/Filter /FlateDecode ${entries}`);
};
const text = (mcid: number, type = "P") => `/${type} <</MCID ${mcid}>>BDC BT /F0 12 Tf <00010002> Tj ET EMC`;
const first = `1 0 0 -1 0 400 cm q 0 0 9 9 re f /G0 gs Q ${text(0)} ${text(1)} /Figure <</MCID 2>>BDC q 9 0 0 9 0 0 cm /X0 Do Q EMC`;
const second = `1 0 0 -1 0 400 cm ${text(0)} /X1 Do ${text(1)} /Pattern cs /P0 scn 0 0 9 9 re f /S0 sh ${text(2)} ${text(3)}`;
const unicode = unicodeMap("2 beginbfchar\n<0001> <0041>\n<0002> <0042>\nendbfchar\n");
const link = (url: string, key: number) =>
  `<</Type /Annot /Subtype /Link /F 4 /Border [0 0 0] /Rect [0 0 9 9] /StructParent ${key} /A <</S /URI /URI (${url})>>>>`;
const page = (contents: number, key: number, more: string) =>
  `<</Type /Page /MediaBox [0 0 300 400] /Contents ${contents} 0 R /Parent 2 0 R /StructParents ${key} /Tabs /S /Resources <</Font <</F0 7 0 R>> ` +
  `/XObject <</X0 12 0 R /X1 13 0 R>> /ExtGState <</G0 14 0 R>> /Pattern <</P0 16 0 R>> /Shading <</S0 17 0 R>>>> ${more}>>`;

/** The tags have the numbers from 20 on; the first one is the document. */
const firstTag = 20;
const tags = [
  "/S /Document /P 40 0 R /K [21 0 R 22 0 R 25 0 R 30 0 R 31 0 R 33 0 R]",
  "/S /H1 /P 20 0 R /Pg 3 0 R /K 0 /Lang (en-x-colophon-2)",
  "/S /L /P 20 0 R /Lang (x-colophon-3) /K 23 0 R",
  "/S /LI /P 22 0 R /K [24 0 R]",
  "/S /LBody /P 23 0 R /Pg 3 0 R /K 1 /Lang (de-x-colophon-5)",
  "/S /Table /P 20 0 R /K [26 0 R 28 0 R] /A [<</O /Layout /Placement /Block>>]",
  "/S /TR /P 25 0 R /K 27 0 R /Lang (x-colophon-6)",
  "/S /TH /P 26 0 R /Pg 4 0 R /K 0 /ID (node00000001) /A [<</O /Table /Scope /Column>>]",
  "/S /TR /P 25 0 R /K 29 0 R",
  "/S /TD /P 28 0 R /Pg 4 0 R /K 1 /A [<</O /Table /Headers [(node00000001)] /ColSpan 2>>]",
  "/S /Figure /P 20 0 R /Pg 3 0 R /K 2 /Alt (A photo) /Lang (x-colophon-1)",
  "/S /Link /P 20 0 R /Lang (x-colophon-0) /K [32 0 R <</Type /OBJR /Obj 18 0 R /Pg 4 0 R>>]",
  "/S /NonStruct /P 31 0 R /Pg 4 0 R /K [2]",
  "/S /P /P 20 0 R /K [<</Type /MCR /Pg 4 0 R /Stm 13 0 R /MCID 0>> <</Type /MCR /Pg 4 0 R /MCID 3>>]",
];
const unused = Array.from({ length: 40 - firstTag - tags.length }, () => "null");

const objects = [
  "<</Type /Catalog /Pages 2 0 R /MarkInfo <</Marked true>> /StructTreeRoot 40 0 R /Lang (en) /Dests 43 0 R>>",
  "<</Type /Pages /Count 2 /Kids [3 0 R 4 0 R]>>",
  page(5, 0, ""),
  page(6, 1, "/Annots [18 0 R 19 0 R]"),
  deflated(first),
  deflated(second),
  "<</Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [8 0 R] /ToUnicode 11 0 R>>",
  "<</Type /Font /Subtype /CIDFontType2 /CIDToGIDMap /Identity /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /FontDescriptor 9 0 R /BaseFont /X /W [1 [500 500]]>>",
  "<</Type /FontDescriptor /FontName /X /Flags 4 /FontFile2 10 0 R>>",
  deflated(fontProgram([0, 500, 500])),
  deflated(unicode),
  deflated(
    "\xff\x00\x00",
    "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 ",
  ),
  deflated(
    text(0),
    "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /StructParents 2 /Resources <</Font <</F0 7 0 R>>>> ",
  ),
  "<</Type /ExtGState /ca .5 /BM /Normal /SMask <</Type /Mask /S /Luminosity /G 15 0 R>>>>",
  deflated(
    "0 0 9 9 re f",
    "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Group <</S /Transparency /CS /DeviceRGB>> /Resources <<>> ",
  ),
  deflated(
    "0 0 9 9 re f",
    "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources <<>> ",
  ),
  "<</ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 9 9] /Function <</FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [1 1 1] /N 1>>>>",
  link("https://a.example/", 3),
  link("https://b.example/", 4),
  ...tags.map((tag) => `<</Type /StructElem ${tag}>>`),
  ...unused,
  "<</Type /StructTreeRoot /K 20 0 R /ParentTree 41 0 R /IDTree 42 0 R>>",
  "<</Nums [0 [21 0 R 24 0 R 30 0 R] 1 [27 0 R 29 0 R 32 0 R 33 0 R] 2 [33 0 R] 3 31 0 R]>>",
  "<</Kids [44 0 R]>>",
  "<</there [3 0 R /XYZ 0 9 0]>>",
  "<</Names [(node00000001) 27 0 R]>>",
];
const untagged = objects
  .map((source, index) => (index === 4 ? deflated("0 0 9 9 re f") : source))
  .slice(0, firstTag - 1);

export const taggedPrint: Print = { bytes: pdf(objects), elements, sheet: pdf(untagged) };
