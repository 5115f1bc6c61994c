import { extractText } from "unpdf";
import { expect, it } from "vitest";
import { latin1, pdf } from "colophon-test-kit/pdf";
import { readPdf, referenceIn } from "colophon-test-kit/pdf-reader";
import { openPdf } from "../src/file/open-pdf.ts";
import { watermarkPattern } from "../src/parts/watermark.ts";
import { assembled, chromiumPdf, stream } from "./inputs.ts";
import { described, merged } from "./merged.ts";

/** A file whose pages have these boxes. `tree` are entries of the page tree, and `page` entries of each page. */
function bodyOf(boxes: string[], { tree = "", page = "", contents = "3 0 R", more = [] as string[] } = {}) {
  const kids = boxes.map((_, index) => `${4 + index} 0 R`).join(" ");
  return pdf([
    "<</Type /Catalog /Pages 2 0 R>>",
    `<</Type /Pages /Count ${boxes.length} /Kids [${kids}] ${tree}>>`,
    stream("0 0 m"),
    ...boxes.map((box) => `<</Type /Page /Parent 2 0 R /MediaBox ${box} /Contents ${contents} ${page}>>`),
    ...more,
  ]);
}

const marked = (body: Uint8Array, rest = {}) => assembled(body, { ...rest, isTest: true }).bytes;

/** Returns the source of a page of the file, and the texts of its content streams. */
function pageOf(bytes: Uint8Array, number: number) {
  const { objects, streams } = readPdf(bytes);
  const source = objects.get(number) ?? "";
  const list = /\/Contents \[([^\]]*)\]/.exec(source)?.[1] ?? "";
  const contents = [...list.matchAll(/(\d+) 0 R/g)].map(([, n]) => latin1(streams.get(Number(n)) ?? new Uint8Array()));
  return { source, contents, objects, streams };
}

const after = "Q /Artifact BMC q /Watermark Do Q EMC";

it("the watermark is drawn as an artifact above the content, the headers and the footers, with its own graphics state", () => {
  const sheets = { file: openPdf(chromiumPdf()), ofPage: [0], parts: null };

  const { contents, source } = pageOf(marked(chromiumPdf(), { sheets }), 3);

  const sheet = "Q /Artifact<</Type/Pagination>>BDC q /Sheet Do Q EMC";
  expect(contents).toEqual(["q", "q", "1 0 0 -1 0 400 cm", sheet, after]);
  expect(source).toMatch(/\/XObject <<\/Sheet \d+ 0 R\/Watermark \d+ 0 R>>/);
});

it("the watermark is drawn on a page without content", () => {
  const { contents } = pageOf(marked(bodyOf(["[0 0 30 40]"], { contents: "null" })), 4);

  expect(contents).toEqual(["q", after]);
});

it("the watermark is drawn after all streams of a page that has several", () => {
  const body = bodyOf(["[0 0 30 40]"], { contents: "5 0 R", more: ["[3 0 R 3 0 R]"] });

  expect(pageOf(marked(body), 4).contents).toEqual(["q", "0 0 m", "0 0 m", after]);
});

it("the watermark gets a name that the page does not use", () => {
  const body = chromiumPdf({ page: "/Resources <</XObject <</Watermark 6 0 R>>>>", more: [stream("own")] });

  const { source, contents } = pageOf(marked(body), 3);

  expect(source).toMatch(/\/XObject <<\/Watermark 6 0 R\/Watermark1 \d+ 0 R>>/);
  expect(contents.at(-1)).toBe(after.replace("Watermark", "Watermark1"));
});

it.each([
  ["", "/Resources <</Font <</F 3 0 R>> /XObject <</Watermark 3 0 R>>>>"],
  [" as an object", "/Resources 5 0 R"],
])("a page with a watermark keeps the resources that it inherits%s", (_how, tree) => {
  const more = ["<</Font <</F 3 0 R>> /XObject <</Watermark 3 0 R>>>>"];

  const { source } = pageOf(marked(bodyOf(["[0 0 30 40]"], { tree, more })), 4);

  const forms = "<</Watermark 3 0 R/Watermark1 \\d+ 0 R>>";
  expect(source).toMatch(new RegExp(`/Resources <</Font <</F 3 0 R>>/XObject ${forms}>>`));
});

it("the watermark brings its own font and opacity, and is written once for all pages of the same size", () => {
  const { objects, streams } = pageOf(marked(bodyOf(["[0 0 30 40]", "[0 0 40 30]", "[0 0 30 40]"])), 4);

  const forms = [4, 5, 6].map((page) => referenceIn(objects.get(page), "Watermark"));
  expect([forms[0] === forms[1], forms[0] === forms[2]]).toEqual([false, true]);
  const form = objects.get(forms[0] ?? 0) ?? "";
  expect(form).toContain("/BBox [0 0 30 40]/Resources<</Font<</F ");
  expect(objects.get(referenceIn(form, "F"))).toContain("/BaseFont/Helvetica");
  const row = referenceIn(form, "R");
  const word = objects.get(referenceIn(objects.get(row), "W"));
  expect(word).toContain("/ExtGState<</G0<</Type/ExtGState/CA 0.3>>/G1<</Type/ExtGState/CA 0.25>>>>");
  expect(latin1(streams.get(row) ?? new Uint8Array()).match(/\/W Do/g)).toHaveLength(3);
});

it("the text of the watermark can be found on every page, whatever the page's size and the watermark's position", async () => {
  const boxes = ["[0 0 12 12]", "[0 0 3750 3750]", "[0 0 12 3750]", "[0 0 14400 600]", "[-90 50 505 892]"];

  const { text } = await extractText(marked(bodyOf(boxes)));

  expect(text.map((page) => /TEST/.test(page))).toEqual(boxes.map(() => true));
});
it("the watermark remains when files are merged", async () => {
  const bytes = marked(bodyOf(["[0 0 300 400]"]));

  const { pages } = await described(merged([1, 2].map((part) => ({ bytes, bookmark: `Part ${part}` }))));

  expect(pages.map(({ text }) => text)).toEqual(["TEST", "TEST"]);
});

it("the watermark takes a few kilobytes, however large the page is", () => {
  const sizeOf = (box: string) => marked(bodyOf([box])).length - assembled(bodyOf([box])).bytes.length;

  expect([sizeOf("[0 0 595 842]") < 3_000, sizeOf("[0 0 3750 3750]") < 6_000]).toEqual([true, true]);
});

it.each([
  [1, 1],
  [16, 5_000],
  [794, 1_123],
  [16_000, 5_000],
])(
  "the watermark of a page of %d x %d points has a complete word in the centre at whole coordinates",
  (width, height) => {
    const { em, column, row } = watermarkPattern(width, height, 96);

    expect([em * 2.54 < width, em * 1.89 < height]).toEqual([true, true]);
    expect([em, column, row].every((length) => length > 0)).toBe(true);
    expect([column, row].map(Math.ceil)).toEqual([column, row]);
  },
);
