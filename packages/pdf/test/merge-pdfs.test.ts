import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { readPdf, referenceIn } from "colophon-test-kit/pdf-reader";
import { pdfWriter } from "../src/file/pdf-writer.ts";
import { PdfError } from "../src/syntax/pdf-error.ts";
import { assembled, chromiumPdf, stream } from "./inputs.ts";
import { described, merged, merger, type Part } from "./merged.ts";

const plain = (bookmark = "Plain"): Part => ({ bytes: assembled(chromiumPdf()).bytes, bookmark });

type TaggedParts = { yPt?: number; more?: string[] };

/** Returns a part with a link, a heading, and a table with a header cell. */
function tagged({ yPt = 7, more = [] }: TaggedParts = {}): Part {
  const id = "(node00000041)";
  const objects = [
    `<</a [3 0 R /XYZ 0 ${yPt} 0]>>`,
    "<</Type /Annot\n/Subtype /Link\n/Rect [0 0 9 9]\n/Dest /a\n/StructParent 1>>",
    "<</Type /StructTreeRoot\n/K 9 0 R\n/ParentTree 12 0 R\n/ParentTreeNextKey 2\n/IDTree 13 0 R>>",
    "<</Type /StructElem\n/S /Document\n/Lang (nl)\n/P 8 0 R\n/K [10 0 R 11 0 R]>>",
    "<</Type /StructElem\n/S /Link\n/P 9 0 R\n/Pg 3 0 R\n/K [0 <</Type /OBJR\n/Obj 7 0 R>>]>>",
    `<</Type /StructElem\n/S /TH\n/ID ${id}\n/P 9 0 R\n/A [<</O /Table\n/Headers [${id}]>>]>>`,
    "<</Nums [0 [10 0 R] 1 10 0 R]>>",
    "<</Kids [14 0 R]>>",
    `<</Limits [${id} ${id}]\n/Names [${id} 11 0 R]>>`,
    ...more,
  ];
  const catalog = "/Dests 6 0 R/StructTreeRoot 8 0 R/MarkInfo <</Type /MarkInfo/Marked true>>";
  const page = "/Annots [7 0 R]/StructParents 0/Tabs /S";
  const headings = [{ level: 1, text: "Heading", name: "a" }];
  const bytes = assembled(chromiumPdf({ catalog, page, more: objects }), { headings }).bytes;
  return { bytes, bookmark: `Tagged ${yPt}` };
}

/** Returns the sources of all objects that contain `text`. */
function sourcesWith(bytes: Uint8Array, text: string): string[] {
  return [...readPdf(bytes).objects.values()].filter((source) => source.includes(text));
}

it("a merged file contains the pages and the outlines of its parts in their order", async () => {
  const { pages, outline } = await described(merged([tagged(), plain(), tagged({ yPt: 5 })]));

  expect(pages).toHaveLength(3);
  expect(outline).toEqual([
    {
      title: "Tagged 7",
      place: [0, null, null, null],
      items: [{ title: "Heading", place: [0, 0, 7, 0], items: [] }],
    },
    { title: "Plain", place: [1, null, null, null], items: [] },
    {
      title: "Tagged 5",
      place: [2, null, null, null],
      items: [{ title: "Heading", place: [2, 0, 5, 0], items: [] }],
    },
  ]);
});

