import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { startAssembly } from "colophon-pdf/assemble-pdf";
import { openFinishedPdf } from "colophon-pdf/open-finished-pdf";
import { openPdf } from "colophon-pdf/open-pdf";
import { catalogOf } from "colophon-pdf/page-tree";
import type { Sheets } from "colophon-pdf/sheets";
import { isDictionary, sourceOf, type PdfValue } from "colophon-pdf/values";
import { latin1 } from "colophon-test-kit/pdf";
import { chromiumPdf, metadata, stream } from "../../../pdf/test/inputs.ts";
import { correctBody } from "../../src/correct-body.ts";
import type { MarkedElement } from "../../src/tags/tag-marks.ts";

const webLink = (url: string, box = "0 0 9 9") =>
  `<</Type /Annot /Subtype /Link /Rect [${box}] /A <</S /URI /URI (${url})>>>>`;

type Parts = { tags: string[]; page?: string; objects?: string[]; elements?: MarkedElement[]; sheets?: Sheets };

/** The first tag is object 7, below the document, which is object 6. `objects` follow the tags and the root of their tree. */
const firstTag = 7;

function taggedPdf({ tags, page = "", objects = [] }: Parts): Uint8Array {
  const inside = tags.flatMap((tag, index) => (tag.includes("/P 6 0 R") ? `${firstTag + index} 0 R` : []));
  const root = firstTag + tags.length;
  return chromiumPdf({
    page,
    catalog: `/MarkInfo <</Marked true>> /StructTreeRoot ${root} 0 R`,
    more: [
      `<</Type /StructElem /S /Document /P ${root} 0 R /K [${inside.join(" ")}]>>`,
      ...tags.map((tag) => `<</Type /StructElem ${tag}>>`),
      "<</Type /StructTreeRoot /K 6 0 R>>",
      ...objects,
    ],
  });
}

/** Returns the problems, and the tree of the finished file with the numbers of content in brackets. */
function corrected(parts: Parts) {
  const body = openPdf(taggedPdf(parts));
  const correct = correctBody(body, ["pdf/ua-1"], parts.elements ?? []);
  const assembly = startAssembly({ body, corrected: correct, conformance: ["pdf/ua-1"] });
  const { bytes } = assembly.finish({ sheets: parts.sheets ?? null, headings: [], metadata });
  const file = openFinishedPdf(bytes);
  const shown = (kid: PdfValue): string => {
    const value = file.resolve(kid);
    if (Array.isArray(value)) return value.map(shown).join(" ");
    if (!isDictionary(value)) return sourceOf(value);
    if (value.has("Obj")) return "annotation";
    const type = value.get("S");
    if (type === undefined) return sourceOf(value.get("MCID") ?? null);
    const entries = ["Lang", "Alt", "A"].flatMap((key) => (value.has(key) ? sourceOf(value.get(key) ?? null) : []));
    const kids = value.has("K") ? `(${shown(value.get("K") ?? null)})` : "";
    return `${sourceOf(type).slice(1)}${entries.join("")}${kids}`;
  };
  const root = file.resolve(catalogOf(file).get("StructTreeRoot"));
  return {
    problems: correct?.problems ?? [],
    tree: isDictionary(root) ? shown(root.get("K") ?? null) : "",
    root,
    file,
  };
}

const element = (about: Partial<MarkedElement>): MarkedElement => {
  return { kind: "other", name: "", text: "", isRepeated: false, ...about };
};
const text = (mcid: number, parent: number, more = "") => `/S /NonStruct /P ${parent} 0 R /Pg 3 0 R /K ${mcid}${more}`;

it("texts move into the tags around them", () => {
  expect(corrected({ tags: ["/S /P /P 6 0 R /K 8 0 R", text(0, 7)] }).tree).toBe("Document(P(0))");
});

it("each item of a list has its label and a body", () => {
  const tags = [
    "/S /L /P 6 0 R /K [8 0 R 11 0 R]",
    "/S /LI /P 7 0 R /K [9 0 R 10 0 R]",
    "/S /Lbl /P 8 0 R /Pg 3 0 R /K 0",
    text(1, 8),
    "/S /P /P 7 0 R /Pg 3 0 R /K 2",
  ];

  expect(corrected({ tags }).tree).toBe("Document(L(LI(Lbl(0) LBody(1)) LI(LBody(P(2)))))");
});

