import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { maxEntries, type TemplateFile } from "colophon-template-model/template-files";
import { readTemplateZip, templateZip } from "colophon-template-model/template-zip";
import { bytesOf, gif, validFiles } from "colophon-test-kit/template-files";
import { little, zipOf, type Entry } from "./hostile/zip-bytes.ts";
import { valid, zips } from "./hostile/zips.ts";

const files = filesOf(validFiles);
const validZip = templateZip(files);

function filesOf(texts: Record<string, string | Uint8Array | null>): TemplateFile[] {
  return Object.entries(texts)
    .map(([path, text]) => ({ path, bytes: bytesOf(text ?? "") }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the first problem in the form of `expected`, to compare with it. */
function firstProblem(zip: Uint8Array, expected: string): string {
  const { files: read, problems } = readTemplateZip(zip);
  expect(read).toEqual([]);
  const problem = `${problems[0]?.file} ${problems[0]?.reason}`;
  const shown = expected.slice(0, -1);
  return expected === `${shown}…` && problem.startsWith(shown) ? expected : problem;
}

it.each(zips)("a hostile zip is refused when %s", (_what, zip, problem) => {
  const bytes = zip();

  const [before, start] = [process.memoryUsage.rss(), performance.now()];
  expect(firstProblem(bytes, problem)).toBe(problem);

  // The slowest takes 0.6 s on a machine with nothing else to do, and most take some milliseconds.
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
});
it("a hostile zip is refused with at most a hundred problems, whose paths have at most 200 characters", () => {
  const entries = Array.from({ length: 900 }, (_, index): Entry => ({
    name: `assets/${"x".repeat(2_000)}${index}/`,
  }));

  const { problems } = readTemplateZip(zipOf(entries));

  expect(problems.length).toBe(100);
  expect(Math.max(...problems.map(({ file }) => file.length))).toBeLessThan(210);
});

it("a hostile zip is refused wherever it is cut off", () => {
  for (let length = 0; length < validZip.length; length++) {
    expect(readTemplateZip(validZip.slice(0, length))).toEqual({
      files: [],
      problems: [{ file: "the zip", line: 1, reason: expect.any(String) }],
    });
  }
});

it("a zip is refused whenever a changed bit would change its files", () => {
  let harmless = 0;
  for (let bit = 0; bit < validZip.length * 8; bit++) {
    const zip = validZip.slice();
    zip[bit >> 3] = (zip[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const read = readTemplateZip(zip);
    if (read.problems.length === 0) harmless += 1;
    // A changed name may be the name of an ignored file, so the remaining files are unchanged.
    for (const file of read.files) expect(files).toContainEqual(file);
    expect(read.problems.length + read.files.length).toBeGreaterThan(0);
  }
  expect(harmless).toBeGreaterThan(100);
});

const stored: Entry[] = valid.map((entry) => ({ ...entry, method: 0 }));
const streamed = valid.map((entry): Entry => {
  const content = bytesOf(entry.content ?? "");
  const packed = new DataView(zipOf([entry]).buffer).getUint32(18, true);
  const after = little([4, 0x08074b50], [4, crc32(content)], [4, packed], [4, content.length]);
  return { ...entry, flags: 0x808, local: { crc: 0, packedSize: 0, size: 0 }, after };
});
const inside = (folder: string, entries = valid) =>
  entries.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` }));

it.each<[string, Entry[]]>([
  ["files are stored", stored],
  ["sizes follow the files", streamed],
  ["it has folders", [{ name: "pages/", mode: 0x41ed }, { name: "assets/" }, ...valid]],
  [
    "files have modes, extra fields and comments",
    valid.map((e) => ({ ...e, mode: 0x81a4, extra: bytesOf("abcd"), comment: "x" })),
  ],
  ["its files are in another order", valid.toReversed()],
  ["everything is in one folder that has an entry", [{ name: "my invoice/" }, ...inside("my invoice")]],
  ["everything is in a folder named `assets`", inside("assets")],
  ["everything is in a folder named `Pages`", inside("Pages")],
  [
    "it has hidden files",
    [...valid, { name: ".DS_Store" }, { name: "pages/.DS_Store" }, { name: "assets/.git/config" }],
  ],
  ["macOS made it", [...inside("invoice"), { name: "__MACOSX/invoice/._a" }, { name: ".DS_Store" }]],
  [
    "it has other files",
    [...valid, { name: "tests/a.json", content: "{" }, { name: "shared/notes" }, { name: "a/b/c/" }],
  ],
])("a zip is accepted although %s", (_what, entries) => {
  expect(readTemplateZip(zipOf(entries))).toEqual({ files, problems: [] });
});

it("a zip may have as many files as a folder", () => {
  const entries = Array.from({ length: maxEntries }, (_, index): Entry => ({
    name: `assets/${index}.gif`,
    content: gif,
  }));

  expect(readTemplateZip(zipOf([...valid, ...entries])).files.length).toBe(valid.length + maxEntries);
});

it("a zip without files is accepted, but is not a template", () => {
  expect(readTemplateZip(zipOf([]))).toEqual({ files: [], problems: [] });
});

it("templateZip gives the same bytes whatever the order of the files", () => {
  expect(templateZip(files.toReversed())).toEqual(validZip);
});

it("templateZip preserves an empty file, a large file and names in any script", () => {
  const all = filesOf({
    "assets/ü 漢.svg": new Uint8Array(3_000_000).map((_, index) => index * index),
    "style.css": "",
  });

  expect(readTemplateZip(templateZip(all))).toEqual({ files: all, problems: [] });
});