it("the outline of a merged file links each entry to its parent and its neighbours, and is collapsed below its parts", () => {
  const { objects } = readPdf(merged([tagged(), plain(), tagged()]));

  const numberOf = (text: string) =>
    [...objects].filter(([, source]) => source.includes(text)).map(([number]) => number);
  const [first = 0, last = 0] = numberOf("/Title (Tagged 7)");
  const [middle = 0] = numberOf("/Title (Plain)");
  const linked = (number: number) =>
    ["Parent", "Prev", "Next", "First", "Last", "Count"].map((key) =>
      Number(new RegExp(`/${key} (-?\\d+)`).exec(objects.get(number) ?? "")?.[1] ?? 0),
    );
  const [root = 0] = numberOf("/Type/Outlines");
  const [firstHeading = 0, lastHeading = 0] = numberOf("/Title (Heading)");
  expect(linked(root)).toEqual([0, 0, 0, first, last, 3]);
  expect(linked(first)).toEqual([root, 0, middle, firstHeading, firstHeading, -1]);
  expect(linked(middle)).toEqual([root, first, last, 0, 0, 0]);
  expect(linked(last)).toEqual([root, middle, 0, lastHeading, lastHeading, -1]);
  expect(linked(firstHeading)).toEqual([first, 0, 0, 0, 0, 0]);
});
it("a merged file has a blank page before each part that would begin on an even page, with the size of the preceding page", async () => {
  const lowPage = Buffer.from(latin1(chromiumPdf()).replace("300 400", "300 200"), "latin1");
  const low = { bytes: assembled(lowPage).bytes, bookmark: "Low" };

  const bytes = merged([plain("A"), low, plain("B")], { startsOdd: true });

  const pdf = await getDocumentProxy(bytes.slice());
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, index) => pdf.getPage(index + 1)));
  expect(pages.map(({ view }) => view[3])).toEqual([400, 400, 200, 200, 400]);
  const contents = await Promise.all(pages.map(async (page) => (await page.getOperatorList()).fnArray.length > 0));
  expect(contents).toEqual([true, false, true, false, true]);
  const { outline } = await described(bytes);
  expect(outline.map(({ title, place }) => [title, place?.[0]])).toEqual([
    ["A", 0],
    ["Low", 2],
    ["B", 4],
  ]);
});

it("the page tree of a merged file contains the trees of its parts", () => {
  const trees = sourcesWith(merged([tagged(), plain()]), "/Kids").filter((source) => /\/Type ?\/Pages/.test(source));

  const described = trees.map((source) => [referenceIn(source, "Parent"), /\/Count (\d+)/.exec(source)?.[1]].join());
  expect(described.sort()).toEqual(["1,1", "1,1", "NaN,2"]);
});

it("links in a merged file lead to places in their own part, even if several parts use the same names", async () => {
  const { pages } = await described(merged([tagged(), tagged({ yPt: 5 })]));

  expect(pages.map(({ links }) => links)).toEqual([
    [{ url: null, place: [0, 0, 7, 0] }],
    [{ url: null, place: [1, 0, 5, 0] }],
  ]);
});

it("a merged file keeps links to URLs and links without a destination", async () => {
  const links = ["/Dest /missing", "/A <</S /URI/URI (https://colophon.test/)>>"];
  const more = links.map((link) => `<</Type /Annot/Subtype /Link/Rect [0 0 9 9]${link}>>`);
  const { bytes } = assembled(chromiumPdf({ page: "/Annots [6 0 R 7 0 R]", more }));

  const { pages } = await described(merged([plain(), { bytes, bookmark: "" }]));

  expect(pages[1]?.links).toEqual([
    { url: null, place: null },
    { url: "https://colophon.test/", place: null },
  ]);
});

it("a merged file has one structure tree with the elements of all parts", async () => {
  const bytes = merged([tagged(), plain(), tagged()]);

  const { pages } = await described(bytes);
  const own = "Root(Document(Document nl(Link(content content))))";
  expect(pages.map(({ tags }) => tags)).toEqual([own, "Root", own]);
  const [document = ""] = sourcesWith(bytes, "/S/Document/P");
  expect(document.match(/\d+ 0 R/g)).toHaveLength(3);
});

it("a merged file has structure elements with unique keys and ids", () => {
  const bytes = merged([tagged(), plain(), tagged()]);

  expect(sourcesWith(bytes, "/Nums").map((source) => source.replace(/\d+ 0 R/g, "R"))).toEqual([
    "<</Nums [0 [R] 1 R]/Limits [0 1]>>",
    "<</Nums [2 [R] 3 R]/Limits [2 3]>>",
  ]);
  expect(sourcesWith(bytes, "/Headers").map((source) => source.match(/node\d+/g))).toEqual([
    ["node00000001", "node00000001"],
    ["node00000002", "node00000002"],
  ]);
  expect(sourcesWith(bytes, "/Names").map((source) => source.match(/\(node\d+\)/g))).toEqual([
    ["(node00000001)", "(node00000001)", "(node00000001)"],
    ["(node00000002)", "(node00000002)", "(node00000002)"],
  ]);
  expect(sourcesWith(bytes, "/StructParents").map((source) => /Parents (\d)/.exec(source)?.[1])).toEqual(["0", "2"]);
});

