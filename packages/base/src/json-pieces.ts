// JSON as a sequence of short strings, so that a large value can be digested, stored and sent without a second copy in memory.
import { slices } from "./text.ts";

/**
 * Yields pieces of about `chars` characters. The value may consist of plain objects, arrays, strings, numbers, booleans and null.
 */
export function* jsonPieces(value: unknown, chars: number): Generator<string> {
  let piece = "";
  for (const token of tokensOf(value, chars)) {
    piece += token;
    if (piece.length < chars) continue;
    yield piece;
    piece = "";
  }
  if (piece) yield piece;
}

/** The pieces contain only ASCII characters, because a single other character would double the memory of the parsed string. */
export function* asciiJsonPieces(value: unknown): Generator<string> {
  for (const piece of jsonPieces(value, 65_536))
    yield piece.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function* tokensOf(value: unknown, chars: number): Generator<string> {
  if (typeof value === "string" && value.length > chars) yield* longText(value, chars);
  else if (typeof value !== "object" || value === null) yield JSON.stringify(value);
  else yield* Array.isArray(value) ? list(value, chars) : record(value, chars);
}

function* list(values: unknown[], chars: number): Generator<string> {
  for (const [index, value] of values.entries()) {
    yield index === 0 ? "[" : ",";
    yield* tokensOf(value, chars);
  }
  yield values.length === 0 ? "[]" : "]";
}

function* record(value: object, chars: number): Generator<string> {
  let start = "{";
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    yield `${start}${JSON.stringify(key)}:`;
    yield* tokensOf(each, chars);
    start = ",";
  }
  yield start === "{" ? "{}" : "}";
}

/** If a part ends within a surrogate pair, the halves are escaped separately, which has the same meaning. */
function* longText(text: string, chars: number): Generator<string> {
  yield '"';
  for (const part of slices(text, chars)) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}
