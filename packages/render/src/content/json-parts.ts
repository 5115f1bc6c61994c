// Writes JSON in parts, so that a large value is never in memory as a whole text beside itself.

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * Returns the value as JSON in parts of about `partChars` characters. Texts may be cut inside a character, because JSON can
 * contain its halves.
 */
export function* jsonParts(value: JsonObject, partChars: number): Generator<string> {
  let text = "";
  for (const part of smallParts(value, partChars)) {
    text += part;
    if (text.length < partChars) continue;
    yield text;
    text = "";
  }
  if (text) yield text;
}

function* smallParts(value: Json, maxChars: number): Generator<string> {
  if (typeof value === "string") {
    yield '"';
    for (const part of slices(value, maxChars)) yield JSON.stringify(part).slice(1, -1);
    yield '"';
  } else if (typeof value !== "object" || value === null) yield JSON.stringify(value);
  else if (isList(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? "[" : ",";
      yield* smallParts(item, maxChars);
    }
    yield value.length === 0 ? "[]" : "]";
  } else {
    let separator = "{";
    for (const [key, item] of Object.entries(value)) {
      yield `${separator}${JSON.stringify(key)}:`;
      yield* smallParts(item, maxChars);
      separator = ",";
    }
    yield separator === "{" ? "{}" : "}";
  }
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}

/** Cuts a text into parts of this length. */
export function* slices(text: string, chars: number): Generator<string> {
  for (let at = 0; at < text.length; at += chars) yield text.slice(at, at + chars);
}
