// Parts of fonts as Chromium writes them.

/** Returns the part of a program in the format TrueType that has the widths of its glyphs, in thousandths of the font's size. */
export function fontProgram(widths: readonly number[]): string {
  const tables: [string, number[]][] = [
    ["head", [...zeros(9), 1_000, ...zeros(17)]],
    ["hhea", [...zeros(17), widths.length]],
    ["hmtx", widths.flatMap((width) => [width, 0])],
    ["maxp", [1, 0, widths.length]],
  ];
  const directory: number[] = [];
  let at = 12 + 16 * tables.length;
  for (const [tag, values] of tables) {
    const name = [0, 2].map((index) => Buffer.from(tag).readUInt16BE(index));
    directory.push(...name, 0, 0, 0, at, 0, 2 * values.length);
    at += 2 * values.length;
  }
  const values = [1, 0, tables.length, 0, 0, 0, ...directory, ...tables.flatMap(([, words]) => words)];
  return values.map((value) => String.fromCharCode(value >> 8, value & 0xff)).join("");
}

const zeros = (count: number) => Array.from({ length: count }, () => 0);

/** Returns a map from codes to texts with these tables. `digits` are those of a code. */
export function unicodeMap(tables: string, digits = 4): string {
  const range = `<${"0".repeat(digits)}> <${"F".repeat(digits)}>`;
  return (
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo\n<<  /Registry (Adobe)\n/Ordering (UCS)\n/Supplement 0\n>> def\n" +
    `/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n${range}\nendcodespacerange\n${tables}endcmap\n` +
    "CMapName currentdict /CMap defineresource pop\nend\nend"
  );
}
