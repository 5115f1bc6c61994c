// Builds the rows of a compressed cross-reference table.

/** The places of the objects. They are in typed arrays, because a file can have hundreds of thousands of objects. */
export type Places = {
  /** One more than the highest object number. */
  size: number;
  /** The offset of an object, or the number of its object stream if it is packed; 0 if there is no object. */
  fields: Int32Array;
  /** One more than the index of a packed object in its object stream; 0 for an object that is not packed. */
  positions: Int32Array;
};

export function emptyPlaces(): Places {
  return { size: 1, fields: new Int32Array(64), positions: new Int32Array(64) };
}

/** `index` is the index of a packed object in its object stream; -1 for an object that is not packed. */
export function setPlace(places: Places, number: number, field: number, index = -1): void {
  places.size = Math.max(places.size, number + 1);
  if (number >= places.fields.length) {
    places.fields = resized(places.fields, 2 * number);
    places.positions = resized(places.positions, 2 * number);
  }
  places.fields[number] = field;
  places.positions[number] = index + 1;
}

function resized(numbers: Int32Array, length: number): Int32Array {
  const copy = new Int32Array(length);
  copy.set(numbers);
  return copy;
}

/** The widths of the three fields of a row in bytes: the kind of the place, an offset or stream, an index. */
type Widths = [kind: 1, field: number, index: number];

/**
 * Returns the rows for the objects from 0, with the PNG predictor "up": each byte is the difference
 * from the row above, so rows of consecutive objects are nearly equal. The first byte of a row names the predictor.
 */
export function crossReferenceRows(places: Places, fileLength: number) {
  const { size, positions } = places;
  const highest = positions.reduce((max, position) => Math.max(max, position), 0);
  const widths: Widths = [1, byteLength(Math.max(fileLength, size)), byteLength(highest)];
  const rowBytes = widths[0] + widths[1] + widths[2];
  const rows = new Uint8Array(size * (1 + rowBytes));
  const row = new Uint8Array(rowBytes);
  const above = new Uint8Array(rowBytes);
  for (let number = 0; number < size; number++) {
    fillRow(row, places, number, widths);
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

function fillRow(row: Uint8Array, { fields, positions }: Places, number: number, [, fieldBytes]: Widths): void {
  row.fill(0);
  const [field = 0, position = 0] = [fields[number], positions[number]];
  if (field === 0) return;
  row[0] = position > 0 ? 2 : 1;
  putInteger(row, 1, 1 + fieldBytes, field);
  putInteger(row, 1 + fieldBytes, row.length, Math.max(0, position - 1));
}

/** Writes a non-negative integer into the columns from `from` to before `to`. */
function putInteger(row: Uint8Array, from: number, to: number, integer: number): void {
  let rest = integer;
  for (let column = to - 1; column >= from; column--, rest >>>= 8) row[column] = rest & 255;
}

function byteLength(integer: number): number {
  return Math.max(1, Math.ceil(Math.log2(integer + 1) / 8));
}