it("a list has the numbering that the page names", () => {
  const elements = [element({ kind: "list", text: "LowerAlpha" })];
  const tags = ["/S /L /P 6 0 R /Lang (x-colophon-0) /K 8 0 R", "/S /LI /P 7 0 R /Pg 3 0 R /K 0"];

  expect(corrected({ tags, elements }).tree).toBe("Document(L<</O /List/ListNumbering /LowerAlpha>>(LI(LBody(0))))");
});

it("terms and definitions become a list", () => {
  const elements = (["terms", "term", "definition"] as const).map((kind) => element({ kind }));
  const tags = [
    "/S /NonStruct /P 6 0 R /Lang (en-x-colophon-0) /K [8 0 R 9 0 R 10 0 R]",
    text(0, 7, "/Lang (en-x-colophon-1)"),
    text(1, 7, "/Lang (x-colophon-2)"),
    text(2, 7, "/Lang (de-x-colophon-1)"),
  ];

  expect(corrected({ tags, elements }).tree).toBe("Document(L(en)(LI(Lbl(0) LBody(1)) LI(Lbl(NonStruct(de)(2)))))");
});

it("rows get equal numbers of columns, and a head", () => {
  const elements: MarkedElement[] = [element({ kind: "head", isRepeated: true })];
  const tags = [
    "/S /Table /P 6 0 R /K [8 0 R 11 0 R]",
    "/S /TR /P 7 0 R /Lang (x-colophon-0) /K [9 0 R 10 0 R]",
    "/S /TH /P 8 0 R /Pg 3 0 R /K 0 /A [<</O /Table /ColSpan 1>>]",
    "/S /TH /P 8 0 R /Pg 3 0 R /K 1",
    "/S /TR /P 7 0 R /K 12 0 R",
    "/S /TD /P 11 0 R /Pg 3 0 R /K 2 /A [<</O /Table /RowSpan 9>>]",
  ];

  expect(corrected({ tags, elements }).tree).toBe(
    "Document(Table(THead(TR(TH<</O /Table/Scope /Column>>(0) TH<</O /Table/Scope /Column>>(1))) TBody(TR(TD(2) TD))))",
  );
});

it("the header of a group of rows is for the cells of this group that have content", () => {
  const tags = [
    "/S /Table /P 6 0 R /K [8 0 R 10 0 R 13 0 R]",
    "/S /TR /P 7 0 R /K 9 0 R",
    "/S /TH /P 8 0 R /Pg 3 0 R /K 0 /Lang (x-colophon-0) /A [<</O /Table /ColSpan 2>>]",
    "/S /TR /P 7 0 R /K [11 0 R 12 0 R]",
    "/S /TD /P 10 0 R /Pg 3 0 R /K 1",
    "/S /TD /P 10 0 R",
    "/S /TR /P 7 0 R /K 14 0 R",
    "/S /TD /P 13 0 R /Pg 3 0 R /K 2",
  ];

  expect(corrected({ tags, elements: [element({ rowsAfter: 1 })] }).tree).toBe(
    "Document(Table(TR(TH<</O /Table/Scope /Row/ColSpan 2>>(0)) TR(TD<</O /Table/Headers [(node00000001)]>>(1) TD) TR(TD(2) TD)))",
  );
});

it("what the boxes of tables, rows and lists paint is no row, cell or item", () => {
  const tags = [
    "/S /Table /P 6 0 R /Pg 3 0 R /K [0 8 0 R]",
    "/S /TR /P 7 0 R /Pg 3 0 R /K [1 9 0 R]",
    "/S /TD /P 8 0 R /Pg 3 0 R /K 2",
    "/S /L /P 6 0 R /Pg 3 0 R /K [3 11 0 R]",
    "/S /LI /P 10 0 R /Pg 3 0 R /K [4 12 0 R]",
    text(5, 11),
  ];

  expect(corrected({ tags }).tree).toBe("Document(Table(TR(TD(2))) L(LI(LBody(5))))");
});

