// The values of Liquid that JSON does not have, in the data of a render and in the literals of a parse tree.
export { isNumber, numberText, plainNumber, writtenNumber, type LiquidNumber } from "./values/numbers.ts";
export { EmptyValue } from "./values/special.ts";
export { escapeHtml } from "./values/text.ts";
export { WithProperties } from "./values/value.ts";
