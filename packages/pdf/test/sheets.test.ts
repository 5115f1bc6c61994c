import { expect, it } from "vitest";
import { latin1, pdf } from "colophon-test-kit/pdf";
import { readPdf, type ReadPdf } from "colophon-test-kit/pdf-reader";
import { openPdf } from "../src/file/open-pdf.ts";
import type { Sheets } from "../src/parts/sheets.ts";
import { PdfError } from "../src/syntax/pdf-error.ts";
import { assembled, chromiumPdf, stream } from "./inputs.ts";

type PageParts = { box?: string; entries?: string; resources?: string; contents?: string };

/**
 * Returns a file with a page for each item. Page `i` is the object `3 + 2 * i`, and its content is the next object. The
 * objects `more` follow the pages.
 */
function pagesPdf(pages: PageParts[], { more = [] as string[], catalog = "" } = {}) {
  const kids = pages.map((_, index) => `${3 + 2 * index} 0 R`).join(" ");
  const pageOf = ({ box = "[0 0 300 400]", entries = "", resources = "", contents }: PageParts, index: number) => [
    `<</Type /Page /Parent 2 0 R /MediaBox ${box} ${contents ?? `/Contents ${4 + 2 * index} 0 R`} ${entries} ${resources}>>`,
    stream(`${index} 0 m`),
  ];
  return pdf([
    `<</Type /Catalog /Pages 2 0 R ${catalog}>>`,
    `<</Type /Pages /Count ${pages.length} /Kids [${kids}]>>`,
    ...pages.flatMap(pageOf),
    ...more,
  ]);
}

function withSheets(body: Uint8Array, sheets: Uint8Array, ofPage: Sheets["ofPage"]) {
  const { bytes, removedLinks } = assembled(body, { sheets: { file: openPdf(sheets), ofPage, parts: null } });
  return { bytes, removedLinks, read: readPdf(bytes) };
}

const numbers = (source: string | undefined, key: string) =>
  [...(new RegExp(`/${key} \\[([^\\]]*)\\]`).exec(source ?? "")?.[1] ?? "").matchAll(/(\d+) 0 R/g)].map(([, n]) =>
    Number(n),
  );

/** Returns the text of all content streams of a page, joined. */
const contentOf = ({ objects, streams }: ReadPdf, page: number) =>
  numbers(objects.get(page), "Contents").map((number) => latin1(streams.get(number) ?? new Uint8Array()));

/** Returns the object number of the form with the sheet of a page. */
const formOf = ({ objects }: ReadPdf, page: number) => Number(/\/Sheet (\d+) 0 R/.exec(objects.get(page) ?? "")?.[1]);

it("a sheet becomes a form with its own content and resources", () => {
  const font = "<</Type /Font /ToUnicode 7 0 R /Missing 99 0 R>>";
  const sheets = pagesPdf([{ resources: "/Resources <</Font <</F1 5 0 R /F2 6 0 R>>>>" }], {
    more: ["<</Type /Font /Next 6 0 R>>", font, stream("unicode", "/Other 5 0 R")],
  });

  const { read } = withSheets(chromiumPdf(), sheets, [0]);

  const form = formOf(read, 3);
  const source = read.objects.get(form) ?? "";
  expect(source).toMatch(
    /^<<\/Type \/XObject\/Subtype \/Form\/BBox \[0 0 300 400\]\/Resources <<\/Font <<\/F1 \d+ 0 R\/F2 \d+ 0 R>>>>/,
  );
  expect(latin1(read.streams.get(form) ?? new Uint8Array())).toBe("0 0 m");
  const second = Number(/\/F2 (\d+)/.exec(source)?.[1]);
  expect(read.objects.get(second)).toMatch(/^<<\/Type \/Font\/ToUnicode \d+ 0 R\/Missing null>>$/);
  const unicode = Number(/\/ToUnicode (\d+)/.exec(read.objects.get(second) ?? "")?.[1]);
  expect(latin1(read.streams.get(unicode) ?? new Uint8Array())).toBe("unicode");
});
it("a sheet is written once for all pages that show it", () => {
  const body = pagesPdf([{}, {}, {}, {}]);

  const { read } = withSheets(body, pagesPdf([{}, {}, {}]), [2, 1, null, 2]);

  expect(formOf(read, 3)).toBe(formOf(read, 9));
  expect(formOf(read, 5)).not.toBe(formOf(read, 3));
  expect(read.objects.get(7)).toBe("<</Type /Page/Parent 2 0 R/MediaBox [0 0 300 400]/Contents 8 0 R>>");
  expect(contentOf(read, 3)).toHaveLength(3);
  expect(numbers(read.objects.get(3), "Contents")[2]).toBe(numbers(read.objects.get(5), "Contents")[2]);
  const texts = [...read.streams.values()].map((data) => latin1(data));
  expect(texts.filter((text) => text === "2 0 m")).toHaveLength(2);
  expect(texts.filter((text) => text === "q")).toHaveLength(1);
});

it("a sheet is aligned with the page at the upper left corner", () => {
  const { read } = withSheets(chromiumPdf(), pagesPdf([{ box: "[10 0 310 399.5]" }]), [0]);

  expect(contentOf(read, 3)[2]).toContain("q 1 0 0 1 -10 0.5 cm /Sheet Do Q");
});

