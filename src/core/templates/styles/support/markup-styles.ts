// Finds the styles in a Liquid file: the `<style>` elements and `style` attributes in its static text.
import { withMarks } from "../../../liquid/syntax/liquid-marks.ts";

/** `start` is the position of the styles in the file. Line ends are where they are in the file. */
export type MarkupStyles = { kind: "rules" | "style"; css: string; start: number };

/** `source` must be a valid Liquid file. */
export function markupStyles(source: string): MarkupStyles[] {
  const found: MarkupStyles[] = [];
  const markup = withMarks(source);
  // Only ASCII letters, because others can change their number when their case changes.
  const lower = markup.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  for (let at = markup.indexOf("<"); at >= 0; at = markup.indexOf("<", at)) {
    if (markup.startsWith("<!--", at)) {
      at = endOf(lower, "-->", at + 4);
      continue;
    }
    const name = tagName(lower, at);
    at++;
    if (name === null) continue;
    at = readAttributes(markup, at + name.length, found);
    const end = rawTextElements.has(name) ? indexOf(lower, `</${name}`, at) : at;
    if (name === "style") found.push({ kind: "rules", css: markup.slice(at, end), start: at });
    at = end;
  }
  return found;
}

/** Elements whose content is text rather than markup. */
const rawTextElements = new Set(["style", "script", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]);

function tagName(lower: string, at: number): string | null {
  const name = /[a-z][^\s/>]*/y;
  name.lastIndex = at + 1;
  return name.exec(lower)?.[0] ?? null;
}

/** Adds the values of `style` attributes, and returns the position behind the tag. */
function readAttributes(markup: string, start: number, found: MarkupStyles[]): number {
  const attribute = /[\s/]*(?:(>)|([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?|=)/dy;
  attribute.lastIndex = start;
  for (let match = attribute.exec(markup); match; match = attribute.exec(markup)) {
    const [, end, name = "", ...values] = match;
    if (end) break;
    const value = values.findIndex((text) => text !== undefined);
    const position = match.indices?.[value + 3]?.[0];
    if (!/^\P{L}*style$/iu.test(name) || position === undefined) continue;
    found.push({ kind: "style", css: decoded(values[value] ?? ""), start: position });
  }
  return attribute.lastIndex || markup.length;
}

/** Decodes the character references that occur in styles. None of them contains a line end. */
function decoded(value: string): string {
  return value.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(quot|apos|amp|lt|gt));/gi, (reference, decimal, hex, name) => {
    if (name) return namedCharacters[String(name).toLowerCase()] ?? reference;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
  });
}

const namedCharacters: Record<string, string> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };

function indexOf(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}

function endOf(text: string, part: string, from: number): number {
  return Math.min(indexOf(text, part, from) + part.length, text.length);
}