it("items, rows and cells without a list or a table become divisions, and a heading below the sixth level stays one", () => {
  const tags = [
    "/S /LI /P 6 0 R /K 8 0 R",
    text(0, 7),
    "/S /TR /P 6 0 R /K 10 0 R",
    "/S /TD /P 9 0 R /Pg 3 0 R /K 1",
    ...["H1", "H2", "H3", "H4", "H5", "H"].map((type, index) => `/S /${type} /P 6 0 R /Pg 3 0 R /K ${2 + index}`),
  ];

  expect(corrected({ tags }).tree).toBe("Document(Div(Div(0)) Div(Div(1)) H1(2) H2(3) H3(4) H4(5) H5(6) H6(7))");
});

it("cells that overlap end before each other", () => {
  const tags = [
    "/S /Table /P 6 0 R /K [8 0 R 11 0 R]",
    "/S /TR /P 7 0 R /K [9 0 R 10 0 R]",
    "/S /TD /P 8 0 R /Pg 3 0 R /K 0",
    "/S /TD /P 8 0 R /Pg 3 0 R /K 1 /A <</O /Table /RowSpan 2>>",
    "/S /TR /P 7 0 R /K [12 0 R 13 0 R]",
    "/S /TD /P 11 0 R /Pg 3 0 R /K 2 /A <</O /Table /ColSpan 3>>",
    "/S /TD /P 11 0 R /Pg 3 0 R /K 3",
  ];

  expect(corrected({ tags }).tree).toBe("Document(Table(TR(TD(0) TD<</O /Table/RowSpan 2>>(1) TD) TR(TD(2) TD(3))))");
});

it("a form whose tags are removed keeps no marks of tags", () => {
  const { tree, file } = corrected({
    page: "/Resources <</XObject <</X 9 0 R>>>>",
    tags: ["/S /Figure /P 6 0 R /Alt () /K <</Type /MCR /Pg 3 0 R /Stm 9 0 R /MCID 0>>"],
    objects: [stream("/Figure <</MCID 0>>BDC 0 0 9 9 re f EMC", "/Subtype /Form /StructParents 1")],
  });
  const form = file.streams.get(9);

  expect(tree).toBe("Document()");
  expect(latin1(inflateSync(form?.data ?? ""))).toBe("/Artifact BMC 0 0 9 9 re f EMC");
  expect(form?.dictionary.has("StructParents")).toBe(false);
});

it("links get a tag, and say where they lead", () => {
  const elements: MarkedElement[] = [element({ kind: "link", text: "Größe" })];
  const { tree, file } = corrected({
    page: "/Annots [9 0 R 10 0 R]",
    tags: ["/S /Link /P 6 0 R /Lang (x-colophon-0) /Pg 3 0 R /K [0 <</Type /OBJR /Obj 9 0 R /Pg 3 0 R>>]"],
    objects: [webLink("https://a.example/"), webLink("https://b.example/")],
    elements,
  });
  const annotation = (number: number) => sourceOf(file.object(number));

  expect(tree).toBe("Document(Link(0 annotation) Link(annotation))");
  expect(annotation(9)).toMatch(/StructParent 1.*Contents \(\xfe\xff\0G\0r\0\xf6\0\xdf\0e\)/s);
  expect(annotation(10)).toMatch(/StructParent 2.*Contents \(https:\/\/b\.example\/\)/s);
});

it("the parts of a link in one line are one annotation", () => {
  const boxes = ["0 20 50 30", "0 0 10 10", "10.5 -2 90 9", "60 1 80 8", "95 0 99 10"];
  const references = boxes.map((_, index) => `${index + 9} 0 R`);
  const kids = references.map((number) => `<</Type /OBJR /Obj ${number} /Pg 3 0 R>>`);
  const { tree, file } = corrected({
    page: `/Annots [${references.join(" ")}]`,
    tags: [`/S /Link /P 6 0 R /Pg 3 0 R /K [0 ${kids.join(" ")}]`],
    objects: boxes.map((box) => webLink("https://a.example/", box)),
  });

  expect(tree).toBe("Document(Link(0 annotation annotation annotation))");
  const shown = Array.from({ length: file.size }, (_, number) => file.object(number)).filter(isDictionary);
  const rectangles = shown.filter((value) => value.has("Rect")).map((value) => sourceOf(value.get("Rect") ?? null));
  expect(rectangles).toEqual(["[0 20 50 30]", "[0 -2 90 10]", "[95 0 99 10]"]);
  expect(shown.find((value) => value.has("Annots"))?.get("Annots")).toHaveLength(3);
});

