// What each primitive of the template language costs, in units of about 10 ns. Each cost is set so that on an idle
// machine, the primitive takes about half of the time that it is charged for. `npm run bench -- --liquid` measures
// every primitive.

export const costs = {
  /** Any step: a node, an expression, a filter, an iteration, a visit to an item. */
  step: 25,
  /** A character that is copied unchanged. */
  copiedChar: 1 / 32,
  /** A character of a text that is compared or searched. */
  searchedChar: 1 / 16,
  /** A character that a pattern or a conversion reads. */
  convertedChar: 2,
  /** An item that is moved from one list to another. */
  movedItem: 5,
  /** A key of an object when the keys are listed for the first time, and a pair made of a key and its value. */
  listedKey: 30,
  /** A number that is converted to or from text, or that is calculated in decimals. */
  number: 50,
  /** A number that is formatted for a locale. */
  formatted: 300,
  /** A date that is formatted for a locale. */
  formattedDate: 1_000,
  /** A formatter that is created. */
  formatter: 40_000,
  /** A string that is parsed as a date. */
  parsedDate: 100,
  /** A string that is encoded or decoded, in addition to its characters. */
  encodedText: 200,
  /** A linear barcode, and each of its characters. */
  barcode: 3_000,
  barcodeChar: 400,
  /** A QR code, and each of its characters. */
  qrCode: 75_000,
  qrCodeChar: 2_500,
  /** A Data Matrix code, and each of its characters. */
  dataMatrix: 600_000,
  dataMatrixChar: 24_000,
  /** A character that is escaped for HTML. */
  escapedChar: 5,
  /** A string that is converted from Markdown, in addition to its characters. */
  markdown: 1_500,
  /**
   * A character of Markdown, and in addition each character that can have a special meaning, such as `*`, `|` or a line
   * break.
   */
  markdownChar: 60,
  markdownSign: 600,
} as const;
