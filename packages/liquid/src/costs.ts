// The cost of each primitive of the template language, in units of about 10 ns. Each cost is set so that on an idle machine, the primitive
// takes about half the time that is charged for it. `packages/liquid-filters/test/calibration` measures every primitive.

export const costs = {
  /** Any step: a node, an expression, a filter, an iteration, a visit to an item. */
  step: 25,
  /** A part that is rendered, with its own variables. */
  part: 250,
  /** A loop whose variables are searched for a name. */
  loopVariable: 2,
  /** A character that is copied unchanged. */
  copiedChar: 1 / 32,
  /** A character of texts that are joined. */
  joinedChar: 1 / 4,
  /** A character of a text that is compared or searched. */
  searchedChar: 1 / 16,
  /** A text that is converted to upper or lower case. Turkish, Greek and a few other languages take ten times as long as others. */
  casedText: 120,
  /** A character that is converted to upper or lower case. Letters beyond ASCII take ten times as long as others. */
  casedChar: 6,
  /** A character that is compared by the rules of a language: in ASCII, in other texts, and in texts with runs of combining marks. */
  collatedAscii: 6,
  collatedChar: 16,
  collatedMark: 80,
  /** A character that a pattern or a conversion reads. */
  convertedChar: 2,
  /** An occurrence of a text that is replaced, and a part of a text that is split. */
  replacedText: 15,
  splitPart: 25,
  /** An item that is moved from one list to another. */
  movedItem: 5,
  /** A key of an object when the keys are listed for the first time, and a pair made of a key and its value. */
  listedKey: 30,
  /** A value that is measured, in addition each list and object, and each key of an object. */
  measuredValue: 10,
  measuredObject: 40,
  measuredKey: 120,
  /** A number that is converted to or from text, or that is calculated in decimals. */
  number: 50,
  /** A digit of a text that is read as a number, and of an exact decimal in a calculation. */
  digit: 1,
  decimalDigit: 4,
  /** A number that is formatted for a locale, and each of its digits beyond the 15th. */
  formatted: 300,
  formattedDigit: 5,
  /** A date that is formatted for a locale, and for a locale that names a calendar: some calendars follow the moon. */
  formattedDate: 1_000,
  formattedCalendar: 12_000,
  /** A date that is divided into its parts, and each directive of a pattern. */
  dateParts: 2_000,
  directive: 150,
  /** A formatter that is created. */
  formatter: 40_000,
  /** A string that is parsed as a date. */
  parsedDate: 100,
  /** A string that is encoded or decoded. Its characters are charged separately. */
  encodedText: 200,
  /** A character that is escaped for HTML. */
  escapedChar: 5,
} as const;