it.each([
  ["direct", "/Resources <</Font <<>> /XObject <</X4 6 0 R>>>>", []],
  ["an object", "/Resources 7 0 R", ["<</Font <<>> /XObject <</X4 6 0 R>>>>"]],
  ["an object, and so are its images", "/Resources 7 0 R", ["<</Font <<>> /XObject 8 0 R>>", "<</X4 6 0 R>>"]],
])("a sheet is added to the resources of the page (%s)", (_what, resources, more) => {
  const { read } = withSheets(chromiumPdf({ page: resources, more: [stream("image"), ...more] }), pagesPdf([{}]), [0]);

  expect(read.objects.get(3)).toMatch(/\/Resources <<\/Font <<>>\/XObject <<\/X4 6 0 R\/Sheet \d+ 0 R>>>>/);
});

it("a sheet may be empty, and belong to a page without contents", () => {
  const { read } = withSheets(pagesPdf([{ contents: "" }]), pagesPdf([{ contents: "" }]), [0]);

  expect(contentOf(read, 3)).toEqual(["q", expect.stringContaining("Do Q EMC")]);
  expect(read.streams.get(formOf(read, 3))).toHaveLength(0);
});

it("a sheet keeps the filter of its content, and the filter's parameters", () => {
  const sheets = pagesPdf([{ contents: "/Contents 5 0 R" }], {
    more: [stream("packed", "/Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns 5>> ")],
  });

  const { read } = withSheets(chromiumPdf(), sheets, [0]);

  const source = read.objects.get(formOf(read, 3));
  expect(source).toContain("/Filter /FlateDecode/DecodeParms <</Predictor 12/Columns 5>>");
});

const link = (target: string) =>
  `<</Type /Annot /Subtype /Link /F 4 /Border [0 0 0] /Rect [10 20 30 40] ${target} /StructParent 7 /P 3 0 R>>`;
const linked = (...targets: string[]) => {
  const references = targets.map((_, index) => `${5 + index} 0 R`).join(" ");
  return pagesPdf([{ entries: `/Annots [${references}]`, box: "[0 0 300 399]" }], { more: targets.map(link) });
};
const withDests = pagesPdf([{}, { entries: "/Annots [7 0 R]" }], {
  catalog: "/Dests 8 0 R",
  more: ["<</Type /Annot /Subtype /Link /Rect [0 0 1 1] /Dest /there>>", "<</there [3 0 R /XYZ 0 300 0]>>"],
});

it("the links of a sheet are copied to each page that shows the sheet, and stay out of the tag tree", () => {
  const { read } = withSheets(
    withDests,
    linked("/A <</Type /Action /S /URI /URI (https://a.dev/)>> /Contents (Home)"),
    [0, 0],
  );

  const [first = [], second = []] = [3, 5].map((page) => numbers(read.objects.get(page), "Annots"));
  expect([first.length, second.length, second[0]]).toEqual([1, 2, 7]);
  expect(second).not.toContain(first[0]);
  expect(read.objects.get(first[0] ?? 0)).toBe(
    "<</Type /Annot/Subtype /Link/F 4/Border [0 0 0]/Rect [10 21 30 41]/A <</S /URI/URI (https://a.dev/)>>/Contents (Home)>>",
  );
});

it("the links of a sheet are kept only if the body has their destination", () => {
  const targets = ["/Dest /there", "/Dest /nowhere"];

  const { read, removedLinks } = withSheets(withDests, linked(...targets), [0, null]);

  const links = numbers(read.objects.get(3), "Annots").map((number) => read.objects.get(number));
  expect(links).toEqual([expect.stringContaining("/Dest /there>>")]);
  expect(removedLinks).toBe(0);
});

it("the links of a sheet are counted once for each sheet", () => {
  const sheets = linked("/A <</S /URI /URI (javascript:x)>>", "/A <</S /JavaScript /JS (x)>>", "/Dest /there /AA <<>>");

  const { read, removedLinks } = withSheets(withDests, sheets, [0, 0]);

  expect(numbers(read.objects.get(3), "Annots")).toHaveLength(1);
  expect([...read.objects.values()].join("")).not.toMatch(/javascript/i);
  expect(removedLinks).toBe(3);
});

it.each([
  ["the sheets are for another number of pages", pagesPdf([{}]), [0, 0]],
  ["a page needs a sheet that was not printed", pagesPdf([{}]), [1]],
  ["the content of a sheet is not a stream", pagesPdf([{ contents: "/Contents 2 0 R" }]), [0]],
  ["the content of a sheet is several streams", pagesPdf([{ contents: "/Contents [4 0 R]" }]), [0]],
  [
    "the content of a sheet is longer than its dictionary says",
    pagesPdf([{ contents: "/Contents 5 0 R" }], { more: ["<</Length 3>> stream\nabcdef\nendstream"] }),
    [0],
  ],
  ["the sheets refer to a damaged object", pagesPdf([{ resources: "/Resources 5 0 R" }], { more: ["<</A"] }), [0]],
  [
    "a sheet's link has no coordinates",
    pagesPdf([{ entries: "/Annots [<</Subtype /Link /A <</S /URI /URI (https://a)>> /Rect [0 0 (a) 1]>>]" }]),
    [0],
  ],
])("an assembly is refused if %s", (_what, sheets, ofPage) => {
  expect(() => withSheets(chromiumPdf(), sheets, ofPage)).toThrow(PdfError);
});
