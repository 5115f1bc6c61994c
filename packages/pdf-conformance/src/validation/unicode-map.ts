// The map from the codes of a font to texts. Programs differ in what they read from a malformed one, so it must look as Chromium writes it.
import { latin1 } from "colophon-pdf/characters";

/** `digits` are those of a code in hexadecimal. */
export function isWellFormed(map: Uint8Array, digits: 2 | 4): boolean {
  const rest = latin1(map, 0, map.length).replace(
    tables[digits],
    (all, count: string, kind: string, entries: string) => {
      const [lines, codes] = [entries.split("\n").length - 1, entries.split(" ").length - 1];
      return lines === Number(count) && codes === (kind === "char" ? lines : 2 * lines) ? "" : all;
    },
  );
  const range = `<${"0".repeat(digits)}> <${"F".repeat(digits)}>`;
  return rest.replace(/\s+/g, " ") === `${beginning} ${range} ${end}`;
}

const tables = {
  2: /(\d+) beginbf(char|range)\n((?:(?:<[\dA-F]{2}> ){1,2}<(?:[\dA-F]{4})+>\n)+)endbf\2\n/g,
  4: /(\d+) beginbf(char|range)\n((?:(?:<[\dA-F]{4}> ){1,2}<(?:[\dA-F]{4})+>\n)+)endbf\2\n/g,
};
const beginning =
  "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def " +
  "/CMapName /Adobe-Identity-UCS def /CMapType 2 def 1 begincodespacerange";
const end = "endcodespacerange endcmap CMapName currentdict /CMap defineresource pop end end";
