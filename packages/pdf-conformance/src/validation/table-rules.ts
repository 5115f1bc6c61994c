// The rules for the cells of a table: every place has one cell, and every cell has a header.
import type { Report } from "../problem.ts";

export type Cell = {
  isHeader: boolean;
  id: string;
  columns: number;
  rows: number;
  scope: string;
  headers: readonly string[];
};

/** Larger tables are refused, because spans of small files could demand any amount of memory. */
const maxPlaces = 10_000_000;

export function checkTable(rows: readonly Cell[][], report: Report): void {
  const width = (rows[0] ?? []).reduce((sum, { columns }) => sum + columns, 0);
  if (rows.length * width > maxPlaces) return report("6.7", "A table is too large to be validated.");
  const places = placed(rows, width, report);
  if (!places || rows.every((row) => row.every(({ isHeader, scope }) => !isHeader || scope !== ""))) return;
  const ids = new Set(rows.flatMap((row) => row.flatMap(({ isHeader, id }) => (isHeader && id ? id : []))));
  const seen = new Set<Cell>();
  for (const [place, cell] of places.entries()) {
    const isFirst = !seen.has(cell);
    seen.add(cell);
    if (!isFirst || cell.isHeader) continue;
    const isUnknown = cell.headers.some((header) => !ids.has(header));
    if ((cell.headers.length > 0 && !isUnknown) || hasScopedHeader(places, width, cell, place)) continue;
    return report(isUnknown ? "7.5-2" : "7.5-1", "A cell of a table has no header.");
  }
}

/** Returns the cell at each place, row by row; null if the table is not regular. */
function placed(rows: readonly Cell[][], width: number, report: Report): Cell[] | null {
  const places: Cell[] = [];
  const refuse = (clause: string) => {
    report(clause, "The rows of a table have different numbers of cells.");
    return null;
  };
  for (const [index, row] of rows.entries()) {
    let column = 0;
    for (const cell of row) {
      while (column < width && places[index * width + column]) column++;
      if (column + cell.columns > width) return refuse("7.2-42");
      if (index + cell.rows > rows.length) return refuse("7.2-41");
      for (let down = 0; down < cell.rows; down++)
        for (let across = 0; across < cell.columns; across++) {
          const place = (index + down) * width + column + across;
          if (places[place]) return refuse("7.2-15");
          places[place] = cell;
        }
      column += cell.columns;
    }
  }
  for (let place = 0; place < rows.length * width; place++) if (!places[place]) return refuse("7.2-43");
  return places;
}

/** Whether a header with a scope stands above the cell or before it. Headers that do not apply end the search. */
function hasScopedHeader(places: readonly Cell[], width: number, cell: Cell, place: number): boolean {
  const isFound = (from: number, steps: number, step: number, scope: string): boolean => {
    let wasHeader = false;
    for (let count = 1; count <= steps; count++) {
      const other = places[from - count * step];
      if (other?.isHeader && (other.scope === scope || other.scope === "Both")) return true;
      if (wasHeader && !other?.isHeader) return false;
      wasHeader = other?.isHeader === true;
    }
    return false;
  };
  const [row, column] = [Math.floor(place / width), place % width];
  for (let across = 0; across < cell.columns; across++) if (isFound(place + across, row, width, "Column")) return true;
  for (let down = 0; down < cell.rows; down++) if (isFound(place + down * width, column, 1, "Row")) return true;
  return false;
}
