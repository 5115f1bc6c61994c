import { describe, expect, it } from "vitest";
import { isSmallPdf, maxBytesInMessage } from "../../../src/objects/rendering/page/pdf-size.ts";
import { poolJob, type JobText } from "../../../src/platform/rendering/job-content.ts";
import type { RenderJob } from "../../../src/core/rendering/render-job.ts";
import { renderJob } from "../../fixtures/render-job.ts";

const estimate = { elements: 100, pages: 2 };
const text: JobText = {
  head: "<style></style>",
  css: "",
  content: "<p>text</p>",
  marginContents: [],
  files: [],
  styleFiles: [],
};

function isSmall(css: string): boolean {
  return isSmallPdf(renderJob(), { ...text, css: `p { ${css} }` }, estimate);
}

describe("a short document", () => {
  it.each([
    "background: red",
    "white-space: pre-line",
    "justify-content: space-between",
    "justify-content: space-around",
    "text-spacing-trim: space-all",
    "text-overflow: ellipsis",
    "grid-template-columns: 1fr 2fr",
    "grid-column: 1",
    'src: url("data:font/woff2;base64,fixed+dash/mask+filter==")',
  ])("is small with %s", (css) => expect(isSmall(css)).toBe(true));

  it.each([
    "background-repeat: round",
    "background: url(x.png) space",
    "background-repeat:space round",
    'text-overflow: "long text"',
    "columns: 3",
    "column : 3",
    "background: linear-gradient(red, blue)",
    "filter: blur(1px)",
    'background: url("data:image/svg+xml,<svg><pattern/></svg>")',
    'src: url("data:font/woff2;base64,AA=="); filter: blur(1px)',
  ])("is not certainly small with %s", (css) => expect(isSmall(css)).toBe(false));
});

it("is not certainly small with many elements or pages", () => {
  expect(isSmallPdf(renderJob(), text, { elements: 100_000, pages: 2 })).toBe(false);
  expect(isSmallPdf(renderJob(), text, { elements: 100, pages: 200 })).toBe(false);
});

it("is not certainly small with a file that is text, or with files that it shows very often", () => {
  const showing = (type: string) => ({ ...text, files: [{ placeholder: "x", chars: 1, type }] });

  expect(isSmallPdf(renderJob(), showing("data:image/png;base64"), estimate)).toBe(true);
  expect(isSmallPdf(renderJob(), showing("data:image/svg+xml"), estimate)).toBe(false);
  expect(isSmallPdf(renderJob({ inlinedChars: 2_000_000 }), text, estimate)).toBe(false);
});

it("limits the size of a small PDF by its elements, its markup and its files", () => {
  const job = poolJob(renderJob({ markupChars: 1_000, inlinedChars: 20_000 }));

  expect(maxBytesInMessage(job, text, { print: estimate, boxHeights: [] })).toBe(100 * 280 * 20 + 21_000);
  expect(maxBytesInMessage(job, text, { print: null, boxHeights: [] })).toBeNull();
  expect(
    maxBytesInMessage(job, { ...text, css: "p { filter: blur(1px) }" }, { print: estimate, boxHeights: [] }),
  ).toBeNull();
});

describe("an image", () => {
  const a4 = { print: null, boxHeights: [1123] };
  const showing = { ...text, content: '<img src="data:image/png;base64,AA==">' };
  const maxBytes = (rest: Partial<RenderJob>, shown = text) => maxBytesInMessage(poolJob(renderJob(rest)), shown, a4);

  it("without loss is small if it shows no picture", () => {
    expect(maxBytes({ format: "png" })).toBe(1_000_000);
    expect(maxBytes({ format: "webp", imageQuality: 100 })).toBe(1_000_000);
    expect(maxBytes({ format: "png" }, showing)).toBeNull();
    expect(maxBytes({ format: "webp", imageQuality: 100 }, showing)).toBeNull();
  });

  it("with loss is as large as its pixels allow, whatever it shows", () => {
    const pixels = 4 * 794 * 1123;

    expect(maxBytes({ format: "jpeg", imageQuality: 85 }, showing)).toBe(Math.ceil(1.8 * pixels));
    expect(maxBytes({ format: "webp", imageQuality: 85 })).toBe(Math.ceil(1.5 * pixels));
  });

  it("with loss is not certainly small if it has many pixels", () => {
    const long = { print: null, boxHeights: [1123, 1123, 1123] };
    const job = poolJob(renderJob({ format: "jpeg", imageQuality: 85 }));

    expect(maxBytesInMessage(job, text, long)).toBeNull();
  });
});
