import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildFonts } from "colophon-fonts/build-fonts";
import { assetsFolder, assetsOf, buildAssets, type Assets } from "../../../src/cli/assets/build-assets.ts";
import { readConfig } from "../../../src/cli/local/wrangler-config.ts";

const root = new URL("../../..", import.meta.url).pathname;

let assets: Assets;
let html: string;
/** The paths of all files. */
let paths: string[];
let folder: string;

beforeAll(async () => {
  assets = await assetsOf(root);
  html = assets["docs.html"] ?? "";
  paths = [...Object.keys(assets), ...(await buildFonts()).paths];
  folder = await mkdtemp(join(tmpdir(), "colophon-assets-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length));
}

it("the page loads only files that are built with it and have their digest in their names", () => {
  const loaded = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g)].map(([, path = ""]) => path.slice(1));

  expect(loaded).toEqual([
    expect.stringMatching(/^assets\/docs\/style\.[0-9a-f]{16}\.css$/),
    expect.stringMatching(/^assets\/docs\/start\.[0-9a-f]{16}\.js$/),
    expect.stringMatching(/^assets\/docs\/scalar\.[0-9a-f]{16}\.js$/),
  ]);
  expect(Object.keys(assets)).toEqual(expect.arrayContaining(loaded));
});

it("the page names no other host and has no inline script or style, which its policy would block", () => {
  expect(html).not.toMatch(/(?:https?:)?\/\/(?!assets)/);
  expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/);
});

it("the links between the guides lead to existing headings", () => {
  const guides = Object.entries(assets).filter(([path]) => /^docs\/.*\.html$/.test(path));
  const places = guides.flatMap(([path, text]) => {
    const url = `/${path.replace(".html", "")}`;
    return [url, ...[...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `${url}#${id}`)];
  });
  const links = guides.flatMap(([path, text]) =>
    [...text.matchAll(/<a href="(\/docs\/|#)([^"]*)"/g)].map(([, start = "", rest = ""]) =>
      start === "#" ? `/${path.replace(".html", "")}#${rest}` : start + rest,
    ),
  );

  expect(guides.map(([path]) => path)).toContain("docs/templates.html");
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !places.includes(link))).toEqual([]);
});

it("the content security policy of the page allows only scripts and connections of the page's origin, and neither inline scripts nor eval", () => {
  const policy = /Content-Security-Policy: (.*)/.exec(assets["_headers"] ?? "")?.[1]?.split("; ");

  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]),
  );
});

it("the build writes every file to the folder that wrangler.toml names", async () => {
  await buildAssets(root, folder);

  expect((await filesIn(`${folder}/`)).toSorted()).toEqual(paths.toSorted());
  expect(await readFile(join(folder, "docs.html"), "utf8")).toBe(html);
  expect(readConfig().assets?.directory).toBe(assetsFolder);
});

it("the build does not touch current files, and removes files of earlier builds", async () => {
  await buildAssets(root, folder);
  const before = await stat(join(folder, "docs.html"));
  await writeFile(join(folder, "assets/docs/start.0000000000000000.js"), "old");

  await buildAssets(root, folder);

  expect((await stat(join(folder, "docs.html"))).mtimeMs).toBe(before.mtimeMs);
  expect(await filesIn(`${folder}/`)).toHaveLength(paths.length);
});

it("several builds can run in parallel, as happens when services start together", async () => {
  await rm(folder, { recursive: true });

  await Promise.all([1, 2, 3].map(() => buildAssets(root, folder)));

  expect((await filesIn(`${folder}/`)).toSorted()).toEqual(paths.toSorted());
});
