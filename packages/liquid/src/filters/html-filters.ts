// Filters that make or clean HTML. Their results are markup, so they are not escaped again.
import { costs } from "../costs.ts";
import { escapedText, toHtml, toText } from "../values/text.ts";
import { Markup } from "../values/value.ts";
import { textFilter, type Filter } from "./filter.ts";

export const htmlFilters: Record<string, Filter> = {
  /** Markup is returned unchanged, so that nothing is escaped twice. */
  escape: { arity: [0, 0], apply: ({ meter }, input) => new Markup(toHtml(meter, input)) },
  escape_once: {
    arity: [0, 0],
    apply({ meter }, input) {
      const text = toText(meter, input);
      meter.chargeChars(text.length, costs.escapedChar);
      return new Markup(escapedText(meter, text).replace(/&amp;(?=(?:[a-z]+|#\d+|#x[\da-f]+);)/gi, "&"));
    },
  },
  newline_to_br: {
    arity: [0, 0],
    apply({ meter }, input) {
      const html = toHtml(meter, input);
      meter.chargeChars(html.length, costs.convertedChar);
      meter.allocateText(html.length * 7);
      return new Markup(html.replaceAll("\r\n", "\n").replaceAll("\n", "<br />\n"));
    },
  },
  /** `{{ html | raw }}` prints text unescaped. */
  raw: { arity: [0, 0], apply: ({ meter }, input) => new Markup(toText(meter, input)) },
  strip_html: textFilter(stripHtml, { unitsPerChar: 4 * costs.convertedChar }),
};

/** Removes tags and comments, and removes scripts and styles together with their contents. */
function stripHtml(text: string): string {
  let kept = "";
  let position = 0;
  // The last closing tags are found in advance, so that the text is not searched again for every unclosed element.
  const closings = ["script", "style"].map((name) => ({ name, last: text.lastIndexOf(`</${name}>`) }));
  for (let open = text.indexOf("<"); open >= 0; open = text.indexOf("<", position)) {
    const end = endOfMarkup(text, open, closings);
    // A `<` without a matching end is text, and so is everything after it.
    if (end < 0) break;
    kept += text.slice(position, open);
    position = end;
  }
  return kept + text.slice(position);
}

type Closing = { name: string; last: number };

function endOfMarkup(text: string, open: number, closings: Closing[]): number {
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
