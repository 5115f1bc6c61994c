// Converts values to text. The work and the size of the text are charged item by item while it is created, because a
// list can contain the same list many times.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Meter } from "../meter.ts";
import { isNumber, numberText } from "./numbers.ts";
import { EmptyValue, isNil, isRecord, Markup, Range, WithProperties } from "./value.ts";

/**
 * Returns a part of a string without keeping the whole string in memory, which a JavaScript slice would do. Parts under 13 characters
 * never refer to the whole, and parts of at least half of it may keep it.
 */
export function detached(part: string, whole: string): string {
  return part.length < 13 || part.length * 2 >= whole.length ? part : ` ${part}`.slice(1);
}

/** Escapes a string. Its new length is charged first. */
export function escapedText(meter: Meter, text: string): string {
  meter.chargeChars(text.length, costs.escapedChar);
  if (!/[&<>"']/.test(text)) return text;
  let growth = 0;
  for (let index = 0; index < text.length; index++) growth += escapeGrowth[text.charCodeAt(index)] ?? 0;
  meter.chargeChars(growth, costs.escapedChar);
  meter.allocateText(text.length + growth);
  return escapeHtml(text);
}

/** The number of characters that escaping adds to each special character, by character code. */
const escapeGrowth = Array.from({ length: 128 }, (_, code) => escapeHtml(String.fromCharCode(code)).length - 1);

export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&#34;")
    .replaceAll("'", "&#39;");
}

/** Returns the value as it is printed, without escaping. Lists are printed without separators, objects as JSON. */
export function toText(meter: Meter, value: unknown): string {
  if (typeof value === "string") return value;
  if (isNil(value)) return "";
  if (value instanceof Markup) return value.html;
  if (isNumber(value)) {
    meter.charge(costs.number);
    return numberText(value);
  }
  if (typeof value === "boolean") return String(value);
  const writer = new TextWriter(meter);
  writer.write(value, 0);
  return writer.text;
}

/** Returns the value as HTML: markup unchanged, even inside a list, and everything else escaped. */
export function toHtml(meter: Meter, value: unknown): string {
  if (value instanceof Markup) return value.html;
  if (!Array.isArray(value) && !(value instanceof WithProperties)) return escapedText(meter, toText(meter, value));
  const writer = new TextWriter(meter, { escapes: true });
  writer.write(value, 0);
  return writer.text;
}

export function toJson(meter: Meter, value: unknown): string {
  const writer = new TextWriter(meter);
  writer.writeJson(value, 0);
  return writer.text;
}

class TextWriter {
  readonly #text = new TextBuffer();
  readonly #meter: Meter;
  readonly #escapes: boolean;

  /** If `escapes` is true, `write` escapes everything except markup. */
  constructor(meter: Meter, { escapes = false } = {}) {
    this.#meter = meter;
    this.#escapes = escapes;
  }

  get text(): string {
    return this.#text.text;
  }

  write(value: unknown, depth: number): void {
    checkDepth(depth);
    this.#meter.charge(costs.step);
    if (value instanceof WithProperties) this.write(value.value, depth + 1);
    else if (Array.isArray(value)) for (const item of value) this.write(item, depth + 1);
    else if (value instanceof Range) this.#append(`${value.from}..${value.to}`);
    else if (this.#escapes && value instanceof Markup) this.#append(value.html);
    else if (this.#escapes) this.#append(escapedText(this.#meter, toText(this.#meter, value)));
    else if (isRecord(value)) this.writeJson(value, depth);
    else if (!(value instanceof EmptyValue)) this.#append(toText(this.#meter, value));
  }

  writeJson(value: unknown, depth: number): void {
    checkDepth(depth);
    this.#meter.charge(costs.step);
    if (isNil(value) || value instanceof EmptyValue) this.#append("null");
    else if (value instanceof WithProperties) this.writeJson(value.value, depth + 1);
    else if (Array.isArray(value)) this.#writeItems("[", value, "]", (item) => this.writeJson(item, depth + 1));
    else if (isRecord(value)) {
      this.#meter.charge(Object.keys(value).length * 2 * costs.step);
      this.#writeItems("{", Object.entries(value), "}", ([key, item]) => {
        this.#appendString(key);
        this.#append(":");
        this.writeJson(item, depth + 1);
      });
    } else if (typeof value === "string") this.#appendString(value);
    else if (value instanceof Markup) this.#appendString(value.html);
    else this.write(value, depth);
  }

  #writeItems<T>(open: string, items: T[], close: string, write: (item: T) => void): void {
    this.#append(open);
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#append(",");
      write(item);
    }
    this.#append(close);
  }

  #appendString(text: string): void {
    // A lone surrogate becomes six characters, and takes much longer than other characters.
    this.#meter.chargeChars(text.length, (text.isWellFormed() ? 2 : 10) * costs.convertedChar);
    this.#append(JSON.stringify(text));
  }

  #append(text: string): void {
    this.#meter.chargeChars(text.length, costs.copiedChar);
    this.#meter.allocateText(text.length);
    if (this.#text.length + text.length > maxPrintedChars) throw new LiquidError("a printed value is too long");
    this.#text.append(text);
  }
}

const maxPrintedChars = 2_000_000;

/** The maximum depth of nested lists and objects. */
const maxValueDepth = 100;

/** Throws when lists or objects are nested too deeply to be walked. */
export function checkDepth(depth: number): void {
  if (depth > maxValueDepth) throw new LiquidError(`a value is nested more than ${maxValueDepth} levels deep`);
}

/** The number of pieces that are kept before they are joined. */
const maxPieces = 1_000;

/**
 * A text that is written piece by piece. Its memory is proportional to its length: a JavaScript string alone would keep 32
 * bytes for each piece until it is read.
 */
export class TextBuffer {
  length = 0;
  #joined = "";
  readonly #pieces: string[] = [];

  append(piece: string): void {
    this.length += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length === maxPieces) this.#join();
  }

  get text(): string {
    this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined += this.#pieces.join("");
    this.#pieces.length = 0;
  }
}

export function characterCount(meter: Meter, text: string): number {
  meter.chargeChars(text.length, costs.convertedChar);
  return charactersIn(text);
}

/** Counts code points: JavaScript counts an emoji as two units. Charges nothing; the caller charges the work. */
export function charactersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += unitsAt(text, at)) count++;
  return count;
}

/** Returns the offset in units that is `count` characters after the offset `from`, or the end of the text. Charges nothing. */
export function unitOffset(text: string, from: number, count: number): number {
  let at = from;
  for (let index = 0; index < count && at < text.length; index++) at += unitsAt(text, at);
  return at;
}

function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
