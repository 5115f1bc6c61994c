// Reads the names of the tables in a font, to learn what the font can draw.

/** The tables with glyphs that have colours of their own. */
const colourTables = ["COLR", "CBDT", "sbix", "SVG "];

/** Whether the font has glyphs with colours of their own. False for bytes that are not a font. */
export function hasColours(bytes: Uint8Array): boolean {
  return tableNames(bytes).some((name) => colourTables.includes(name));
}

function tableNames(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const signature = tag(view, 0);
    if (signature === "wOF2") return woff2Names(view);
    const [start, entryBytes, countAt] = signature === "wOFF" ? [44, 20, 12] : [12, 16, 4];
    return Array.from({ length: view.getUint16(countAt) }, (_, index) => tag(view, start + entryBytes * index));
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The numbers that stand for names in W3C's WOFF File Format 2.0, section 4.1, as far as they matter here. */
const knownNames = new Map([[10, "glyf"], [11, "loca"], [32, "CBDT"], [34, "COLR"], [36, "SVG "], [37, "sbix"]]);
const isNamed = 63;

function woff2Names(view: DataView): string[] {
  const names: string[] = [];
  let at = 48;
  /** Skips a number of 7 bits in each byte, whose last byte is below 128. */
  const skipNumber = () => {
    while (view.getUint8(at++) >= 128);
  };
  for (let left = view.getUint16(12); left > 0; left--) {
    const flags = view.getUint8(at++);
    const known = flags & 63;
    const name = known === isNamed ? tag(view, at) : (knownNames.get(known) ?? "");
    if (known === isNamed) at += 4;
    skipNumber();
    // Outlines are transformed unless the version says otherwise; the other tables are not.
    const hasOutlines = name === "glyf" || name === "loca";
    const version = flags >> 6;
    if (hasOutlines ? version !== 3 : version !== 0) skipNumber();
    names.push(name);
  }
  return names;
}

function tag(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}
