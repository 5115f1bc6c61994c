// Liquid values that JSON lacks, in the data of a render and in the literals of a parse tree; and, for filters, the conversion of
// values to text.
export {
  chargedNumber,
  exactDecimal,
  isNumber,
  numberIn,
  numberText,
  plainNumber,
  type LiquidNumber,
} from "./values/numbers.ts";
export { charactersIn } from "./values/text.ts";
export { decimalIdentity, ExactDecimal, maxDecimalChars, orderDecimals, parseDecimal } from "./values/exact-decimal.ts";
export { EmptyValue, isNil, Markup, WithProperties } from "./values/value.ts";
export { escapeHtml, TextBuffer, toHtml, toText } from "./values/text.ts";
