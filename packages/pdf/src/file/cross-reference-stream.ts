// Builds the rows of a compressed cross-reference table.

/** Where an object is: its offset, or the number of its object stream and its index in that stream. */
export type Place = { number: number; field: number; index: number | null };

/** The widths of the fields of a row in bytes: the kind of the place, an offset or stream, and an index. */
export const widths = [1, 4, 1];
export const rowBytes = 6;

/**
 * Returns the rows for the objects from 0 to before `size`, with the PNG predictor "up": each byte is the difference from the
 * row above, so rows of consecutive objects are nearly equal. The first byte of a row names the predictor.
 */
export function crossReferenceRows(places: readonly Place[], size: number): Uint8Array {
  const plain = new Uint8Array(size * rowBytes);
  const view = new DataView(plain.buffer);
  for (const { number, field, index } of places) {
    view.setUint8(number * rowBytes, index === null ? 1 : 2);
    view.setUint32(number * rowBytes + 1, field);
    view.setUint8(number * rowBytes + 5, index ?? 0);
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
