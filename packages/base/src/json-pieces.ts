// JSON as a sequence of short texts, so that a large value is digested and stored without a second copy of it in memory.

const maxChars = 65_536;

/**
 * The pieces together are the JSON of a value that consists of plain objects, arrays, texts, numbers, booleans and null. They
 * contain only ASCII characters: one other character would double the memory of the text when it is read.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = "";
  for (const token of tokensOf(value)) {
    piece += token;
    if (piece.length < maxChars) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

function* tokensOf(value: unknown): Generator<string> {
  if (typeof value === "string" && value.length > maxChars) yield* longText(value);
  else if (typeof value !== "object" || value === null) yield ascii(JSON.stringify(value));
  else yield* Array.isArray(value) ? list(value) : record(value);
}

function* list(values: unknown[]): Generator<string> {
  for (const [index, value] of values.entries()) {
    yield index === 0 ? "[" : ",";
    yield* tokensOf(value);
  }
  yield values.length === 0 ? "[]" : "]";
}

function* record(value: object): Generator<string> {
  let start = "{";
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    yield `${start}${ascii(JSON.stringify(key))}:`;
    yield* tokensOf(each);
    start = ",";
  }
  yield start === "{" ? "{}" : "}";
}

/** If a part ends within a surrogate pair, its halves are escaped one by one, which is the same text. */
function* longText(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; at += maxChars) {
    yield ascii(JSON.stringify(text.slice(at, at + maxChars)).slice(1, -1));
  }
  yield '"';
}

function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
