// Puts the files of fonts into packs, one after the other. Reading a file takes far longer than sending it to a page, and a text in
// Japanese needs thirty of those that contain the most common characters.
//
// The fonts in packs are WOFF, because a browser decodes them in half the time of WOFF2: 40 fonts of 26 scripts in 18 ms instead of 36.
// They have a third more bytes, which takes less time, and lead to the same PDF.
import { convert } from "fontverter";
import { createHash } from "node:crypto";
import type { FontFile, FontSlice } from "../../../core/rendering/fonts/font-index.ts";
import type { BuiltSlice } from "./font-slices.ts";

/** A pack has at most so many bytes, unless a single file has more. Fonts that a document does not use are read with the others. */
const maxPackBytes = 150_000;

export type PackedFonts = { slices: FontSlice[]; contents: Map<string, Buffer> };

/** The packs contain files of the same font, weight and style, in the order of the slices. */
export async function packFonts(built: readonly BuiltSlice[]): Promise<PackedFonts> {
  const packs = packsOf(await fontsIn(built));
  const places = new Map<string, Pick<FontFile, "file" | "start" | "bytes">>();
  const contents = new Map<string, Buffer>();
  for (const { name, files } of packs) {
    const content = Buffer.concat(files.map((file) => file.content));
    const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
    const pack = `assets/fonts/${name}.${digest}.pack`;
    contents.set(pack, content);
    let start = 0;
    for (const {
      file,
      content: { length: bytes },
    } of files) {
      places.set(file, { file: pack, start, bytes });
      start += bytes;
    }
  }
  const slices = built.map(({ slice }) => ({
    ...slice,
    files: slice.files.map((file) => ({ ...file, ...places.get(file.file) })),
  }));
  return { slices, contents };
}

type Font = { name: string; file: string; content: Buffer };

/** Returns each font once, though two slices may share it. `name` is the same for all that may be in one pack. */
async function fontsIn(built: readonly BuiltSlice[]): Promise<Font[]> {
  const fonts = new Map<string, Font>();
  for (const { slice, contents } of built) {
    for (const { file, weight, style } of slice.files) {
      const content = contents.get(file);
      if (!content || fonts.has(file)) continue;
      const name = `${slice.han ?? slice.family}-${weight}${style === "italic" ? "-italic" : ""}`;
      fonts.set(file, { name, file, content: Buffer.from(await convert(content, "woff")) });
    }
  }
  return [...fonts.values()];
}

type Pack = { name: string; files: Font[]; bytes: number };

function packsOf(fonts: readonly Font[]): Pack[] {
  const packs: Pack[] = [];
  const open = new Map<string, Pack>();
  for (const font of fonts) {
    const { name, content } = font;
    let pack = open.get(name);
    if (!pack || pack.bytes + content.length > maxPackBytes) {
      pack = { name: `${name}-${packs.length}`, files: [], bytes: 0 };
      packs.push(pack);
      open.set(name, pack);
    }
    pack.files.push(font);
    pack.bytes += content.length;
  }
  return packs;
}
