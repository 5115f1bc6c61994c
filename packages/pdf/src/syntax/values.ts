// The values of PDF objects, and their source. Source text is Latin-1: each character is one byte.
import { PdfError } from "./pdf-error.ts";

/** The name without its slash, with its escapes decoded. */
export type PdfName = { type: "name"; text: string };
export type PdfString = { type: "string"; text: string };
/** A reference to an object. The generation is always 0. */
export type PdfReference = { type: "reference"; number: number };
export type PdfDictionary = Map<string, PdfValue>;
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfReference | PdfValue[] | PdfDictionary;

export function name(text: string): PdfName {
  return { type: "name", text };
}

export function reference(number: number): PdfReference {
  return { type: "reference", number };
}

export function dictionaryOf(entries: Record<string, PdfValue>): PdfDictionary {
  return new Map(Object.entries(entries));
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map;
}

export function isName(value: PdfValue | undefined): value is PdfName {
  return hasType(value, "name");
}

export function isString(value: PdfValue | undefined): value is PdfString {
  return hasType(value, "string");
}

export function isReference(value: PdfValue | undefined): value is PdfReference {
  return hasType(value, "reference");
}

function hasType(value: PdfValue | undefined, type: string): boolean {
  return typeof value === "object" && value !== null && (value as { type?: string }).type === type;
}

export function sourceOf(value: PdfValue): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return numberSource(value);
  if (Array.isArray(value)) return `[${value.map(sourceOf).join(" ")}]`;
  if (isDictionary(value)) {
    let source = "<<";
    value.forEach((entry, key) => (source += `${nameSource(key)} ${sourceOf(entry)}`));
    return `${source}>>`;
  }
  if (value.type === "name") return nameSource(value.text);
  return value.type === "string" ? stringSource(value.text) : `${value.number} 0 R`;
}

/** Returns the source of a dictionary without its brackets. */
export function entriesSource(entries: PdfDictionary): string {
  return sourceOf(entries).slice("<<".length, -">>".length);
}

/** PDF has no exponents, so very small numbers are written with ten decimals. */
export function numberSource(value: number): string {
  if (!Number.isFinite(value)) throw new PdfError("a number is out of range");
  const text = String(value);
  return text.includes("e") ? value.toFixed(10) : text;
}

export function nameSource(text: string): string {
  return `/${/^[\w.+-]*$/.test(text) ? text : text.replace(/[^!-~]|[#()<>[\]{}/%]/g, escaped)}`;
}

function escaped(character: string): string {
  return `#${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Returns a literal string. Carriage returns are escaped, because readers would interpret them as line feeds. */
export function stringSource(text: string): string {
  return `(${text.replace(/[\\()]/g, "\\$&").replaceAll("\r", "\\r")})`;
}

/**
 * Returns the source of a text string. Text other than plain ASCII is written as UTF-16 with a byte order mark, in hexadecimal,
 * so that nothing needs escaping. Lone surrogates are replaced, because readers refuse them.
 */
export function textSource(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return stringSource(text);
  const wellFormed = text.toWellFormed();
  let digits = "FEFF";
  for (let at = 0; at < text.length; at++)
    digits += wellFormed.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return `<${digits}>`;
}

/** Returns a text string: plain ASCII, or UTF-16 with a byte order mark, one character for each byte. */
export function textString(text: string): PdfString {
  const isPlain = /^[\x20-\x7e]*$/.test(text);
  const utf16 = () => `\xfe\xff${Buffer.from(text.toWellFormed(), "utf16le").swap16().toString("latin1")}`;
  return { type: "string", text: isPlain ? text : utf16() };
}
