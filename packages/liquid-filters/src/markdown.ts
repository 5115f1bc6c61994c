// Converts CommonMark with tables and strikethrough to safe HTML. Tags are shown as text, links may only use the
// schemes that are allowed in a PDF, and images must be `data:` URIs. The conversion takes time in proportion to the
// input's length, whatever the input.
import MarkdownIt from "markdown-it";
import { isInlineImage } from "colophon-base/image-uri";
import { filter, type Filter, isPrintable } from "colophon-liquid/filter";
import { LiquidError } from "colophon-liquid/liquid";
import { maxTextChars } from "colophon-liquid/meter";
import { Markup, toText } from "colophon-liquid/values";

/** The maximum number of characters in one input, including inlined images. */
export const maxMarkdownChars = 200_000;
/**
 * The maximum number of tokens. A token is the beginning or end of a block or cell, or a run of text. Prose has about
 * one token per 30 characters.
 */
const maxTokens = 100_000;
/** The maximum depth of nested emphasis in one run of text. */
const maxDepth = 100;

// Nesting is limited because the renderer and the browser recurse. The parser treats blocks that are nested more deeply
// as text.
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 50 });
// The number of tokens is limited, because the parser adds empty cells to rows that are shorter than the table head.
// Otherwise, a short input could produce gigabytes of cells.
parser.block.ruler.before("table", "budget", ({ tokens }) => {
  if (tokens.length > maxTokens) throw new LiquidError("markdown has too many parts; use fewer or smaller tables");
  return false;
});
// The depth of emphasis is checked here, because `maxNesting` does not apply to it. The lengths of link addresses and titles
// are added up before they are written, because thousands of references can share a long one.
parser.core.ruler.push("depth", ({ tokens }) => {
  let attributeChars = 0;
  for (const { children } of tokens) {
    let depth = 0;
    for (const { nesting, attrs } of children ?? []) {
      depth += nesting;
      if (depth > maxDepth) throw new LiquidError(`markdown is nested more than ${maxDepth} levels deep`);
      for (const [, value] of attrs ?? []) attributeChars += String(value).length;
      if (attributeChars > maxTextChars) throw new LiquidError("markdown repeats links or images that are too long");
    }
  }
});
// The parser may accept every address, because the rules below remove forbidden links and keep their text.
parser.validateLink = () => true;

const { rules } = parser.renderer;

rules["link_open"] = (tokens, index, options, _env, renderer) => {
  const link = tokens[index];
  const target = String(link?.attrGet("href") ?? "");
  return /^(?:https?:|mailto:|tel:|#)/i.test(target) ? renderer.renderToken(tokens, index, options) : "<a>";
};

rules["image"] = (tokens, index, options, env, renderer) => {
  const image = tokens[index];
  const description = renderer.renderInlineAsText(image?.children ?? [], options, env);
  if (!isInlineImage(String(image?.attrGet("src") ?? ""))) return parser.utils.escapeHtml(description);
  image?.attrSet("alt", description);
  return renderer.renderToken(tokens, index, options);
};

export function markdownHtml(text: string): string {
  if (text.length > maxMarkdownChars) {
    const maximum = maxMarkdownChars.toLocaleString("en-US");
    throw new LiquidError(`markdown accepts up to ${maximum} characters, got ${text.length}`);
  }
  return parser.render(text);
}

export const markdownFilters: Record<string, Filter> = {
  /** `{{ notes | markdown }}`: CommonMark with tables and strikethrough; HTML tags are shown as text. */
  markdown: filter([0, 0], ({ meter }, input) => {
    const text = isPrintable(input) ? toText(meter, input) : "";
    // Charges the call, each character, each character that can have a special meaning, such as `*`, `|` or a line break, and each cell
    // that is added to a row shorter than its table head.
    meter.charge(1_500);
    meter.chargeChars(text.length, 60);
    meter.charge((signsIn(text) + missingCells(text)) * 700);
    const html = markdownHtml(text);
    meter.allocateText(html.length);
    return new Markup(html);
  }),
};

/** Returns the number of characters that can have a special meaning in Markdown. */
function signsIn(text: string): number {
  return text.match(/[^\p{L}\p{N} ]/gu)?.length ?? 0;
}

/** Returns the maximum number of missing cells, if each paragraph is a table as wide as its widest line. */
function missingCells(text: string): number {
  let cells = 0;
  for (const paragraph of text.split(/(?:\r\n?|\n)[^\S\r\n]*(?=[\r\n])/)) {
    const widths = paragraph.split(/\r\n?|\n/).map((line) => line.split("|").length);
    const widest = widths.reduce((most, width) => Math.max(most, width), 0);
    cells += widths.reduce((sum, width) => sum + widest - width, 0);
  }
  return cells;
}
