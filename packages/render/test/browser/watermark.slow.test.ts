// Renders documents whose styles and data try to remove, cover or fade the watermark of tests, and compares each of them with the same
// document without a watermark, pixel by pixel. All are rendered on the same page, so a trace of one document could help the next to
// remove the mark.
import { createCanvas, loadImage, type ImageData } from "@napi-rs/canvas";
import { extractText, getDocumentProxy, renderPageAsImage } from "unpdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentFormat } from "colophon-page/document-format";
import { customGeometry } from "colophon-page/page-geometry";
import type { RenderRequest } from "colophon-render/plan-render";
import { templateContent } from "colophon-test-kit/template-content";
import type { LocalRenderer } from "../../../templates/src/render/local-renderer.ts";
import { compileFolder, renderFolder } from "../../../templates/src/render/render-folder.ts";
import { startTimeoutMs, startedRenderer } from "./started-renderer.ts";

let renderer: LocalRenderer;
beforeAll(async () => void (renderer = await startedRenderer()), startTimeoutMs);
afterAll(() => renderer?.stop());

type Template = { css?: string; page?: string; header?: string; request?: Partial<RenderRequest> };
type Made = { bytes: Uint8Array; pixelSize: unknown } | { message: string };

async function rendered(format: DocumentFormat, isTest: boolean, template: Template): Promise<Made> {
  const { css = "", page = plainPage, header = "", request = {} } = template;
  const { manifest } = templateContent({});
  const margin = { top: 0, right: 0, bottom: 0, left: 0 };
  const page300 = customGeometry(300, 400);
  const content = { css, header, manifest: { ...manifest, margin, page: page300, pageSize: "Custom" as const } };
  const folder = await compileFolder(templateContent({ page, content }));
  const marking: LocalRenderer = {
    ...renderer,
    render: (job, calls) => renderer.render({ ...job, isTest }, calls),
  };
  const parts = { renderer: marking, fonts: { facesFor: async () => [] }, log: () => {} };
  const done = await renderFolder(parts, folder, { data: {}, format, deviceScaleFactor: 1, ...request });
  if (done.status === "failed") return { message: done.message };
  return { bytes: done.file.bytes, pixelSize: done.metadata.imageSize };
}

const plainPage = "<h1>Title</h1><p>Some text of a document.</p>";

/** Returns the pixels of each page of a PDF, or of the image. Small pages of a PDF are enlarged. */
async function picturesOf(format: DocumentFormat, bytes: Uint8Array): Promise<ImageData[]> {
  if (format !== "pdf") return [await pixelsOf(bytes)];
  const pdf = await getDocumentProxy(bytes.slice());
  const pictures: ImageData[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
    const options = { canvasImport: () => import("@napi-rs/canvas"), scale: Math.max(1, 60 / Math.min(width, height)) };
    pictures.push(await pixelsOf(new Uint8Array(await renderPageAsImage(bytes.slice(), number, options))));
  }
  return pictures;
}

async function pixelsOf(image: Uint8Array): Promise<ImageData> {
  const loaded = await loadImage(image);
  const context = createCanvas(loaded.width, loaded.height).getContext("2d");
  context.drawImage(loaded, 0, 0);
  return context.getImageData(0, 0, loaded.width, loaded.height);
}

/** A mark changes a channel by 50 on white and on black; a faded mark changes it less. */
const minChange = 25;

/** The minimum shares of a page: the pixels that the mark changes, and the width and height that it spans. */
const [minChanged, minAcross] = [0.04, 0.6];

/**
 * Returns the share of changed pixels, how much of the width and height they span, and the side of the largest unchanged
 * square.
 */
