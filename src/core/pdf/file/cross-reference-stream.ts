// Builds the rows of a compressed cross-reference table.

/**
 * The place of an object. `field` is its offset in the file, or, if the object is packed, the number of its object
 * stream, in which it has the index `index`.
 */
export type Place = { isPacked: boolean; field: number; index: number };

/** The widths of the three fields of a row in bytes: the kind of the place, an offset or stream, an index. */
type Widths = [kind: 1, field: number, index: number];

/**
 * Returns the rows for the objects from 0 to `places.length - 1`, with the PNG predictor "up": each byte is the difference
 * from the row above, so rows of consecutive objects are nearly equal. The first byte of a row names the predictor.
 */
export function crossReferenceRows(places: (Place | undefined)[], fileLength: number) {
  const widths: Widths = [1, byteLength(Math.max(fileLength, places.length)), byteLength(maxIndex(places))];
  const rowBytes = widths[0] + widths[1] + widths[2];
  const rows = new Uint8Array(places.length * (1 + rowBytes));
  const row = new Uint8Array(rowBytes);
  const above = new Uint8Array(rowBytes);
  for (let number = 0; number < places.length; number++) {
    fillRow(row, places[number], widths);
    const at = number * (1 + rowBytes);
    rows[at] = 2;
    for (let column = 0; column < rowBytes; column++) {
      const value = row[column] ?? 0;
      rows[at + 1 + column] = value - (above[column] ?? 0);
      above[column] = value;
    }
  }
  return { rows, rowBytes, widths };
}

function maxIndex(places: (Place | undefined)[]): number {
  return places.reduce((max, place) => Math.max(max, place?.index ?? 0), 0);
}

function fillRow(row: Uint8Array, place: Place | undefined, [, fieldBytes]: Widths): void {
  row.fill(0);
  if (!place) return;
  row[0] = place.isPacked ? 2 : 1;
  putInteger(row, 1, 1 + fieldBytes, place.field);
  putInteger(row, 1 + fieldBytes, row.length, place.index);
}

/** Writes a non-negative integer into the columns from `from` to before `to`. */
function putInteger(row: Uint8Array, from: number, to: number, integer: number): void {
  let rest = integer;
  for (let column = to - 1; column >= from; column--, rest >>>= 8) row[column] = rest & 255;
}

function byteLength(integer: number): number {
  return Math.max(1, Math.ceil(Math.log2(integer + 1) / 8));
}
