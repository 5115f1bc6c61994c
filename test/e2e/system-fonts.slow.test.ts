// Renders the same document with two browsers: one on a machine with fonts for all scripts, the other on a machine with a single font with
// Latin letters.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { convert } from "fontverter";
import { launch } from "puppeteer-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { launcherIn, prepareLocalBrowser } from "colophon-templates/browser";
import { Preview } from "../../packages/templates/src/dev/preview.ts";
import { previewRenderer } from "../../packages/templates/src/dev/render-preview.ts";
import { diskFonts, localRenderer } from "../../packages/templates/src/render/local-renderer.ts";
import { everyScript } from "../browser/fixtures/every-script.ts";

const modules = new URL("../../node_modules", import.meta.url).pathname;

/** No font of the service has this character, but a font on the first machine has it. */
const unknown = "\u{13000}";
/**
 * A family that is installed on the first machine under this name, with letters that differ from the service's default font.
 */
const installed = "Noto Serif";

const css = `@font-face { font-family: Own; src: local("${installed}"), local("NotoSerif-Regular") }
.own { font-family: Own }
.named { font-family: "${installed}", sans-serif }
.generic { font-family: fantasy }`;
const page = [
  ...everyScript.map(({ lang, text }) => `<p lang="${lang}" dir="auto">${text} <b>${text}</b></p>`),
  `<p>Hamburgefonts ${unknown}</p>`,
  `<p class="own">Hamburgefonts</p><p class="named">Hamburgefonts ${unknown}</p><p class="generic">Hamburgefonts</p>`,
  `<p style="font-family:'${installed}'">Hamburgefonts <font face="${installed}">Hamburgefonts</font></p>`,
  `<svg width="300" height="40"><text y="30" font-family="${installed}">Hamburgefonts ${unknown}</text></svg>`,
].join("\n");

let folder: string;
let withFonts: string;
let withoutFonts: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "colophon-system-fonts-"));
  withFonts = await machine("with-fonts");
  withoutFonts = await machine("without-fonts");
  await installFonts(join(folder, "with-fonts/fonts"));
  // Chromium exits if it finds no font at all.
  const only = join(modules, "@fontsource/open-sans/files/open-sans-latin-400-normal.woff2");
  await installFont(only, join(folder, "without-fonts/fonts"));
  const files: Record<string, string> = {
    "template.json": JSON.stringify({ title: "Scripts", pageSize: "A4", fields: [] }),
    "sample.json": "{}",
    "pages/1.liquid": page,
    "style.css": css,
  };
  await mkdir(join(folder, "template/pages"), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, "template", name), content);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the path of a launcher whose browser finds only the fonts in the folder `fonts` next to it. */
async function machine(name: string): Promise<string> {
  const { XDG_CACHE_HOME: cache = "" } = await prepareLocalBrowser();
  const home = join(folder, name);
  await mkdir(join(home, "fonts"), { recursive: true });
  const list = `<fontconfig><dir>${home}/fonts</dir><cachedir>${home}/cache</cachedir></fontconfig>`;
  await writeFile(`${home}/fonts.conf`, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">${list}`);
  const script = `#!/bin/sh\nFONTCONFIG_FILE='${home}/fonts.conf' exec '${launcherIn(cache)}' "$@"\n`;
  await writeFile(`${home}/launch`, script, { mode: 0o755 });
  return `${home}/launch`;
}

/** Installs the fonts from the packages that the service's fonts are built from, and a font that has `unknown`. */
async function installFonts(target: string): Promise<void> {
  const packages = (await readdir(join(modules, "@fontsource"))).filter((name) => name !== "noto-color-emoji");
  for (const name of packages) {
    const files = await readdir(join(modules, "@fontsource", name, "files"));
    // If a font is installed in parts, the browser finds only one of them by name.
    const isWanted = (file: string) => name !== "noto-serif" || file.startsWith("noto-serif-latin-4");
    const regular = files.filter((file) => file.endsWith("-400-normal.woff2") && isWanted(file));
    await Promise.all(regular.map((file) => installFont(join(modules, "@fontsource", name, "files", file), target)));
  }
  const osage = join(modules, "@fontsource/noto-sans-osage/files/noto-sans-osage-osage-400-normal.woff2");
  const font = Buffer.from(await convert(await readFile(osage), "sfnt"));
  renameCharacters(font, 0x104b0, unknown.codePointAt(0) ?? 0);
  await writeFile(join(target, "unknown.ttf"), font);
}

/** Assigns the glyphs of the characters from `first` on to the characters from `wanted` on. */
function renameCharacters(sfnt: Buffer, first: number, wanted: number): void {
  const records = Array.from({ length: sfnt.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const record = records.find((at) => sfnt.toString("latin1", at, at + 4) === "cmap") ?? 0;
  const cmap = sfnt.subarray(sfnt.readUInt32BE(record + 8));
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + 8 * index));
    if (table.readUInt16BE(0) !== 12) continue;
    for (let at = 16; at < 16 + 12 * table.readUInt32BE(12); at += 12)
      for (const end of [at, at + 4]) {
        const point = table.readUInt32BE(end);
        if (point >= first) table.writeUInt32BE(point - first + wanted, end);
      }
  }
}

async function installFont(woff2: string, target: string): Promise<void> {
  await writeFile(join(target, basename(woff2, ".woff2") + ".ttf"), await convert(await readFile(woff2), "sfnt"));
}

async function rendered(launcher: string): Promise<{ bytes: string; warnings: string[] }> {
  const log = () => {};
  const fonts = diskFonts(log);
  const renderer = localRenderer(launcher, fonts, log);
  // The file contains its date.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 1) });
  try {
    const preview = new Preview(join(folder, "template"), () => {}, { lenient: true });
    await preview.reload();
    const render = previewRenderer(preview, { renderer, fonts, log });
    const { result, file } = await render({ sample: "sample.json", format: "pdf" });
    if (result.status !== "rendered") throw new Error(JSON.stringify(result));
    return { bytes: Buffer.from(file ?? []).toString("latin1"), warnings: result.warnings };
  } finally {
    vi.useRealTimers();
    await renderer.stop();
  }
}

/** Returns the widths of strings in an ordinary page of the browser. */
async function plainWidths(launcher: string): Promise<number[]> {
  const browser = await launch({ executablePath: launcher, headless: "shell" });
  try {
    const tab = await browser.newPage();
    await tab.setContent(`<span style="font:40px '${installed}', sans-serif">Hamburgefonts</span>`);
    return (await tab.evaluate(
      "[...document.querySelectorAll('span')].map((span) => span.getBoundingClientRect().width)",
    )) as number[];
  } finally {
    await browser.close();
  }
}

it("two machines with different fonts show an ordinary page differently", async () => {
  const [rich = [], poor = []] = [await plainWidths(withFonts), await plainWidths(withoutFonts)];

  expect(rich[0]).not.toBe(poor[0]);
});

it("two machines with different fonts create the same bytes from a document in thirty scripts", async () => {
  const [rich, poor] = [await rendered(withFonts), await rendered(withoutFonts)];

  expect(rich.bytes.length).toBeGreaterThan(100_000);
  expect(rich.bytes === poor.bytes).toBe(true);
  expect(rich.warnings).toEqual(poor.warnings);
});
