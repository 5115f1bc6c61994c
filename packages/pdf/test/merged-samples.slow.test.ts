// Merges documents of the samples in `templates/`, rendered on a real Chromium.
import { afterAll, beforeAll, expect, it } from "vitest";
import { browserLauncher } from "../../templates/src/browser/browser.ts";
import { readTemplateFolder } from "../../templates/src/folder/template-folder.ts";
import { afterBuild } from "../../templates/src/render/build-files.ts";
import { diskFonts, localRenderer, type LocalRenderer } from "../../templates/src/render/local-renderer.ts";
import { compileFolder, renderFolder } from "../../templates/src/render/render-folder.ts";
import { described, merged, type Part } from "./merged.ts";

const samples = ["report", "invoice", "contract", "catalogue", "arabic-letter", "resume", "price-list", "invoice"];
const log = () => {};
const fonts = diskFonts(log);
let renderer: LocalRenderer;
let parts: Part[];

beforeAll(async () => {
  renderer = localRenderer(await afterBuild(browserLauncher), fonts, log);
  parts = [];
  for (const bookmark of samples) parts.push({ bytes: await rendered(bookmark), bookmark });
}, 120_000);

afterAll(() => renderer?.stop());

async function rendered(sample: string): Promise<Uint8Array> {
  const read = await readTemplateFolder(`templates/${sample}`, undefined, { lenient: false });
  if (read.status === "broken") throw new Error(`the sample ${sample} is broken`);
  const folder = await compileFolder(read.content);
  const request = { data: read.content.sampleData, format: "pdf", deviceScaleFactor: 2 } as const;
  const result = await renderFolder({ renderer, fonts, log }, folder, request);
  if (result.status === "failed") throw new Error(result.message);
  return result.file.bytes;
}

it("a merged file keeps the texts, links, tags and outlines of real documents", async () => {
  const whole = await described(merged(parts));

  let before = 0;
  for (const [index, { bytes, bookmark }] of parts.entries()) {
    const { pages, outline } = await described(bytes, before);
    const tags = pages.map((page) => ({ ...page, tags: page.tags.replace(/^Root\((.*)\)$/s, "Root(Document($1))") }));
    expect(whole.pages.slice(before, before + pages.length)).toEqual(tags);
    expect(whole.outline[index]).toEqual({ title: bookmark, place: [before, null, null, null], items: outline });
    before += pages.length;
  }
  expect(whole.pages).toHaveLength(before);
  expect(whole.pages.flatMap(({ links }) => links).length).toBeGreaterThan(50);
});

it("a merged file stores the fonts and images of equal documents once", () => {
  const size = (list: Part[]) => merged(list).length;
  const [first] = parts;

  expect(size([...parts, ...(first ? [first] : [])])).toBeLessThan(size(parts) + (first?.bytes.length ?? 0) / 2);
});
