// Renders documents from a compiled template to the bytes of a file, on a warm page of a real browser.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extractText } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageInfo } from "colophon-images/image-info";
import { renderDocument, renderWorld, type Request } from "colophon-test-kit/render-world";
import type { LocalRenderer } from "../../../templates/src/render/local-renderer.ts";
import { startTimeoutMs, startedRenderer } from "./started-renderer.ts";

let renderer: LocalRenderer;
beforeAll(async () => void (renderer = await startedRenderer()), startTimeoutMs);
afterAll(() => renderer?.stop());

const require = createRequire(import.meta.url);
const font = readFileSync(require.resolve("@fontsource/open-sans/files/open-sans-latin-400-normal.woff"));
const content = {
  css: "@font-face { font-family: Own; src: url(own.woff) } * { font-family: Own }",
  assets: { "own.woff": { contentType: "font/woff", base64: font.toString("base64") } },
  header: "<p>Letters</p>",
  footer: "<p>{{ page.number }} of {{ page.total }}</p>",
};

/** Renders a template with this page. */
async function rendered(source: string, { name = "Ada", isTest = false, ...rest }: Request & { name?: string } = {}) {
  const services = renderWorld({ renderer, now: () => Date.now() });
  const result = await renderDocument(services, { page: source, content }, { data: { name }, isTest, ...rest });
  const file = renderer.take("1");
  if (result.status !== "rendered" || !file) throw new Error(`the result of the render was ${result.status}`);
  return { bytes: file.bytes, warnings: result.metadata.warnings };
}

it("headers and page numbers are printed on the pages of a PDF", async () => {
  const { bytes } = await rendered('<p>Hello {{ name }}</p><p style="break-before: page">Bye</p>');

  const { text } = await extractText(bytes);
  const [first, second] = [/^Hello Ada\s*Letters\s*1 of 2$/, /^Bye\s*Letters\s*2 of 2$/];
  expect(text).toEqual([expect.stringMatching(first), expect.stringMatching(second)]);
});

it("each page of a test document has a watermark, including blank pages and images", async () => {
  const source = '<p>Hello {{ name }}</p><p style="break-before: right">Bye</p>';

  const { text } = await extractText((await rendered(source, { isTest: true })).bytes);
  const [live, test] = [
    await rendered(source, { format: "png" }),
    await rendered(source, { format: "png", isTest: true }),
  ];

  expect(text).toEqual([/^Hello Ada.*TEST/s, /^TEST/, /^Bye.*TEST/s].map((page) => expect.stringMatching(page)));
  expect(imageInfo(test.bytes)).toEqual(imageInfo(live.bytes));
  expect(test.bytes).not.toEqual(live.bytes);
});
