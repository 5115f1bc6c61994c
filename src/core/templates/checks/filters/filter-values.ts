// The values of one use of a filter, as far as they are known before any data is.
import type { Expression } from "../../../liquid/syntax/tree.ts";
import type { ValueType } from "../paths/value-type.ts";

/** `shown` is how messages show the input, e.g. `item.price`. */
export type FilterInput = { type: ValueType; shown: string };

/** An argument of a filter with its type. */
export type TypedArgument = { expression: Expression; type: ValueType };