function markOn(test: ImageData | undefined, live: ImageData | undefined) {
  if (!test || !live || test.width !== live.width || test.height !== live.height) throw new Error("the sizes differ");
  let count = 0;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  // The largest unmarked squares whose lower right corners are these pixels, in this row and in the one above.
  let [squares, above, largest] = [new Uint16Array(test.width + 1), new Uint16Array(test.width + 1), 0];
  for (let at = 0; at < test.data.length; at += 4) {
    const column = ((at / 4) % test.width) + 1;
    if (column === 1) [squares, above] = [above, squares];
    const change = Math.max(
      ...[0, 1, 2].map((part) => Math.abs((test.data[at + part] ?? 0) - (live.data[at + part] ?? 0))),
    );
    const beside = Math.min(squares[column - 1] ?? 0, above[column] ?? 0, above[column - 1] ?? 0);
    squares[column] = change < minChange ? beside + 1 : 0;
    largest = Math.max(largest, beside + 1 - (change < minChange ? 0 : 1));
    if (change < minChange) continue;
    const [x, y] = [(at / 4) % test.width, Math.floor(at / 4 / test.width)];
    count++;
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  const across = Math.min((right - left + 1) / test.width, (bottom - top + 1) / test.height);
  return { changed: count / (test.width * test.height), across, largest };
}

const overlay = "content:'';position:fixed;inset:-9999px;z-index:2147483647;background:#fff;display:block";
/** An image of it would have no pixels. */
const impossibleAsImage = "everything without a box";
const hostile: Record<string, Template> = {
  "a plain document": {},
  [impossibleAsImage]: { css: "*{display:none!important}" },
  "a fixed overlay": { css: `body::after{${overlay}}` },
  blending: { css: "html{background:#000}*{mix-blend-mode:difference;isolation:isolate;background-blend-mode:screen}" },
  "a huge transform": { css: "html,body,p{transform:scaleX(1000) scaleY(1.2)}" },
  "a page of 16 px": { request: { width: 16, height: 16, deviceScaleFactor: 3 } },
  "a narrow page": { request: { width: 16, height: 2_000 } },
  "another page size in the styles": { css: "@page{size:1500px 40px;margin:0}@page :first{size:40px 900px}" },
  "named and turned pages": {
    css: "@page a{size:A3 landscape;page-orientation:rotate-left}@page b{size:90px 90px;margin:44px}p{page:b}h1{page:a}",
  },
  "the names of our own elements": {
    css: `.page,.watermark,#watermark,svg,img,[class*=mark]{opacity:0!important;height:9px!important}
      @layer colophon{svg,img{display:none!important}}@font-face{font-family:Helvetica;src:local(none)}
      svg{--mark:none}:root{--page-width:0;--watermark:none}`,
  },
  "markup that ends the page": {
    page: `</div></body></html><style>p,svg{display:none!important}body::after{${overlay}}</style><base href="data:,"><svg>
      <style>path,text,g{stroke:none!important;display:none}</style></svg><!--`,
  },
  "a header over the whole page": {
    header:
      "<style>div::after{position:fixed;inset:-9999px;background:#fff;z-index:2147483647;content:''}</style><div>x</div>",
  },
  "zoom and writing modes": { css: "html{zoom:20;writing-mode:vertical-rl;direction:rtl;unicode-bidi:bidi-override}" },
  "an automatic height": { page: "<p style='height:3000px'>x</p>", request: { height: "auto" } },
};

/** The mark is drawn onto the picture of any image after it was captured, so the document's styles cannot reach it. */
const cases = Object.keys(hostile);
describe.each([
  ["pdf", cases],
  ["png", cases.slice(-2)],
] as const)("the watermark of a %s", (format, names) => {
  it.each(names)(
    "the watermark stays in spite of %s",
    async (name) => {
      const template = hostile[name] ?? {};

      const [live, test] = [await rendered(format, false, template), await rendered(format, true, template)];

      if ("message" in live || "message" in test) return expect([test, name]).toEqual([live, impossibleAsImage]);
      expect(test.pixelSize).toEqual(live.pixelSize);
      const [before, after] = [await picturesOf(format, live.bytes), await picturesOf(format, test.bytes)];
      expect(after).toHaveLength(before.length);
      const marks = after.map((picture, index) => markOn(picture, before[index]));
      expect(marks.filter(({ changed, across }) => changed < minChanged || across < minAcross)).toEqual([]);
      if (format !== "pdf") return;
      const { text } = await extractText(test.bytes);
      expect(text.filter((page) => !page.includes("TEST"))).toEqual([]);
    },
    90_000,
  );
});

function sameShare(a: ImageData, b: ImageData): number {
  const [own, other] = [a, b].map(({ data }) => new Uint32Array(data.buffer));
  return (own ?? []).filter((pixel, index) => pixel === other?.[index]).length / (other?.length ?? 0);
}

const fine = `<style>.page{background:repeating-linear-gradient(31deg,#123,#fed 3px,#4a7 5px)}</style><p style="margin:0;height:900px">x</p>`;
it.each([
  ["if the image is higher than the page", { deviceScaleFactor: 2, height: "auto" as const, width: 333 }],
  ["if the image is captured in strips first", { deviceScaleFactor: 3, width: 800, height: 600 }],
])(
  "the watermark changes only the pixels under it %s",
  async (_what, request) => {
    const [live, test] = [
      await rendered("png", false, { page: fine, request }),
      await rendered("png", true, { page: fine, request }),
    ];

    if ("message" in live || "message" in test) throw new Error("not rendered");
    const [before, after] = [await pixelsOf(live.bytes), await pixelsOf(test.bytes)];
    // The mark covers a tenth of the image. A picture that is scaled or moved differs nearly everywhere in such a pattern.
    expect(sameShare(after, before)).toBeGreaterThan(0.85);
    expect(sameShare(after, before)).toBeLessThan(1 - minChanged);
  },
  90_000,
);

const twoSizes = "<style>@page wide{size:A4 landscape}h2{page:wide}</style><h1>1</h1><h2>2</h2>";
const a4 = { width: 794, height: 1123 };
it.each<[string, DocumentFormat, Template]>([
  ["each page of a PDF", "pdf", { page: twoSizes, request: a4 }],
  ["a long PDF", "pdf", { page: "<p style='height:9000px'>x</p>", request: { height: "auto" } }],
  ["a label as a PDF", "pdf", { request: { width: 240, height: 110 } }],
  ["an image in landscape", "webp", { request: { width: 1_200, height: 630 } }],
  ["a long image", "png", { page: "<p style='height:9000px'>x</p>", request: { height: "auto" } }],
])(
  "the watermark leaves no square of 25 mm unmarked in %s",
  async (_what, format, template) => {
    const [live, test] = [await rendered(format, false, template), await rendered(format, true, template)];

    if ("message" in live || "message" in test) throw new Error("not rendered");
    const [before, after] = [await picturesOf(format, live.bytes), await picturesOf(format, test.bytes)];
    const perInch = format === "pdf" ? 72 : 96 * (template.request?.deviceScaleFactor ?? 1);
    const sides = after.map((picture, index) => (markOn(picture, before[index]).largest / perInch) * 25.4);
    expect(Math.max(...sides)).toBeLessThan(18);
  },
  90_000,
);
