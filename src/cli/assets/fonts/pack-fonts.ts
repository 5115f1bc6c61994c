// Puts the files of fonts into packs, one after the other. Reading a file takes far longer than sending it to a page, and a text in
// Japanese needs thirty of those that contain the most common characters.
import { createHash } from "node:crypto";
import type { FontFile, FontSlice } from "../../../core/rendering/fonts/font-index.ts";
import type { BuiltSlice } from "./font-slices.ts";

/** A pack has at most so many bytes, unless a single file has more. Fonts that a document does not use are read with the others. */
const maxPackBytes = 150_000;

export type PackedFonts = { slices: FontSlice[]; contents: Map<string, Buffer> };

/** The packs contain files of the same font, weight and style, in the order of the slices. */
export function packFonts(built: readonly BuiltSlice[]): PackedFonts {
  const packs = packsOf(built);
  const places = new Map<string, Pick<FontFile, "file" | "start">>();
  const contents = new Map<string, Buffer>();
  for (const { name, files } of packs) {
    const content = Buffer.concat(files.map((file) => file.content));
    const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
    const pack = `assets/fonts/${name}.${digest}.pack`;
    contents.set(pack, content);
    let start = 0;
    for (const {
      file,
      content: { length },
    } of files) {
      places.set(file, { file: pack, start });
      start += length;
    }
  }
  const slices = built.map(({ slice }) => ({
    ...slice,
    files: slice.files.map((file) => ({ ...file, ...places.get(file.file) })),
  }));
  return { slices, contents };
}

type Pack = { name: string; files: { file: string; content: Buffer }[]; bytes: number };

function packsOf(built: readonly BuiltSlice[]): Pack[] {
  const packs: Pack[] = [];
  const open = new Map<string, Pack>();
  const known = new Set<string>();
  for (const { slice, contents } of built) {
    for (const { file, weight, style } of slice.files) {
      const content = contents.get(file);
      // Two slices may share a file.
      if (!content || known.has(file)) continue;
      known.add(file);
      const font = `${slice.han ?? slice.family}-${weight}${style === "italic" ? "-italic" : ""}`;
      let pack = open.get(font);
      if (!pack || pack.bytes + content.length > maxPackBytes) {
        pack = { name: `${font}-${packs.length}`, files: [], bytes: 0 };
        packs.push(pack);
        open.set(font, pack);
      }
      pack.files.push({ file, content });
      pack.bytes += content.length;
    }
  }
  return packs;
}
