// The cost of each primitive of the template language, in units of about 10 ns. Costs are set so that on an idle machine, a primitive
// takes about half the time that is charged. `packages/liquid-filters/test/calibration` measures every primitive.

export const costs = {
  /** Any step: a node, an expression, a filter, an iteration, visiting an item. */
  step: 25,
  /** Rendering a part with its own variables. */
  part: 250,
  /** Searching a loop's variables for a name. */
  loopVariable: 2,
  /** Copying a character unchanged. */
  copiedChar: 1 / 32,
  /** Joining strings, per character. */
  joinedChar: 1 / 4,
  /** Comparing or searching a string, per character. */
  searchedChar: 1 / 16,
  /** Converting a string to upper or lower case. Turkish, Greek and a few other languages take ten times as long as others. */
  casedText: 120,
  /** Converting a character to upper or lower case. Letters beyond ASCII take ten times as long as others. */
  casedChar: 6,
  /** Comparing a character by the rules of a language: in ASCII, in other strings, and in strings with runs of combining marks. */
  collatedAscii: 6,
  collatedChar: 16,
  collatedMark: 80,
  /** Reading a character for a pattern or a conversion. */
  convertedChar: 2,
  /** Replacing an occurrence of a string, or splitting off one part of a string. */
  replacedText: 15,
  splitPart: 25,
  /** Moving an item from one list to another. */
  movedItem: 5,
  /** A key of an object when the keys are first listed, and creating a pair of a key and its value. */
  listedKey: 30,
  /** Measuring a value; and, in addition, measuring each list, each object and each key of an object in it. */
  measuredValue: 10,
  measuredObject: 40,
  measuredKey: 120,
  /** Converting a number to or from a string, or one decimal operation. */
  number: 50,
  /** A digit of a text that is read as a number, and of an exact decimal in a calculation. */
  digit: 1,
  decimalDigit: 4,
  /** The 20 decimals of an exact quotient whose scale is not given. */
  decimalQuotient: 400,
  /** Formatting a number for a locale, and each of its digits beyond the 15th. */
  formatted: 300,
  formattedDigit: 5,
  /** Formatting a date for a locale, and for a locale with a calendar, because some calendars are lunar. */
  formattedDate: 1_000,
  formattedCalendar: 12_000,
  /** Splitting a date into its parts, and each directive of a pattern. */
  dateParts: 2_000,
  directive: 150,
  /** Creating a formatter. */
  formatter: 40_000,
  /** Parsing a string as a date. */
  parsedDate: 100,
  /** Encoding or decoding a string. Its characters are charged separately. */
  encodedText: 200,
  /** Escaping a character for HTML. */
  escapedChar: 5,
} as const;
