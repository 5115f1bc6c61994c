// Renders the recipes of the cookbook from the document itself.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { validateTemplate } from "colophon-template-model/validate-template";
import { advice } from "../../packages/template-checks/src/check-template.ts";
import { inferFields } from "../../packages/templates/src/authoring/infer-fields.ts";
import { browserLauncher } from "../../packages/templates/src/browser/browser.ts";
import { afterBuild } from "../../packages/templates/src/render/build-files.ts";
import { diskFonts, localRenderer, type LocalRenderer } from "../../packages/templates/src/render/local-renderer.ts";
import { compileFolder, renderFolder, stderrLog } from "../../packages/templates/src/render/render-folder.ts";

const text = readFileSync(fileURLToPath(new URL("../../docs/cookbook.md", import.meta.url).href), "utf8");
const recipes = text
  .split(/^## /m)
  .slice(1)
  .map((recipe) => ({ title: recipe.split("\n")[0] ?? "", files: filesOf(recipe) }));

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

it.each(recipes)("the recipe $title renders without a warning", async ({ title, files }) => {
  const data = JSON.parse(files["sample.json"] ?? "") as Record<string, unknown>;
  const manifest = { title, pageSize: "A6", fields: inferFields(data).fields };
  const all = { "template.json": JSON.stringify(manifest), ...files };
  const folder = Object.entries(all).map(([path, content]) => ({ path, bytes: new TextEncoder().encode(content) }));

  const checked = validateTemplate({ files: folder, problems: [] }, { advise: advice() });

  expect(checked).toMatchObject({ status: "valid", warnings: [] });
  if (checked.status !== "valid") return;
  const template = await compileFolder(checked.content);
  const request = { data, format: "pdf", deviceScaleFactor: 1 } as const;
  const rendered = await renderFolder({ renderer, fonts, log: stderrLog }, template, request);

  expect(rendered).toMatchObject({ status: "rendered", warnings: [] });
});
