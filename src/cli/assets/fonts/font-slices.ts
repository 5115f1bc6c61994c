// Reads the slices of the service's fonts out of their npm packages.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FontFile, FontSlice } from "../../../core/rendering/fonts/font-index.ts";
import { codePointsIn, rangesOf } from "./code-points.ts";
import { dividedByBlocks, withoutSvg } from "./divide-font.ts";
import type { FontPackage } from "./font-packages.ts";
import { withoutLatinLigatures } from "./ligatures.ts";
import { staticInstances } from "./static-instances.ts";
import { codePointsOf } from "./cmap.ts";

/** A slice with its characters, and the contents of its files by their paths. */
export type BuiltSlice = { slice: FontSlice; points: Set<number>; contents: Map<string, Buffer> };

/** `modules` is the folder `node_modules`. */
export async function slicesOf(modules: string, fonts: FontPackage): Promise<BuiltSlice[]> {
  const folder = join(modules, fonts.name);
  const subsets = JSON.parse(await readFile(join(folder, "unicode.json"), "utf8")) as Record<string, string>;
  const whole = fonts.divided === "emoji" ? { emoji: "U+0-10FFFF" } : subsets;
  const slices: BuiltSlice[] = [];
  for (const [subset, unicodeRange] of Object.entries(whole)) {
    if (fonts.leavesOut(subset)) continue;
    const name = subset.replace(/[[\]]/g, "");
    const files = await filesOf(folder, fonts, name);
    const regular = files[0];
    if (!regular) throw new Error(`The package ${fonts.name} has no files for ${subset}.`);
    if (fonts.divided) {
      slices.push(...(await dividedSlices(fonts, regular.content, subset)));
      continue;
    }
    // A bold or italic file may lack a character of the regular one.
    const known = files.map(({ content }) => codePointsOf(content));
    const points = new Set([...codePointsIn(unicodeRange)].filter((point) => known.every((has) => has.has(point))));
    // A slice of a font may contain nothing but spaces that it shares with others.
    if (points.size > 0) slices.push(builtSlice(fonts, `${base(fonts)}-${name}`, points, files));
  }
  return slices;
}

export type ReadFile = { weight: string; style: FontFile["style"]; content: Buffer };

export const weights = ["400", "700"];

/** Returns the regular file first. */
async function filesOf(folder: string, { name, family, han }: FontPackage, subset: string): Promise<ReadFile[]> {
  const prefix = join(folder, "files", `${name.slice(name.indexOf("/") + 1)}-${subset}`);
  if (han) {
    const instances = await staticInstances(await readFile(`${prefix}-wght-normal.woff2`), weights);
    return instances.map((content, index) => ({ weight: weights[index] ?? "", style: "normal", content }));
  }
  const styles = family === "sans" || family === "serif" ? (["normal", "italic"] as const) : (["normal"] as const);
  const wanted = weights.flatMap((weight) => styles.map((style) => ({ weight, style })));
  const found = wanted.filter(({ weight, style }) => existsSync(`${prefix}-${weight}-${style}.woff2`));
  return Promise.all(
    found.map(async ({ weight, style }) => {
      const content = await readFile(`${prefix}-${weight}-${style}.woff2`);
      return { weight, style, content: subset === "latin" ? withoutLatinLigatures(content) : content };
    }),
  );
}

async function dividedSlices(fonts: FontPackage, font: Buffer, subset: string): Promise<BuiltSlice[]> {
  const isEmoji = fonts.divided === "emoji";
  const parts = isEmoji ? await withoutSvg(font) : await dividedByBlocks(font);
  return parts.flatMap(({ name, points, woff2 }) => {
    const id = isEmoji ? `${base(fonts)}-${name}` : `${base(fonts)}-${subset}-${name}`;
    const files: ReadFile[] = [{ weight: "400", style: "normal", content: woff2 }];
    if (!isEmoji) return [builtSlice(fonts, id, points, files)];
    // Most symbols that are emoji too, such as ✔ and ☎, are drawn in one colour unless a sequence asks for colours.
    const coloured = new Set([...points].filter(isColoured));
    const sequences = builtSlice(fonts, `${id}-sequences`, points, files, true);
    return coloured.size > 0 ? [sequences, builtSlice(fonts, id, coloured, files)] : [sequences];
  });
}

/** U+200D, U+20E3 and U+FE0F continue the sequence of an emoji. */
const joiners = new Set([0x200d, 0x20e3, 0xfe0f]);

/** Whether a character is drawn as an emoji by itself, or continues the sequence of one. */
function isColoured(point: number): boolean {
  const isTag = point >= 0xe0020 && point <= 0xe007f;
  return isTag || joiners.has(point) || /\p{Emoji_Presentation}/u.test(String.fromCodePoint(point));
}

function base({ name }: FontPackage): string {
  return name.slice(name.indexOf("/") + 1);
}

export function builtSlice(
  { family, han }: FontPackage,
  name: string,
  points: Set<number>,
  read: ReadFile[],
  isForSequences = false,
): BuiltSlice {
  const contents = new Map<string, Buffer>();
  const files = read.map(({ weight, style, content }) => {
    const id = `${name}-${weight}${style === "italic" ? "-italic" : ""}`;
    const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
    const file = `assets/fonts/${id.replace("-sequences", "")}.${digest}.woff2`;
    contents.set(file, content);
    return { id, style, weight, file, start: 0, bytes: content.length };
  });
  const options = { ...(han ? { han } : {}), ...(isForSequences ? { isForSequences } : {}) };
  return { slice: { family, ...options, ranges: rangesOf(points), files }, points, contents };
}
