import { expect, it } from "vitest";
import { imageInfo } from "colophon-images/image-info";
import { customGeometry, lengthPx, pageSizeNames, paperGeometry } from "colophon-page/page-geometry";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { templateContent } from "colophon-test-kit/template-content";
import { rendered } from "../fixtures/rendered.ts";

/** Returns the rounded width and height of every page's media box, in points. */
function pageSizes(pdf: Uint8Array): [number, number][] {
  const objects = [...readPdf(pdf).objects.values()].join("\n");
  return [...objects.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, w, h]) => [
    Math.round(Number(w)),
    Math.round(Number(h)),
  ]);
}

const manifest = { ...templateContent({}).manifest, fields: [] };
const points = (cssLength: string) => Math.round(((lengthPx(cssLength) ?? 0) * 72) / 96);

it.each([
  [16, 16],
  [74, 74],
  [40, 300],
  [300, 16],
])("a label is printed with a size of %i x %i pixels", async (width, height) => {
  const margin = { top: 0, right: 0, bottom: 0, left: 0 };
  const content = { manifest: { ...manifest, margin } };

  const { bytes, record } = await rendered({ page: "<b>1</b>", content }, { width, height });

  expect(record).toMatchObject({ width, height });
  expect(pageSizes(bytes)[0]).toEqual([points(`${width}px`), points(`${height}px`)]);
});

it("a short document is printed as one page of exactly the chosen paper size, in portrait and in landscape", async () => {
  for (const size of pageSizeNames) {
    for (const orientation of ["portrait", "landscape"] as const) {
      const page = paperGeometry(size, orientation);
      const content = { manifest: { ...manifest, pageSize: size, orientation, page } };

      const { bytes, record } = await rendered({ page: "<p>x</p>", content });

      expect(pageSizes(bytes), `${size} ${orientation}`).toEqual([[points(page.cssWidth), points(page.cssHeight)]]);
      expect([record.width, record.height]).toEqual([page.width, page.height]);
    }
  }
});

it.each([
  "html,body{height:100%;overflow:hidden}",
  "html{overflow-x:hidden}body{height:200px;overflow-x:hidden}",
  "@layer base{html,body{max-height:100vh;overflow:clip}}",
  "body{min-height:100vh}",
])("heights and scroll boxes of html and body neither cut off a document nor add a page: %s", async (css) => {
  const [long, short] = [`${"<p>x</p>".repeat(30)}<p>last</p>`, "<p>x</p>"];

  const pages = await rendered({ page: long, content: { css } });
  const page = await rendered({ page: short, content: { css } });

  expect([pages.record.pageCount, page.record.pageCount]).toEqual([2, 1]);
});

it("a request can override the width, the height, or both", async () => {
  const both = await rendered({}, { width: 400, height: 600 });
  const width = await rendered({}, { width: 400 });
  const height = await rendered({}, { height: 600 });

  expect(pageSizes(both.bytes)).toEqual([[300, 450]]);
  expect(pageSizes(width.bytes)).toEqual([[300, 842]]);
  expect(pageSizes(height.bytes)).toEqual([[595, 450]]);
});

it("each page file starts on a new page, without blank pages between them", async () => {
  const bleed = "<div style='height:var(--page-height);background:#036'></div>";
  const content = { manifest: { ...manifest, margin: { top: 0, right: 0, bottom: 0, left: 0 } } };

  const { record, bytes } = await rendered({ page: [bleed, "<p>second</p>", bleed], content });

  expect(record.pageCount).toBe(3);
  expect(pageSizes(bytes)).toHaveLength(3);
});

it("the requested width and height of a PNG are multiplied by deviceScaleFactor", async () => {
  for (const deviceScaleFactor of [1, 2, 3]) {
    const { bytes } = await rendered({}, { format: "png", width: 301, height: 203, deviceScaleFactor });
    expect(imageInfo(bytes)).toMatchObject({ width: 301 * deviceScaleFactor, height: 203 * deviceScaleFactor });
  }
});

it("the growing boxes of the page files are stacked in a PNG without gaps", async () => {
  const page = ["<p>one</p>", "<div style='height:1500px'>two</div>"];

  const { record, bytes } = await rendered({ page }, { format: "png", deviceScaleFactor: 1 });

  expect(record.pageCount).toBe(2);
  expect(imageInfo(bytes)).toMatchObject({ width: 794, height: 1123 + 1500 + 96 });
});

it("the box of each page file is clipped to the requested height in a PNG", async () => {
  const page = ["<p>one</p>", "<div style='height:1500px'>two</div>"];

  const { record, bytes } = await rendered({ page }, { format: "png", height: 500, deviceScaleFactor: 1 });

  expect(imageInfo(bytes)).toMatchObject({ width: 794, height: 1000 });
  expect(record.warnings.join()).toMatch(/^Page 2: .* hides/);
});

it("styles can rotate the paper, and the returned size is the size of the rotated paper", async () => {
  const narrow = { ...manifest, page: customGeometry(302, 945) };

  const { record, bytes } = await rendered({
    page: "<p>x</p>",
    content: { manifest: narrow, css: "@page{size:landscape}" },
  });

  expect([record.width, record.height]).toEqual([945, 302]);
  expect(pageSizes(bytes)).toEqual([[709, 227]]);
});
