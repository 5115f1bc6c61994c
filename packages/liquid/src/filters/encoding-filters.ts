// Filters that encode and decode text: base64, URLs and JSON.
import { base64Bytes } from "colophon-base/encoding";
import { costs } from "../costs.ts";
import { LiquidError } from "../liquid-error.ts";
import { isNumber } from "../values/numbers.ts";
import { toJson } from "../values/text.ts";
import { Markup } from "../values/value.ts";
import { textFilter, type Filter, type FilterCall } from "./filter.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const encodedLength = (_call: FilterCall, text: string) => text.length * 4 + 4;
const toBase64 = { unitsPerChar: 24, unitsPerCall: costs.encodedText, maxLength: encodedLength };
const percentLength = (_call: FilterCall, text: string) => text.length * 9;

export const encodingFilters: Record<string, Filter> = {
  base64_decode: textOnly(decoding((text) => decodeBase64(text), { unitsPerCall: costs.encodedText })),
  base64_encode: textFilter((text) => encodeBase64(text), toBase64),
  base64_url_safe_decode: textOnly(
    decoding((text) => decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/")), {
      unitsPerCall: costs.encodedText,
    }),
  ),
  base64_url_safe_encode: textFilter((text) => encodeBase64(text).replaceAll("+", "-").replaceAll("/", "_"), toBase64),
  json: { arity: [0, 0], apply: ({ meter }, input) => toJson(meter, input) },
  url_decode: decoding(decodeUrl, { unitsPerChar: 4 * costs.convertedChar }),
  url_encode: textFilter((text) => encodeUrl(text.toWellFormed()), {
    unitsPerChar: 20,
    unitsPerCall: costs.encodedText,
    maxLength: percentLength,
  }),
};

/** A filter that refuses numbers, which cannot be encoded text. */
function textOnly(filter: Filter): Filter {
  return {
    ...filter,
    apply(call, input, ...args) {
      if (isNumber(input)) throw new LiquidError(`the input of \`${call.name}\` must be text`);
      return filter.apply(call, input, ...args);
    },
  };
}

/** A filter whose result is text, also when its input is markup, because nobody has escaped what was encoded. */
function decoding(...[decode, options]: Parameters<typeof textFilter>): Filter {
  const filter = textFilter(decode, options);
  return {
    ...filter,
    apply(call, input, ...args) {
      const decoded = filter.apply(call, input, ...args);
      return decoded instanceof Markup ? decoded.html : decoded;
    },
  };
}

/** Encodes everything but letters, digits and `-._~`. A space becomes `+`. */
function encodeUrl(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function encodeBase64(text: string): string {
  const bytes = encoder.encode(text);
  const characters: string[] = [];
  // A call takes a limited number of arguments, so the bytes are converted in parts.
  for (let start = 0; start < bytes.length; start += 8_192) {
    characters.push(String.fromCharCode(...bytes.subarray(start, start + 8_192)));
  }
  return btoa(characters.join(""));
}

function decodeBase64(text: string): string {
  try {
    return decoder.decode(base64Bytes(text));
  } catch {
    throw new LiquidError("the text is not base64");
  }
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new LiquidError("the text is not URL-encoded");
  }
}