it("a merged file is marked as tagged only if all parts have tags", async () => {
  const isMarked = async (parts: Part[]) => (await (await getDocumentProxy(merged(parts))).getMarkInfo())?.Marked;

  expect(await isMarked([tagged(), tagged()])).toBe(true);
  expect(await isMarked([tagged(), plain()])).toBeUndefined();
});

it.each(["", "(a) \\( \\", "שלום \u{1f5ce} (1)", "a\u0000\r\n\u0007\ud800"])(
  "a merged file has a bookmark %j",
  async (bookmark) => {
    const { outline } = await described(merged([plain(bookmark), tagged()]));

    expect(outline[0]?.title).toBe(bookmark.toWellFormed());
    expect(outline[1]?.title).toBe("Tagged 7");
  },
);

it("a merged file has its own metadata instead of its parts' metadata", async () => {
  const bytes = merged([plain(), tagged()], { title: "All \u{1f5ce}", language: "pt-BR" });

  const { info, metadata } = await (await getDocumentProxy(bytes.slice())).getMetadata();
  expect(info).toMatchObject({
    ...{ Title: "All \u{1f5ce}", Creator: "Chromium", Producer: "Skia/PDF m153", Language: "pt-BR" },
    ...{ CreationDate: "D:20260102030405+00'00'", ModDate: "D:20260102030405+00'00'" },
  });
  expect(metadata.get("dc:title")).toBe("All \u{1f5ce}");
  expect(latin1(bytes).match(/<\?xpacket begin/g)).toHaveLength(1);
  expect(sourcesWith(bytes, "/CreationDate")).toHaveLength(1);
  expect(sourcesWith(bytes, "/Type/Catalog")[0]).toContain("/ViewerPreferences<</DisplayDocTitle true>>");
});

it("a merged file has no language if none is given", () => {
  const bytes = merged([plain()], { language: null });

  expect(sourcesWith(bytes, "/Type/Catalog")[0]).not.toContain("/Lang");
  expect(latin1(bytes)).not.toContain("dc:language");
});

const page = "/Resources <</XObject <</X6 6 0 R>>>>";
const image = (text: string, mask: string) =>
  stream(text.repeat(400), `/Type /XObject/Subtype /Image/Width 20/Height 20${mask}`);
const part = (more: string[]): Part => ({ bytes: assembled(chromiumPdf({ page, more })).bytes, bookmark: "" });
/** Returns the first letters of the images in the file, and of the images that they and the pages refer to. */
const images = (bytes: Uint8Array) => {
  const { objects, streams } = readPdf(bytes);
  const letter = (number: number) => latin1(streams.get(number)?.slice(0, 1) ?? new Uint8Array());
  const found = [...objects].filter(([, source]) => source.includes("/Subtype /Image"));
  return {
    stored: found.map(([number, source]) => letter(number) + letter(referenceIn(source, "SMask"))),
    used: sourcesWith(bytes, "/X6").map((source) => letter(referenceIn(source, "X6"))),
  };
};

it("an image that several parts contain is stored once with its mask in a merged file", () => {
  const same = part([image("x", "/SMask 7 0 R"), image("m", "")]);
  const other = part([image("y", "/SMask 7 0 R"), image("m", "")]);

  expect(images(merged([same, plain(), same, other]))).toEqual({
    stored: ["xm", "m", "ym"],
    used: ["x", "x", "y"],
  });
});

it("an image whose mask precedes it is stored again for each part of a merged file", () => {
  const same = part([image("m", ""), image("x", "/SMask 6 0 R")]);

  expect(images(merged([same, same]))).toEqual({ stored: ["m", "xm", "xm"], used: ["m", "m"] });
});

it("a small image is stored again for each part of a merged file", () => {
  const small = part([stream("x", "/Type /XObject/Subtype /Image")]);

  expect(images(merged([small, small]))).toEqual({ stored: ["x", "x"], used: ["x", "x"] });
});

