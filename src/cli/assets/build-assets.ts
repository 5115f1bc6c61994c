// Builds the files that the platform serves without the Worker, into `dist/assets`: the pages at /docs and /console and the guides with their
// scripts and style sheets, and the service's fonts. They are not committed. Every command that starts, tests or deploys the Worker builds
// them first. Run as a program (`npm run assets`), this module builds them and the script of the browser's page.
import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { consoleFiles } from "colophon-console/build";
import { buildFonts, type BuiltFonts } from "colophon-fonts/build-fonts";
import { buildPageScript } from "colophon-page/build";
import { patternFiles } from "colophon-page/build-patterns";
import { uiStyles } from "colophon-ui/styles";
import { guidesOf } from "./guides.ts";
import { scalarScript } from "./scalar-script.ts";

/** The folder that `wrangler.toml` names, relative to the root of the project. */
export const assetsFolder = "dist/assets";

/** The contents of the files, by path below the folder. */
export type Assets = Record<string, string>;

/** Writes the files. Idempotent: up-to-date files are not touched, so a running service does not reload. */
export async function buildAssets(root: string, folder = join(root, assetsFolder)): Promise<void> {
  const [assets, fonts] = await Promise.all([assetsOf(root), buildFonts(), buildPageScript()]);
  await mkdir(folder, { recursive: true });
  const temporary = (path: string) => join(dirname(folder), `${basename(path)}.${randomUUID()}`);
  await Promise.all(
    Object.entries(assets).map(([path, content]) => writeIfChanged(join(folder, path), content, temporary(path))),
  );
  await copyFonts(fonts, folder, temporary);
  await removeOthers(folder, [...Object.keys(assets), ...fonts.paths]);
}

/** Copies files that are missing or, if their name contains no digest, have changed. */
async function copyFonts(fonts: BuiltFonts, folder: string, temporary: (path: string) => string): Promise<void> {
  for (const path of fonts.paths) {
    const [source, target] = [join(fonts.folder, path), join(folder, path)];
    if (!path.startsWith("assets/")) {
      await writeIfChanged(target, await readFile(source, "utf8"), temporary(path));
    } else if (!(await stat(target).catch(() => null))) {
      const copy = temporary(path);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(source, copy);
      await rename(copy, target);
    }
  }
}

/**
 * Returns all files except the fonts. The name of each file below `assets/` contains a digest of the content, so it may be cached
 * permanently.
 */
export async function assetsOf(root: string): Promise<Assets> {
  const source = join(root, "src/docs-page");
  const [html, style, guideHtml, guideStyle, guides, script, { frame }, console] = await Promise.all([
    readFile(join(source, "docs.html"), "utf8"),
    readFile(join(source, "style.css"), "utf8"),
    readFile(join(source, "guide.html"), "utf8"),
    readFile(join(source, "guide.css"), "utf8"),
    guidesOf(join(root, "docs")),
    bundled(join(source, "start.ts")),
    uiStyles(),
    consoleFiles(),
  ]);
  const guidePages = guides.map(({ name, title, html: content }) => {
    const filled = guideHtml.replace("<title>", `<title>${title} · `).replace("<main>", () => `<main>${content}`);
    return page(`docs/${name}`, filled, { "style.css": `${frame}\n${guideStyle}` }, "guides");
  });
  return {
    ...Object.fromEntries(guidePages.flatMap((files) => Object.entries(files))),
    ...page("docs", html, { "style.css": `${frame}\n${style}`, "start.js": script, "scalar.js": scalarScript() }),
    ...page("console", console.html, { "style.css": console.style, "start.js": console.script }),
    ...patternFiles(),
    _headers: headerRules(),
    _redirects: "/ /docs 302\n",
  };
}

/**
 * Returns the page with its parts. Each part is stored in `folder` under a name with a digest, which replaces its name in the
 * page.
 */
function page(name: string, html: string, parts: Assets, folder = name): Assets {
  const named = Object.entries(parts).map(([part, content]) => {
    const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
    return { part, path: `assets/${folder}/${part.replace(".", `.${digest}.`)}`, content };
  });
  return {
    [`${name}.html`]: named.reduce((page, { part, path }) => page.replace(`"${part}"`, `"/${path}"`), html),
    ...Object.fromEntries(named.map(({ path, content }) => [path, content])),
  };
}

async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "iife",
    minify: true,
  });
  return outputFiles.map(({ text }) => text).join("");
}

/**
 * The policy of the pages. Scripts and connections are limited to their own origin, so the reader's key cannot leave it. `blob:` URLs
 * show files from responses; pages at these URLs have the same policy.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "frame-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The policy of /docs. Inline styles are allowed, because Scalar sets the attribute `style`; without access to other origins,
 * styles cannot send data anywhere.
 */
const docsPolicy = contentSecurityPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/** Returns the response headers in the platform's format, `_headers`. The pages themselves are revalidated at every visit. */
function headerRules(): string {
  return [
    ...pageRules("/docs", docsPolicy),
    ...pageRules("/docs/*", contentSecurityPolicy),
    ...pageRules("/console", contentSecurityPolicy),
    "/assets/*",
    "  Cache-Control: public, max-age=31536000, immutable",
    "  X-Content-Type-Options: nosniff",
    "  Cross-Origin-Resource-Policy: same-origin",
    "",
  ].join("\n");
}

function pageRules(path: string, policy: string): string[] {
  return [
    path,
    `  Content-Security-Policy: ${policy}`,
    "  Strict-Transport-Security: max-age=31536000",
    "  Referrer-Policy: no-referrer",
    "  X-Content-Type-Options: nosniff",
    "  Cross-Origin-Opener-Policy: same-origin",
  ];
}

/**
 * Replaces the file in one step, because services that start at the same time may build it together. `temporary` is in a different
 * folder, so that no service removes it.
 */
async function writeIfChanged(file: string, content: string, temporary: string): Promise<void> {
  if ((await readFile(file, "utf8").catch(() => null)) === content) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(temporary, content);
  await rename(temporary, file);
}

/** Removes files of earlier builds, which would otherwise be deployed with every release. */
async function removeOthers(folder: string, kept: string[]): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const keptPaths = new Set(kept.map((path) => join(folder, path)));
  await Promise.all(paths.filter((path) => !keptPaths.has(path)).map((path) => rm(path, { force: true })));
}

if (import.meta.main) await buildAssets(process.cwd());
