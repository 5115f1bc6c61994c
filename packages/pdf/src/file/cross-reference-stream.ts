// Builds and reads the rows of a compressed cross-reference table.

/** The widths of a row's fields in bytes: the type of entry, an offset or stream number, and an index. */
export const widths = [1, 4, 1];
export const rowBytes = 6;

/**
 * `places` contains three numbers for each object instead of an object, because a merged file has many: the object's number,
 * and the field and the index of its place; -1 for no index. Returns the rows for the objects from 0 to before `size`, with the
 * PNG predictor "up": each byte is the difference from the row above, so rows of consecutive objects are nearly equal. The
 * first byte of a row is the predictor's number.
 */
export function crossReferenceRows(places: readonly number[], size: number): Uint8Array {
  const plain = new Uint8Array(size * rowBytes);
  const view = new DataView(plain.buffer);
  for (let from = 0; from < places.length; from += 3) {
    const [at, index] = [(places[from] ?? 0) * rowBytes, places[from + 2] ?? -1];
    view.setUint8(at, index < 0 ? 1 : 2);
    view.setUint32(at + 1, places[from + 1] ?? 0);
    view.setUint8(at + 5, Math.max(index, 0));
  }
  const rows = new Uint8Array(size * (1 + rowBytes));
  for (let number = 0; number < size; number++) {
    const at = number * (1 + rowBytes);
    rows[at] = 2;
    for (let column = 0; column < rowBytes; column++) {
      const from = number * rowBytes + column;
      rows[at + 1 + column] = (plain[from] ?? 0) - (plain[from - rowBytes] ?? 0);
    }
  }
  return rows;
}

/** Returns the offset of each object by number from these rows; 0 for an object that is missing or in an object stream. */
export function readOffsets(rows: Uint8Array): number[] {
  const offsets: number[] = [];
  const row = new Uint8Array(rowBytes);
  for (let at = 0; at < rows.length; at += 1 + rowBytes) {
    for (let column = 0; column < rowBytes; column++) row[column] = (row[column] ?? 0) + (rows[at + 1 + column] ?? 0);
    offsets.push(row[0] === 1 ? new DataView(row.buffer).getUint32(1) : 0);
  }
  return offsets;
}
