// Filters that create or clean HTML, and filters that encode and decode base64, URLs and JSON. The HTML that they return is not escaped
// again.
import { base64Bytes } from "colophon-base/encoding";
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import { isNumber } from "../values/numbers.ts";
import { escapedText, toHtml, toJson, toText } from "../values/text.ts";
import { Markup } from "../values/value.ts";
import { filter, type Filter, type FilterCall, textFilter } from "./filter.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const base64Length = (_call: FilterCall, text: string) => text.length * 4 + 4;
const toBase64 = { unitsPerChar: 24, unitsPerCall: costs.encodedText, maxLength: base64Length };

export const markupFilters: Record<string, Filter> = {
  base64_decode: decodingBase64(decodeBase64),
  base64_encode: textFilter(encodeBase64, toBase64),
  base64_url_safe_decode: decodingBase64((text) => decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"))),
  base64_url_safe_encode: textFilter((text) => encodeBase64(text).replaceAll("+", "-").replaceAll("/", "_"), toBase64),
  json: filter([0, 0], ({ meter }, input) => toJson(meter, input)),
  url_decode: decoding(decodeUrl, { unitsPerChar: 4 * costs.convertedChar }),
  url_encode: textFilter((text) => encodeUrl(text.toWellFormed()), {
    unitsPerChar: 20,
    unitsPerCall: costs.encodedText,
    maxLength: (_call, text) => text.length * 9,
  }),
  /** Markup is returned unchanged, so that nothing is escaped twice. */
  escape: filter([0, 0], ({ meter }, input) => new Markup(toHtml(meter, input))),
  escape_once: filter([0, 0], ({ meter }, input) => {
    const text = toText(meter, input);
    meter.chargeChars(text.length, costs.escapedChar);
    return new Markup(escapedText(meter, text).replace(/&amp;(?=(?:[a-z]+|#\d+|#x[\da-f]+);)/gi, "&"));
  }),
  newline_to_br: filter([0, 0], ({ meter }, input) => {
    const html = toHtml(meter, input);
    meter.chargeChars(html.length, costs.convertedChar);
    meter.allocateText(html.length * 7);
    return new Markup(html.replaceAll("\r\n", "\n").replaceAll("\n", "<br />\n"));
  }),
  /** `{{ html | raw }}` prints text unescaped. */
  raw: filter([0, 0], ({ meter }, input) => new Markup(toText(meter, input))),
  strip_html: textFilter(stripHtml, { unitsPerChar: 4 * costs.convertedChar }),
};

/** A filter that decodes base64 and refuses numbers, which cannot be encoded text. */
function decodingBase64(decode: (text: string) => string): Filter {
  const { apply } = decoding(decode, { unitsPerCall: costs.encodedText });
  return filter([0, 0], (call, input) => {
    if (isNumber(input)) throw new LiquidError(`the input of \`${call.name}\` must be text`);
    return apply(call, input);
  });
}

/** A filter whose result is plain text even if its input is markup, because the decoded text has not been escaped. */
function decoding(...[decode, options]: Parameters<typeof textFilter>): Filter {
  const { apply } = textFilter(decode, options);
  return filter([0, 0], (call, input) => {
    const decoded = apply(call, input);
    return decoded instanceof Markup ? decoded.html : decoded;
  });
}

/** Encodes everything except letters, digits and `-._~`. A space becomes `+`. */
function encodeUrl(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function encodeBase64(text: string): string {
  const bytes = encoder.encode(text);
  const characters: string[] = [];
  // The number of arguments of a call is limited, so the bytes are converted in parts.
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

/** Removes tags and comments, and removes scripts and styles together with their contents. */
function stripHtml(text: string): string {
  let result = "";
  let position = 0;
  // The last closing tags are found in advance, so that the text is not searched again after every unclosed element.
  const closings = ["script", "style"].map((name) => ({ name, last: text.lastIndexOf(`</${name}>`) }));
  for (let open = text.indexOf("<"); open >= 0; open = text.indexOf("<", position)) {
    const end = endOfMarkup(text, open, closings);
    // If a `<` has no matching end, it and everything after it is text.
    if (end < 0) break;
    result += text.slice(position, open);
    position = end;
  }
  return result + text.slice(position);
}

function endOfMarkup(text: string, open: number, closings: { name: string; last: number }[]): number {
  if (text.startsWith("<!--", open)) return endAfter(text, "-->", open + 4);
  for (const { name, last } of closings) {
    const isOpening = text.slice(open + 1, open + 1 + name.length).toLowerCase() === name;
    if (isOpening && last > open) return endAfter(text, `</${name}>`, open);
  }
  return endAfter(text, ">", open);
}

function endAfter(text: string, searched: string, from: number): number {
  const at = text.indexOf(searched, from);
  return at < 0 ? -1 : at + searched.length;
}
