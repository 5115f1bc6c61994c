// Renders the recipes of the cookbook from the document itself.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { validateTemplate } from "colophon-template-model/validate-template";
import { advice } from "../../packages/template-checks/src/check-template.ts";
import { inferFields } from "../../packages/templates/src/authoring/infer-fields.ts";
import { browserLauncher } from "../../packages/templates/src/browser/browser.ts";
import { afterBuild } from "../../packages/templates/src/render/build-files.ts";
import { diskFonts, localRenderer, type LocalRenderer } from "../../packages/templates/src/render/local-renderer.ts";
import { compileFolder, renderFolder, stderrLog } from "../../packages/templates/src/render/render-folder.ts";

type Recipe = { title: string; files: Record<string, string> };

const text = readFileSync(fileURLToPath(new URL("../../docs/cookbook.md", import.meta.url).href), "utf8");
const recipes = text
  .split(/^## /m)
  .slice(1)
  .map((recipe): Recipe => ({ title: recipe.split("\n")[0] ?? "", files: filesOf(recipe) }));

/** Returns the blocks of code whose files are named before them. */
function filesOf(recipe: string): Record<string, string> {
  const blocks = recipe.matchAll(/^`([\w./]+)`\n\n```\w+\n(.*?)^```$/gms);
  return Object.fromEntries(Array.from(blocks, ([, path = "", content = ""]) => [path, content]));
}

const fonts = diskFonts(stderrLog);
let renderer: LocalRenderer;
beforeAll(async () => {
  renderer = localRenderer(await afterBuild(browserLauncher), fonts, stderrLog);
}, 60_000);
afterAll(() => renderer.stop());

it.each(recipes)("the recipe $title renders without a warning", async (recipe) => {
  const { checked, rendered } = await render(recipe);

  expect(checked).toMatchObject({ status: "valid", warnings: [] });
  expect(rendered).toMatchObject({ status: "rendered", warnings: [] });
});

async function render({ title, files }: Recipe) {
  const data = JSON.parse(files["sample.json"] ?? "") as Record<string, unknown>;
  const manifest = { title, pageSize: "A6", fields: inferFields(data).fields };
  const all = { "template.json": JSON.stringify(manifest), ...files };
  const folder = Object.entries(all).map(([path, content]) => ({ path, bytes: new TextEncoder().encode(content) }));

  const checked = validateTemplate({ files: folder, problems: [] }, { advise: advice() });
  if (checked.status !== "valid") return { checked };
  const template = await compileFolder(checked.content);
  const request = { data, format: "pdf", deviceScaleFactor: 1 } as const;
  return { checked, rendered: await renderFolder({ renderer, fonts, log: stderrLog }, template, request) };
}

/** Returns the recipe's data, and the PDF and the texts of its pages. */
async function printed(title: string) {
  const recipe = recipes.find((each) => each.title === title);
  const rendered = recipe && (await render(recipe)).rendered;
  if (rendered?.status !== "rendered") throw new Error(`the recipe ${title} was not rendered`);
  const pdf = await getDocumentProxy(new Uint8Array(rendered.file.bytes));
  const pages = (await extractText(pdf)).text.map((page) => page.replace(/\s+/g, " "));
  return { data: JSON.parse(recipe?.files["sample.json"] ?? "") as Record<string, unknown>, pdf, pages };
}

it("the recipe for footnotes prints nine notes on three pages, each on the page that refers to it", async () => {
  const { data, pages } = await printed("Footnotes");

  const { text, notes } = data as { text: string; notes: string[] };
  const calls = text.split("\n\n").map((paragraph) => paragraph.split("[^")[0] ?? "");
  const pagesOf = (texts: string[]) => texts.map((each) => pages.findIndex((page) => page.includes(each)));
  expect(pagesOf(calls)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
  expect(pagesOf(notes.map((note, index) => `${index + 1}. ${note}`))).toEqual(pagesOf(calls));
  for (const note of notes) expect(pages.filter((page) => page.includes(note))).toHaveLength(1);
});

it("the recipe for a window envelope prints the address inside the window, and the text below it", async () => {
  const { pdf } = await printed("Fit a letter to a window envelope");

  const { items } = await (await pdf.getPage(1)).getTextContent();
  const mm = (points: number) => (points / 72) * 25.4;
  const placeOf = (text: string) => {
    const found = items.find((item) => "str" in item && item.str.includes(text));
    const [, , , , x = 0, y = 0] = found && "transform" in found ? (found.transform as number[]) : [];
    return { left: mm(x), baseline: 297 - mm(y) };
  };
  const [first, last, subject] = ["Ada", "Hamburg", "order"].map(placeOf);
  expect(first?.left).toBeCloseTo(25, 0);
  expect(first?.baseline).toBeGreaterThan(62.7);
  expect(last?.baseline).toBeLessThan(90);
  expect(subject?.baseline).toBeGreaterThan(98.5);
  expect(subject?.baseline).toBeLessThan(104);
});

it("the recipe for numbers after the contents prints the same numbers in the contents, in the footers and as labels", async () => {
  const { pdf, pages } = await printed("Begin the page numbers after the contents");

  expect(pages[1]?.replace(/[ .]+/g, " ")).toBe("Contents Rags 1 Pulp 2 Sheets 3ii");
  const folios = pages.map((page) => /(?:i+|\d)$/.exec(page)?.[0]);
  expect(folios).toEqual(["i", "ii", "1", "2", "3"]);
  expect(await pdf.getPageLabels()).toEqual(["i", "ii", "1", "2", "3"]);
});

it("the recipe for tickets prints each ticket on a page of 150 x 70 mm", async () => {
  const { pdf } = await printed("Print tickets after their order");

  const sizes = await Promise.all([1, 2, 3].map(async (page) => (await pdf.getPage(page)).view.slice(2)));
  expect(sizes.map(([width = 0, height = 0]) => [width, height].map((pt) => Math.round((pt / 72) * 25.4)))).toEqual([
    [105, 148],
    [150, 70],
    [150, 70],
  ]);
});

it("the recipe for right pages begins chapters on the pages that the contents name, after blank pages", async () => {
  const { pages } = await printed("Begin chapters on right pages");

  const texts = pages.map((page) => page.replace(/[ .]+/g, " ").trim());
  expect(texts[0]).toMatch(/Rags 3 ?Pulp 5/);
  expect([texts[1], texts[3]]).toEqual(["This page is blank", "This page is blank"]);
  expect([texts[2], texts[4]]).toEqual([expect.stringMatching(/^Rags.*3$/), expect.stringMatching(/^Pulp.*5$/)]);
});