it("a font that several parts contain is stored once in a merged file, also for the forms that use it", () => {
  const page = "/Resources <</Font <</F6 6 0 R>>/XObject <</X11 11 0 R>>>>";
  const part = (file: string, widths: string): Part => {
    const more = [
      "<</Type /Font/Subtype /Type0/DescendantFonts [7 0 R]/ToUnicode 10 0 R>>",
      `<</Type /Font/FontDescriptor 8 0 R/W [${widths}]>>`,
      "<</Type /FontDescriptor/FontName /AAAAAA+A/FontFile2 9 0 R>>",
      stream(file.repeat(400)),
      stream("u".repeat(400)),
      stream("d".repeat(400), "/Subtype /Form/Resources <</Font <</F6 6 0 R>>>>"),
    ];
    return { bytes: assembled(chromiumPdf({ page, more })).bytes, bookmark: "" };
  };

  const bytes = merged([part("x", "0"), part("x", "0"), part("y", "0"), part("x", "1")]);

  const { objects } = readPdf(bytes);
  const numbersWith = (text: string) =>
    [...objects].flatMap(([number, source]) => (source.includes(text) ? number : []));
  const kinds = ["/Type0", "/FontDescriptor ", "/FontName", "/Subtype /Form"];
  expect(kinds.map((kind) => numbersWith(kind).length)).toEqual([3, 3, 2, 3]);
  const used = sourcesWith(bytes, "/F6").map((source) => referenceIn(source, "F6"));
  expect([used.length, new Set(used)]).toEqual([7, new Set(numbersWith("/Type0"))]);
});

it("a merged file is the same for the same parts", () => {
  expect(merged([tagged(), plain()])).toEqual(merged([tagged(), plain()]));
});

it("a merged file needs at least one part", () => {
  expect(() => merger().finish()).toThrow(PdfError);
});
it("a missing object of one part never refers to an object of a different part in a merged file", () => {
  const part = { bytes: assembled(chromiumPdf({ more: ["<</Type /Lost/Of 99 0 R>>"] })).bytes, bookmark: "" };

  const [lost] = sourcesWith(merged([part, tagged()]), "/Lost");

  expect(lost).toBe("<</Type /Lost/Of null>>");
});

const valid = tagged().bytes;
const text = Buffer.from(valid).toString("latin1");
const changed = (from: string | RegExp, to: string) => {
  expect(text).toMatch(from);
  return Buffer.from(text.replace(from, to), "latin1");
};
const catalog = "<</Type/Catalog/Pages 2 0 R>>";
const onePage = ["<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/MediaBox[0 0 9 9]>>"];
const deepTree = Array.from({ length: 20_000 }, (_, index) => `<</Type/Pages/Kids[${index + 3} 0 R]>>`);
const written = (objects: string[]) => {
  const writer = pdfWriter(1);
  objects.forEach(writer.newObject);
  return writer.finish({ root: 1, info: 1 });
};
it("a valid part is accepted", () => {
  expect(merger().add(written([catalog, ...onePage]), "").pageCount).toBe(1);
  expect(merger().add(ids("node00000099"), "").pageCount).toBe(1);
});

const ids = (id: string) => tagged({ more: [`<</ID (${id})>>`] }).bytes;

it.each([
  ["as Chromium writes it", chromiumPdf()],
  ["truncated", valid.slice(0, -40)],
  ["without its beginning", valid.slice(40)],
  ["a merged file", merged([tagged(), plain()])],
  ["with a stream that is longer", changed("/Length 17>>", "/Length 18>>")],
  ["with a stream that has another number", changed("\n5 0 obj", "\n9 0 obj")],
  ["with objects that cannot be decompressed", changed(/(ObjStm.*stream\n)../, "$1ab")],
  ["with objects in another place", changed(/\/First \d+/, "/First 1")],
  ["with a circular page tree", written([catalog, "<</Type/Pages/Kids[3 0 R]>>", "<</Type/Pages/Kids[2 0 R]>>"])],
  ["with a page tree that is too deep", written([catalog, ...deepTree])],
  ["with a key that is out of range", written([catalog, ...onePage, `<</StructParent ${"9".repeat(30)}>>`])],
  ["nested too deeply", written([catalog, ...onePage, "[".repeat(100_000)])],
  ["with an id of another kind", ids("other")],
])("a part is refused if it is %s", (_what, bytes) => {
  expect(() => merger().add(bytes, "")).toThrow(PdfError);
});
