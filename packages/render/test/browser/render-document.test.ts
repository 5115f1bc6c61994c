// Renders documents from a compiled template to the bytes of a file, on a warm page of a real browser.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extractText, getDocumentProxy } from "unpdf";
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

/** Returns what a reader sees of a PDF. */
async function readWith(password: string, bytes: Uint8Array) {
  const file = await getDocumentProxy(bytes.slice(), { password });
  const pageOf = async (number: number) => {
    const page = await file.getPage(number);
    const links = (await page.getAnnotations()).map(({ url, dest, rect }) => ({ url, dest, rect }));
    return { view: page.view, links, tags: await page.getStructTree() };
  };
  const pages = await Promise.all(Array.from({ length: file.numPages }, (_, index) => pageOf(index + 1)));
  const [outline, { info }, { text }] = [await file.getOutline(), await file.getMetadata(), await extractText(file)];
  const { Title, Language } = info as Record<string, unknown>;
  return { pages, outline, text, Title, Language };
}

it.each<[string, Request]>([
  ["a document with headers and blank pages", {}],
  ["a document with a watermark", { isTest: true }],
  ["a document that is as high as its content", { height: "auto" }],
])("%s is the same after it has been encrypted", async (_, request) => {
  const source =
    '<h1 id="a">{{ name }}</h1><p><a href="#b">b</a> <a href="https://a.test/">c</a></p><h2 id="b" style="break-before: right">End</h2>';
  const userPassword = new TextEncoder().encode("läse");
  const encryption = { userPassword, ownerPassword: null, permissions: [], encryptMetadata: true };

  const { bytes } = await rendered(source, { ...request, encryption });

  const plain = await readWith("", (await rendered(source, request)).bytes);
  expect(plain.outline).toMatchObject([{ title: "Ada", items: [{ title: "End" }] }]);
  expect(await readWith("läse", bytes)).toEqual(plain);
  await expect(getDocumentProxy(bytes)).rejects.toThrow("No password given");
});
