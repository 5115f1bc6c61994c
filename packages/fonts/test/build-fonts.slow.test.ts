import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildFonts, fontLicensesPath, type BuiltFonts } from "../src/build-fonts.ts";
import {
  eachRange,
  fontIndexPath,
  type FontFamily,
  type FontFile,
  type FontIndex,
  type FontSlice,
} from "../src/font-index.ts";
import { fontPackages } from "../src/font-packages.ts";
import { codePointsOf, tablesOf, unpacked } from "../src/open-type.ts";

let fonts: BuiltFonts;
let index: FontIndex;
beforeAll(async () => {
  fonts = await buildFonts();
  index = JSON.parse(await readFile(join(fonts.folder, fontIndexPath), "utf8")) as FontIndex;
}, 120_000);

const hanFamilies = ["scripts", "serif"] as const;

function hanSlices(...families: FontFamily[]): FontSlice[] {
  return index.slices.filter(({ family, han }) => han && families.includes(family));
}

async function contentOf({ file, start, bytes }: FontFile): Promise<Buffer> {
  return unpacked((await readFile(join(fonts.folder, file))).subarray(start, start + bytes));
}

function pointsOf({ ranges }: Pick<FontSlice, "ranges">): number[] {
  const points: number[] = [];
  eachRange(ranges, (first, last) => {
    for (let point = first; point <= last; point++) points.push(point);
  });
  return points;
}

/** Returns the units per em and the metrics that position lines, as a string. */
function metricsOf(file: Buffer): string {
  const tables = tablesOf(file);
  const part = (tag: string, from: number, to: number) => tables.get(tag)?.subarray(from, to).toString("hex");
  // Ascent, descent and line gap in both directions, the typographic and Windows ones, and underlines.
  const lines = [part("hhea", 4, 10), part("vhea", 4, 10), part("OS/2", 68, 78), part("post", 8, 12)];
  return [part("head", 18, 20), ...lines, part("BASE", 0, 1000)].join(" ");
}

it("the service's fonts consist of exactly the files in the index, with the listed sizes and a digest in their names", async () => {
  const files = index.slices.flatMap((slice) => slice.files);
  const sizes = new Map<string, number>();
  for (const { file, start, bytes } of files) sizes.set(file, Math.max(sizes.get(file) ?? 0, start + bytes));

  expect(fonts.paths.filter((path) => path.startsWith("assets/")).toSorted()).toEqual([...sizes.keys()].toSorted());
  for (const [file, bytes] of sizes) {
    expect(file).toMatch(/^assets\/fonts\/[a-z\d-]+\.[\da-f]{16}\.pack$/);
    expect((await stat(join(fonts.folder, file))).size).toBe(bytes);
  }
  expect(new Set(files.map(({ id }) => id)).size).toBe(files.length);
});

it("the service's fonts are packed without gaps, and a document reads few fonts that it does not use", async () => {
  const ends = new Map<string, number>();
  for (const { file, start, bytes } of index.slices.flatMap((slice) => slice.files)) {
    // Two slices share the font of emoji.
    if (start + bytes === ends.get(file)) continue;
    expect(start).toBe(ends.get(file) ?? 0);
    ends.set(file, start + bytes);
  }
  const japanese = hanSlices(...hanFamilies)
    .filter((slice) => slice.han === "jp")
    .flatMap(({ files }) => files.map(({ file }) => file));

  expect(japanese.length / new Set(japanese).size).toBeGreaterThan(3.5);
  const large = [...ends].filter(([, bytes]) => bytes > 300_000).map(([file]) => file);
  // Emoji and formulas each have a font that cannot be divided.
  expect(large).toEqual([expect.stringContaining("math-400"), expect.stringContaining("scripts-400")]);
});

