// The expected pictures of a test case's pages: `tests/pictures/NAME-PAGE.png`.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "../command.ts";
import { listFolder, readEntry } from "../folder/folder-entries.ts";
import type { Difference, PagePicture } from "./inspection.ts";

/** Pictures are `data:` URLs of PNGs. `expected` is null if there is no picture, and `actual` is null if the page does not exist. */
export type ComparedPicture = {
  file: string;
  page: number;
  expected: string | null;
  actual: string | null;
  difference: Difference | null;
};

const picturesFolder = "tests/pictures";
const dataUrl = "data:image/png;base64,";
const maxPictures = 10_000;
const maxPictureBytes = 5_000_000;

/** Returns the pictures of a case, by page. Throws `CommandError` if one cannot be read. */
export async function readPictures(directory: string, name: string): Promise<Record<number, string>> {
  const listed = await listFolder(join(directory, picturesFolder), maxPictures);
  if (listed.status === "refused") throw new CommandError(`${picturesFolder}: ${listed.reason}`);
  const pictures: Record<number, string> = {};
  for (const entry of listed.status === "listed" ? listed.names.map(String) : []) {
    const page = Number(/-([1-9]\d{0,3})\.png$/.exec(entry)?.[1]);
    const file = pictureFile(name, page);
    if (file !== `${picturesFolder}/${entry}`) continue;
    const read = await readEntry(join(directory, file), maxPictureBytes);
    if (read.status === "refused") throw new CommandError(`${file}: ${read.reason}`);
    if (read.status === "read") pictures[page] = dataUrl + Buffer.from(read.bytes).toString("base64");
  }
  return pictures;
}

function pictureFile(name: string, page: number): string {
  return `${picturesFolder}/${name}-${page}.png`;
}

/** Returns the pictures that do not match: the file does not exist yet, the page no longer exists, or they differ. */
export function changedPictures(
  name: string,
  pictures: PagePicture[],
  expected: Record<number, string>,
  tolerance: number,
): ComparedPicture[] {
  const painted = new Set(pictures.map(({ page }) => page));
  const expectedPages = Object.keys(expected).map(Number);
  const gone = expectedPages
    .filter((page) => !painted.has(page))
    .map((page) => ({ page, actual: null, difference: null }));
  return [...pictures, ...gone]
    .map((each) => ({ ...each, file: pictureFile(name, each.page), expected: expected[each.page] ?? null }))
    .filter(({ expected, actual, difference }) => !expected || !actual || (difference?.share ?? 0) > tolerance);
}

export function pictureFailure({ file, page, expected, actual, difference }: ComparedPicture): string {
  if (actual === null) return `The case expects no picture for ${file}; --update removes it.`;
  if (expected === null)
    return `${file} is missing. Run the command with --update, and check the pictures that it writes.`;
  return `Page ${page} differs from ${file}: ${difference?.description ?? ""}.`;
}

/** Replaces the pictures on disk with the document's pictures. Returns a line for each change. */
export async function updatePictures(directory: string, changed: ComparedPicture[]): Promise<string[]> {
  for (const { file, actual } of changed) {
    const path = join(directory, file);
    await mkdir(dirname(path), { recursive: true });
    if (actual === null) await rm(path);
    else await writeFile(path, Buffer.from(actual.slice(dataUrl.length), "base64"));
  }
  return changed.map(({ file, actual }) => `${actual === null ? "removed" : "wrote"} ${file}`);
}