it("links of headers get tags, and say where they lead", () => {
  const sheet = openPdf(chromiumPdf({ page: "/Annots [6 0 R]", more: [webLink("https://a.example/")] }));
  const { tree, file } = corrected({
    tags: ["/S /P /P 6 0 R /Pg 3 0 R /K 0"],
    sheets: { file: sheet, ofPage: [0], parts: null },
  });
  const sources = Array.from({ length: file.size }, (_, number) => sourceOf(file.object(number)));

  expect(tree).toBe("Document(P(0) Link(annotation))");
  expect(sources.filter((source) => source.includes("/Link"))).toContainEqual(
    expect.stringMatching(/StructParent 1.*Contents \(https:\/\/a\.example\/\)/),
  );
  expect(sources).toContainEqual(expect.stringMatching(/\/Type \/Page\/.*\/Tabs \/S/));
});

it("headings that begin below level 1, or leave out a level, are problems", () => {
  const tags = [2, 3, 5].map((level, mcid) => `/S /H${level} /P 6 0 R /Pg 3 0 R /K ${mcid}`);

  expect(corrected({ tags }).problems.map(({ clause, page, message }) => [clause, page, message.slice(0, 24)])).toEqual(
    [
      ["7.4.2", 1, "`<h2>` is the first head"],
      ["7.4.2", 1, "`<h5>` follows a heading"],
    ],
  );
});

it("a picture without a description is a problem, and one with an empty description is decoration", () => {
  const elements = [element({ kind: "figure", name: "`<img>`" }), element({ kind: "figure", name: "`<svg>`" })];
  const tags = ["/Lang (x-colophon-0)", "/Alt ()", "/Alt (b)"].map(
    (entries, mcid) => `/S /Figure /P 6 0 R /Pg 3 0 R /K ${mcid} ${entries}`,
  );
  const { problems, tree } = corrected({ tags, elements });

  expect(problems).toEqual([
    { clause: "7.3", page: 1, element: "<img>", message: expect.stringContaining("`<img>` has no description.") },
    { clause: "7.3", element: "<svg>", message: expect.stringContaining("`<svg>` has no description.") },
  ]);
  expect(tree).toBe("Document(Figure(0) Figure(b)(2))");
});

it("a group of a picture and its caption needs no description", () => {
  const tags = [
    "/S /Figure /P 6 0 R /K [8 0 R 9 0 R]",
    "/S /Figure /P 7 0 R /Alt (b) /Pg 3 0 R /K 0",
    "/S /Caption /P 7 0 R /Pg 3 0 R /K 1",
  ];
  const { problems, tree } = corrected({ tags });

  expect(problems).toEqual([]);
  expect(tree).toBe("Document(Div(Figure(b)(0) Caption(1)))");
});

it("what is printed on several pages is tagged once", () => {
  const elements = [element({ isRepeated: true })];
  const content = (mcid: number) => `<</Type /MCR /Pg 3 0 R /MCID ${mcid}>>`;
  const tags = [
    `/S /P /P 6 0 R /Lang (x-colophon-0) /Pg 3 0 R /K [0 <</Type /MCR /Pg 99 0 R /MCID 0>>]`,
    `/S /P /P 6 0 R /K ${content(1)}`,
  ];

  expect(corrected({ tags, elements }).tree).toBe("Document(P(0) P(1))");
});

it("types of PDF 2.0 are mapped to older ones", () => {
  const { root } = corrected({ tags: ["/S /Strong /P 6 0 R /Pg 3 0 R /K 0", "/S /Foo /P 6 0 R /Pg 3 0 R /K 1"] });

  expect(sourceOf(isDictionary(root) ? (root.get("RoleMap") ?? null) : null)).toBe("<</Foo /Div/Strong /Span>>");
});

it("a document without tags is a problem", () => {
  const untagged = correctBody(openPdf(chromiumPdf()), ["pdf/ua-1"], []);

  expect(untagged?.problems.map(({ clause }) => clause)).toEqual(["7.1"]);
});