it("the service's fonts stay far below the platform's limits", async () => {
  const sizes = await Promise.all(fonts.paths.map(async (path) => (await stat(join(fonts.folder, path))).size));

  // The platform allows 20,000 files of 25 MiB each. A document with an emoji gets the largest of these.
  expect(sizes.length).toBeLessThan(2_000);
  expect(Math.max(...sizes)).toBeLessThan(3_000_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(55_000_000);
  // A Worker keeps the index in memory.
  expect(JSON.stringify(index).length).toBeLessThan(650_000);
});

it("the service's fonts have a glyph for each character that the index lists, in every weight and style", async () => {
  for (const slice of index.slices) {
    for (const file of slice.files) {
      const { id } = file;
      const has = codePointsOf(await contentOf(file));
      const missing = pointsOf(slice).filter((point) => !has.has(point));
      expect({ id, missing }).toEqual({ id, missing: [] });
    }
  }
});

it.each([
  ["sans", "Zażółć gęślą jaźń, Việt, Привет, Ελλάδα, שלום, €£–—“”…"],
  ["serif", "Zażółć gęślą jaźń, Việt, Привет, Ἐν ἀρχῇ"],
  ["serif", "漢字汉字かなカナ，。「」ｱＡ عربي گچپژ"],
  ["mono", "Zażółć gęślą jaźń, Việt, Привет, Ελλάδα"],
  ["scripts", "→✓☐★″⇒∑∫≤𝒜♥①▲♫⌘"],
  ["scripts", "⁰⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₓ⅛⅜⅝⅞℗℠℞"],
  [
    "scripts",
    "عربي हिन्दी বাংলা ਪੰਜਾਬੀ ગુજરાતી ଓଡ଼ିଆ தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල ไทย ລາວ ខ្មែរ မြန်မာ བོད་ ქართული հայերեն አማርኛ ᠮᠣᠩᠭᠣᠯ",
  ],
  ["scripts", "漢字汉字かなカナ한국어，。「」ｱＡ𠮷"],
  ["scripts", "😀🚀🇳🇱👩🏿🫠⭐"],
] as const)("the service's fonts of the family %s have the characters %s", (family, text) => {
  const points = new Set(
    index.slices.filter((slice) => slice.family === family && !slice.isForSequences).flatMap(pointsOf),
  );

  expect(
    Array.from(text.replaceAll(/[\s,]/g, "")).filter((character) => !points.has(character.codePointAt(0) ?? 0)),
  ).toEqual([]);
});

it("the service's fonts have OpenType's measures for formulas, and the letters that browsers substitute in formulas", async () => {
  const [slice, ...others] = index.slices.filter(({ family }) => family === "math");
  const [file] = slice?.files ?? [];
  if (!slice || !file) throw new Error("there is no font for formulas");

  expect(others).toEqual([]);
  expect([...tablesOf(await contentOf(file)).keys()]).toContain("MATH");
  const letters = Array.from({ length: 0x400 }, (_, number) => 0x1d400 + number);
  const assigned = letters.filter((point) => /\P{Cn}/u.test(String.fromCodePoint(point)));
  const points = new Set(pointsOf(slice));
  expect([0x210e, ...assigned].filter((point) => !points.has(point))).toEqual([]);
});

it("the service's fonts draw symbols such as ✔ and ☎ in one colour, unless a sequence asks for an emoji", () => {
  const emoji = index.slices.filter(({ files }) => files.some(({ id }) => id.startsWith("noto-color-emoji")));
  const drawnAlone = new Set(emoji.filter(({ isForSequences }) => !isForSequences).flatMap(pointsOf));
  const inSequences = new Set(emoji.filter(({ isForSequences }) => isForSequences).flatMap(pointsOf));

  for (const symbol of "✔☎❤©1") expect(drawnAlone).not.toContain(symbol.codePointAt(0));
  for (const symbol of "✔☎❤©1") expect(inSequences).toContain(symbol.codePointAt(0));
});

it.each(hanFamilies)("the service's fonts have half-width katakana and marks in one slice of %s", async (family) => {
  const katakana = Array.from({ length: 63 }, (_, number) => 0xff61 + number);

  const having = hanSlices(family).filter((slice) => pointsOf(slice).some((point) => katakana.includes(point)));

  expect(having.map(pointsOf)).toEqual([katakana]);
  const files = having.flatMap((slice) => slice.files);
  expect(files.map(({ weight }) => weight)).toEqual(["400", "700"]);
  for (const file of files) {
    const content = await contentOf(file);
    expect([...codePointsOf(content)]).toEqual(katakana);
    const others = hanSlices(family)
      .filter((slice) => slice.han === "jp")
      .flatMap((slice) => slice.files);
    for (const other of others.filter(({ weight }) => weight === file.weight))
      expect(metricsOf(await contentOf(other))).toBe(metricsOf(content));
  }
});

it("the service's fonts have a copyright notice for each package, and the text of their licence", async () => {
  const text = await readFile(join(fonts.folder, fontLicensesPath), "utf8");

  for (const { name } of fontPackages)
    expect(text).toMatch(new RegExp(`\n${name.replace(/^.*\//, "")}: (Copyright|Google Inc)`));
  expect(text).toContain("SIL OPEN FONT LICENSE Version 1.1");
  expect(text).toContain("PERMISSION & CONDITIONS");
});

it("the service's fonts are built once: later calls, and calls at the same time, find the same files", async () => {
  const before = await stat(fonts.folder);

  const again = await Promise.all([1, 2, 3].map(() => buildFonts()));

  expect(again).toEqual([fonts, fonts, fonts]);
  expect((await stat(fonts.folder)).mtimeMs).toBe(before.mtimeMs);
  const leftovers = await readdir(join(fonts.folder, ".."));
  expect(leftovers.filter((name) => name.startsWith("fonts."))).toEqual([]);
});
