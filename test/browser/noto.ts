// Hands each script's fonts to the tests in workerd, which read no files: of every family only the parts that the text
// needs, with the `unicode-range` that a web page would give them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { scripts, type Script } from "./scripts.ts";

declare module "vitest" {
  export interface ProvidedContext {
    fonts: Record<string, ScriptFonts>;
  }
}

export type ScriptFonts = { css: string; assets: Record<string, { contentType: string; base64: string }> };

/** Its parts have SVG pictures only, which Chromium does not draw; the whole has layered outlines (COLR) too. */
const emoji = "@fontsource/noto-color-emoji";

const { resolve } = createRequire(import.meta.url);

export default function setup(project: TestProject): void {
  project.provide("fonts", Object.fromEntries(scripts.map((script) => [script.name, fontsOf(script)])));
}

function fontsOf({ packages, text }: Script): ScriptFonts {
  const fonts: ScriptFonts = { css: "", assets: {} };
  for (const name of packages) {
    const folder = dirname(resolve(`${name}/unicode.json`));
    const family = name.slice(name.indexOf("/") + 1);
    if (name === emoji) {
      add(
        fonts,
        folder,
        `${family}-emoji-400-normal.woff2`,
        "U+23-39, U+200D, U+20E3, U+2600-27BF, U+FE0F, U+1F000-1FAFF",
      );
      continue;
    }
    const parts = JSON.parse(readFileSync(join(folder, "unicode.json"), "utf8")) as Record<string, string>;
    for (const [part, range] of Object.entries(parts)) {
      if (!Array.from(text).some((character) => isIn(range, character))) continue;
      const kind = name.startsWith("@fontsource-variable/") ? "wght" : "400";
      const file = `${family}-${part.replace(/[[\]]/g, "")}-${kind}-normal.woff2`;
      add(fonts, folder, file, range);
    }
  }
  return fonts;
}

function add(fonts: ScriptFonts, folder: string, file: string, range: string): void {
  fonts.assets[file] = { contentType: "font/woff2", base64: readFileSync(join(folder, "files", file), "base64") };
  fonts.css += `@font-face{font-family:Script;src:url(${file});font-weight:400;unicode-range:${range}}\n`;
}

function isIn(range: string, character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return range.split(",").some((span) => {
    const [low = "", high = low] = span.trim().slice(2).split("-");
    return code >= parseInt(low, 16) && code <= parseInt(high, 16);
  });
}
