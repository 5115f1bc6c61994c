import { deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { startAssembly } from "colophon-pdf/assemble-pdf";
import type { Attachment } from "colophon-pdf/attachments";
import type { Conformance } from "colophon-pdf/conformance";
import { invoiceProfiles, type EInvoice } from "colophon-pdf/einvoice";
import { openPdf } from "colophon-pdf/open-pdf";
import { pdf } from "colophon-test-kit/pdf";
import { checkConformance } from "../../src/validation/check-conformance.ts";
import { fontProgram, unicodeMap } from "../font-parts.ts";

type Parts = {
  content?: string;
  resources?: string;
  page?: string;
  /** The objects from number 6 on. */
  more?: string[];
  title?: string;
  box?: string;
  conformance?: Conformance[];
  catalog?: string;
  attachments?: Attachment[];
  einvoice?: EInvoice;
};

const stream = (text: string, entries = "") => `<<${entries}/Length ${text.length}>> stream\n${text}\nendstream`;
const icc = (version: number, kind: string, space: string) =>
  `\0\0\0\x80\0\0\0\0${String.fromCharCode(version)}\0\0\0${kind}${space}XYZ ${"\0".repeat(12)}acsp`.padEnd(128, "\0");

/** Returns the problems of a file with one page, which conforms without further parts. */
function problemsOf(parts: Parts = {}, boxFont?: string) {
  const { conformance = [] } = parts;
  return checkConformance(fileOf(parts), conformance.length > 0 ? conformance : ["pdf/a-2b"], boxFont);
}

function fileOf({ content = "", resources = "", page = "", more = [], ...rest }: Parts) {
  const { title = "T", box = "0 0 300 400", conformance = ["pdf/a-2b"], catalog = "" } = rest;
  const body = pdf(
    [
      `<</Type /Catalog /Pages 2 0 R ${catalog}>>`,
      "<</Type /Pages /Count 1 /Kids [3 0 R]>>",
      `<</Type /Page /MediaBox [${box}] /Contents 5 0 R /Parent 2 0 R /Resources <<${resources}>> ${page}>>`,
      "<</Title (T) /Producer (P)>>",
      stream(content),
      ...more,
    ],
    { trailer: `<</Size ${6 + more.length} /Root 1 0 R /Info 4 0 R>>` },
  );
  const texts = { title, author: "", subject: "", keywords: "", language: "en", createdAt: 0 };
  const assembly = startAssembly({ body: openPdf(body), conformance });
  return assembly.finish({ sheets: null, headings: [], metadata: texts, attached: rest }).bytes;
}

/** Has a tag without content. */
const tagged: Parts = {
  conformance: ["pdf/ua-1"],
  catalog: "/MarkInfo <</Marked true>> /StructTreeRoot 6 0 R",
  more: ["<</Type /StructTreeRoot /K 7 0 R>>", "<</Type /StructElem /S /Document /P 6 0 R>>"],
};

const font = "/Font <</F 6 0 R>>";
const fontObjects = (unicode: string, widths = "/DW 500") => [
  `<</Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [7 0 R] ${unicode}>>`,
  `<</Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDToGIDMap /Identity /FontDescriptor 8 0 R ${widths}>>`,
  "<</Type /FontDescriptor /FontName /X /FontFile2 9 0 R>>",
  stream(fontProgram([500, 500, 600, 500, 500, 500])),
];
const texts =
  "3 beginbfchar\n<0001> <0041>\n<0002> <0000>\n<0005> <E001>\nendbfchar\n1 beginbfrange\n<0003> <0004> <FEFE>\nendbfrange\n";
const withFont = (content: string, unicode = "", widths = "/W [2 [600]] /DW 500"): Parts => ({
  content: `BT /F 9 Tf ${content} ET`,
  resources: font,
  more: [...fontObjects(unicode, widths), stream(unicodeMap(texts))],
});
const changedFont = (from: string, to: string): Parts => {
  const parts = withFont("<0001> Tj", "/ToUnicode 10 0 R");
  const more = parts.more?.map((source) => source.replace(from, to)) ?? [];
  expect(more).not.toEqual(parts.more);
  return { ...parts, more, conformance: ["pdf/a-2u"] };
};
const unicode = (content: string, entry = "/ToUnicode 10 0 R"): Parts => ({
  ...withFont(content, entry),
  conformance: ["pdf/a-2u"],
});
const object = (source: string, more: string[] = []): Parts => ({
  content: "/X Do",
  resources: "/XObject <</X 6 0 R>>",
  more: [source, ...more],
});
const image = (entries: string) =>
  object(stream("", `/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 ${entries}`));
const state = (entries: string): Parts => ({ content: "/G gs", resources: `/ExtGState <</G <<${entries}>>>>` });
const annotation = (entries: string): Parts => ({ page: `/Annots [<</Type /Annot /Rect [0 0 9 9] ${entries}>>]` });

it.each<[string, Parts]>([
  ["is empty", {}],
  ["shows a character that is private to its font, at level u", unicode("<0005> Tj")],
  ["has a number over 2,147,483,647, for PDF/UA", { content: "2147483648 0 m n", ...tagged }],
  ["shows a glyph", withFont("<0001> Tj")],
  ["shows a glyph that has a text", unicode("<0001> Tj [(\\000\\001) 3 <0001>] TJ")],
  ["has colours in RGB and grey", { content: "0 0 1 rg 1 0 0 RG 0 g /DeviceRGB cs /Pattern CS" }],
  ["has a grey image", image("/ColorSpace /DeviceGray")],
  ["has an image with a palette", image("/ColorSpace [/Indexed /DeviceRGB 1 <000000FFFFFF>]")],
  ["has a link", annotation("/Subtype /Link /F 4 /A <</S /URI /URI (https://a.example)>>")],
  ["blends and is transparent", state("/BM /Multiply /ca .5 /SMask /None")],
  ["saves its state 28 times", { content: "q ".repeat(28) + "Q ".repeat(28) }],
  ["saves its state 28 times twice", { content: ("q ".repeat(28) + "Q ".repeat(28)).repeat(2) }],
])("a file conforms if its page %s", (_, parts) => {
  expect(problemsOf(parts)).toEqual([]);
});

const form = (content: string, entries = "", more: string[] = []) =>
  object(stream(content, `/Subtype /Form /BBox [0 0 9 9] ${entries}`), more);
const profile = (content: string, components: number) =>
  object(stream("", "/Subtype /Image /BitsPerComponent 8 /ColorSpace [/ICCBased 7 0 R]"), [
    `<</N ${components}/Filter /FlateDecode/Length ${deflateSync(Buffer.from(content, "latin1")).length}>> stream\n${deflateSync(Buffer.from(content, "latin1")).toString("latin1")}\nendstream`,
  ]);
const drawnWidths = "/FirstChar 65 /LastChar 67 /Widths [0 500 500]";
const drawn = (code: string, entries = "", glyph = "500 0 d0 0 0 0 1 k"): Parts => ({
  content: `BT /F 9 Tf (${code}) Tj ET`,
  resources: font,
  more: [
    `<</Type /Font /Subtype /Type3 /Encoding <</Differences [65 /g0 /g1 /g2]>> /CharProcs <</g0 7 0 R /g1 7 0 R>> /Resources <<>> ${drawnWidths} ${entries}>>`,
    stream(glyph),
  ],
});

const changedDrawn = (from: string, to: string): Parts => {
  const parts = drawn("B", "", "500 0 d0");
  return { ...parts, more: parts.more?.map((source) => source.replace(from, to)) ?? [] };
};

it.each<[string, string, Parts]>([
  ["6.2.11.8-1", "shows the glyph for missing characters", withFont("<00010000> Tj")],
  ["6.2.11.8-1", "shows it invisibly", withFont("3 Tr [5 <0000>] TJ")],
  ["6.2.11.8-1", "shows the drawn glyph for missing characters", drawn("A")],
  ["6.2.11.8-1", "shows a drawn glyph that does not exist", drawn("C")],
  ["6.2.4.3-3", "shows a glyph that is drawn in CMYK", drawn("B")],
  ["6.2.11.7.2-1", "shows a glyph of a font without texts", unicode("<0001> Tj", "")],
  ["6.2.11.7.2-1", "shows a glyph without a text", unicode("<0009> Tj")],
  ["6.2.11.7.2-2", "shows a glyph whose text is U+0000", unicode("<0002> Tj")],
  ["6.2.11.7.2-2", "shows a glyph whose text in a range is U+FEFF", unicode("<0004> Tj")],
  [
    "6.2.11.7.3-1",
    "shows a character that is private to its font, at level a",
    { ...unicode("<0005> Tj"), conformance: ["pdf/a-2a"] },
  ],
  [
    "7.21.8-1",
    "shows the glyph for missing characters, for PDF/UA",
    { ...withFont("<0000> Tj"), conformance: ["pdf/ua-1"] },
  ],
  [
    "6.2.11.4.1-1",
    "uses a font that is not embedded",
    { ...withFont("<0001> Tj"), more: [...fontObjects("").slice(0, 2), "<<>>"] },
  ],
  [
    "6.2.11.4.1-1",
    "uses a standard font",
    {
      content: "BT /F 9 Tf (a) Tj ET",
      resources: font,
      more: ["<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>"],
    },
  ],
  ["6.2.11.5-1", "shows a glyph whose width its font gives differently", withFont("<0002> Tj", "", "/DW 500")],
  ["6.2.11.5-1", "shows a glyph that the program of its font lacks", withFont("<0006> Tj")],
  ["6.2.11.5-1", "shows a drawn glyph with a different width", drawn("B", "", "400 0 d0")],
  ["6.1.1-1", "uses a drawn font that lacks a width", changedDrawn("500 500]", "500]")],
  ["6.1.1-1", "uses a drawn font that lacks a procedure", changedDrawn("/g1 7 0 R", "/g1 7 0 R /g2 99 0 R")],
  ["6.1.1-1", "uses a font whose program is malformed", changedFont("head", "body")],
  ["6.1.1-1", "uses a font whose widths are malformed", changedFont("/W [2", "/W [/2")],
  ["6.1.1-1", "uses a font with a different name than its program", changedFont("/FontName /X", "/FontName /Y")],
  ["6.1.1-1", "uses a font without a type", changedFont("/Type /Font /Subtype /CID", "/Subtype /CID")],
  ["6.1.1-1", "uses a font whose map to texts has no range of codes", changedFont("<FFFF>", "<FFFE>")],
  ["6.1.1-1", "uses a font whose map to texts counts its entries wrong", changedFont("3 beginbfchar", "2 beginbfchar")],
  ["6.2.2-1", "has an unknown operator", { content: "1 2 frob" }],
  ["6.1", "has an unknown operator, for PDF/UA", { content: "1 2 frob", conformance: ["pdf/ua-1"] }],
  ["6.1.1-1", "shows a text without a font", { content: "(a) Tj" }],
  ["6.2.2-2", "uses a resource that it lacks", { content: "/X Do" }],
  ["6.2.2-2", "uses a resource that is missing", { content: "/G gs", resources: "/ExtGState <</G 99 0 R>>" }],
  ["6.2.2-1", "has a malformed number", { content: "1 +-1 0 rg" }],
  ["6.1.10-1", "has an inline image", { content: "BI /W 1 ID x EI" }],
  ["6.1.13-8", "saves its state 29 times", { content: "q ".repeat(29) + "Q ".repeat(29) }],
  ["6.1.13-1", "has a number over 2,147,483,647", { content: "2147483648 0 m" }],
  ["6.1.13-4", "has a long name", { resources: `/ExtGState <</${"a".repeat(128)} <<>>>>` }],
  ["6.1.13-11", "is 2 points wide", { box: "0 0 2 400" }],
  ["6.2.4.3-3", "has colours in CMYK", { content: "0 0 0 1 k" }],
  ["6.2.4.3-3", "has an image in CMYK", image("/ColorSpace /DeviceCMYK")],
  ["6.2.4.3-3", "has a palette in CMYK", image("/ColorSpace [/Indexed /DeviceCMYK 1 <0000000000000000>]")],
  ["6.2.4.4-1", "has a spot colour", image("/ColorSpace [/Separation /Gold /DeviceRGB <<>>]")],
  ["6.2.4.2-1", "has a profile of version 5", profile(icc(5, "mntr", "RGB "), 3)],
  ["6.2.4.2-1", "has a profile that links two devices", profile(icc(4, "link", "RGB "), 3)],
  ["6.2.4.2-1", "has a profile for a different number of colours", profile(icc(4, "mntr", "CMYK"), 3)],
  ["6.2.4.2-1", "has a profile that is cut off", profile("x", 3)],
  ["6.2.8-3", "has an interpolated image", image("/Interpolate true")],
  [
    "6.2.8-3",
    "has an image with an interpolated mask",
    object(stream("", "/Subtype /Image /SMask 7 0 R"), [stream("", "/Interpolate true")]),
  ],
  ["6.2.8-4", "has an image with 12 bits", object(stream("", "/Subtype /Image /BitsPerComponent 12"))],
  ["6.1.1-1", "has an image in JPEG 2000", image("/Filter /JPXDecode")],
  ["6.1.7.2-1", "has an image with LZW", image("/Filter [/LZWDecode]")],
  ["6.2.9-1", "has a form with PostScript", form("", "/Subtype2 /PS")],
  ["6.2.9-3", "has an object with PostScript", object(stream("", "/Subtype /PS"))],
  ["6.2.10-1", "has an unknown way to blend", state("/BM [/Normal /Frob]")],
  ["6.2.5-1", "has a transfer function", state("/TR /Identity")],
  ["6.2.5-3", "has the phase of a halftone", state("/HTP [0 0]")],
  ["6.1.1-1", "has a halftone", state("/HT /Default")],
  ["6.2.6-1", "has an unknown rendering intent", { content: "/Frob ri" }],
  ["6.2.4.3-3", "has a form with colours in CMYK", form("0 0 0 1 K")],
  [
    "6.2.4.3-3",
    "has a mask with colours in CMYK",
    { ...state("/SMask <</G 6 0 R>>"), more: [stream("0 0 0 1 K", "/Subtype /Form")] },
  ],
  [
    "6.2.4.3-3",
    "has a pattern with colours in CMYK",
    { content: "/Pattern cs /P scn", resources: "/Pattern <</P 6 0 R>>", more: [stream("0 0 0 1 K")] },
  ],
  [
    "6.2.4.3-3",
    "has a gradient in CMYK",
    { content: "/S sh", resources: "/Shading <</S <</ColorSpace /DeviceCMYK>>>>" },
  ],
  ["6.3.2-2", "has a link that is not printed", annotation("/Subtype /Link /F 0")],
  ["6.3.3-1", "has an annotation without an appearance", annotation("/Subtype /Text /F 4")],
])("clause %s: a file does not conform if its page %s", (clause, _, parts) => {
  expect(problemsOf(parts)).toContainEqual(expect.objectContaining({ clause }));
});

it("a file does not conform if a text of its metadata is longer than 32,767 bytes", () => {
  expect(problemsOf({ title: "x".repeat(32_768) })).toMatchObject([{ clause: "6.1.13-3" }]);
  expect(problemsOf({ title: "x".repeat(32_767) })).toEqual([]);
});

it.each([
  ["a tag has a different parent", "7.1", "/P 6 0 R", "/P 8 0 R"],
  ["a tag has a different type", "7.1", "/StructElem", "/Struct"],
  ["a tag is missing", "7.1", "/K 7 0 R", "/K [7 0 R 99 0 R]"],
  ["the root of its tags has a different type", "7.1-11", "/StructTreeRoot", "/Struct"],
])("a file does not conform if %s", (_, clause, from, to) => {
  const more = (tagged.more ?? []).map((source) => source.replace(from, to));

  expect(problemsOf(tagged)).toEqual([]);
  expect(problemsOf({ ...tagged, more })).toMatchObject([{ clause }]);
});

it("a file does not conform if its metadata differs from its document information", () => {
  const file = Buffer.from(fileOf({ title: "é <\\) 😀" })).toString("latin1");
  const changed = (from: string, to: string) =>
    checkConformance(Buffer.from(file.replace(from, to), "latin1"), ["pdf/a-2b"]);

  expect(changed("", "")).toEqual([]);
  expect(changed("<dc:title>", "<dc:tytle>")).toContainEqual(expect.objectContaining({ clause: "6.1.1-1" }));
  expect(changed("xmlns:rdf", "xmlns:rdg")).toMatchObject([{ clause: "6.1.1-1" }]);
});

it.each(invoiceProfiles)("the metadata of an invoice with the profile %s conforms", (profile) => {
  const xml = "<ID>urn:xoev-de:kosit:standard:xrechnung_2.3</ID>";

  expect(problemsOf({ conformance: ["pdf/a-3b"], einvoice: { profile, xml } })).toEqual([]);
});

it("attachments of any kind conform to PDF/A-3 and to PDF/UA, and not to PDF/A-2", () => {
  const file = { name: "a", mimeType: "text/plain", relationship: "data", content: "" } as const;
  const clauses = (["pdf/a-3b", "pdf/ua-1", "pdf/a-2b"] as const).map((conformance) =>
    problemsOf({ ...tagged, conformance: [conformance], attachments: [file] }).map(({ clause }) => clause),
  );

  expect(clauses).toEqual([[], [], ["6.8-5"]]);
});

it("a file that was not written for a standard does not conform", () => {
  const clauses = problemsOf({ content: "0 0 1 rg", conformance: [] }).map(({ clause }) => clause);

  expect(clauses).toEqual(["6.1.3-1", "6.1.1-1", "6.6.4-1", "6.2.4.3-2"]);
});

it("a file does not conform if it shows a box for a character that no font has", () => {
  const named = fontObjects("").map((source) => source.replaceAll("/X", "/ABCDEF+Box"));
  const shown: Parts = { ...withFont("<0001> Tj"), more: named };
  const bold = drawn("B", "/FontDescriptor <</FontName /ABCDEF+Box>>", "500 0 d0 0 g");

  expect(problemsOf(shown, "Box")).toMatchObject([{ clause: "6.2.11.8-1", page: 1 }]);
  expect(problemsOf(shown, "OtherBox")).toEqual([]);
  expect(problemsOf(bold, "Box")).toMatchObject([{ clause: "6.2.11.8-1", page: 1 }]);
  expect(problemsOf(bold, "OtherBox")).toEqual([]);
});

it("a problem is named once, with its first page, and a file has at most 20", () => {
  const content = Array.from({ length: 30 }, (_, index) => `/B${index} gs`).join(" ");
  const states = Array.from({ length: 30 }, (_, index) => `/B${index} <</BM /X${index}>>`).join("");

  expect(problemsOf({ content, resources: `/ExtGState <<${states}>>` })).toHaveLength(20);
  expect(problemsOf({ content: "0 0 0 1 k 0 0 0 1 K" })).toEqual([
    { clause: "6.2.4.3-3", message: expect.stringContaining("CMYK"), page: 1 },
  ]);
});
