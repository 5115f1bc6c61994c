// Converts CommonMark with tables and strikethrough to safe HTML: tags are shown as text, links may have only the
// schemes that are allowed in a PDF, and images may only be `data:` URIs. The conversion takes time in proportion to
// the length of the text, whatever the text contains.
import MarkdownIt from "markdown-it";

/** The maximum number of characters in one text, including its inlined images. */
export const maxMarkdownChars = 200_000;
/**
 * The maximum number of tokens. A token is the beginning or end of a block or cell, or a run of text. Prose has about
 * one token for every 30 characters.
 */
const maxTokens = 100_000;
/** The maximum depth of nested emphasis in one run of text. */
const maxDepth = 100;

// Nesting is limited because the renderer and the browser recurse on nested blocks. The parser treats anything deeper
// as text.
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 50 });
// The tokens are limited because the parser pads short rows to the width of the table's head, so a short text could
// produce gigabytes of tables.
parser.block.ruler.before("table", "budget", ({ tokens }) => {
  if (tokens.length > maxTokens) throw new Error("markdown has too many parts; use fewer or smaller tables");
  return false;
});
// The depth of emphasis is checked here, because `maxNesting` does not apply to emphasis.
parser.core.ruler.push("depth", ({ tokens }) => {
  for (const { children } of tokens) {
    let depth = 0;
    for (const { nesting } of children ?? []) {
      depth += nesting;
      if (depth > maxDepth) throw new Error(`markdown is nested more than ${maxDepth} levels deep`);
    }
  }
});
// The parser accepts every address. The rules below then remove a forbidden link but keep its text.
parser.validateLink = () => true;

const { rules } = parser.renderer;

rules["link_open"] = (tokens, index, options, _env, renderer) => {
  const link = tokens[index];
  const target = String(link?.attrGet("href") ?? "");
  return isLinkTarget(target) ? renderer.renderToken(tokens, index, options) : "<a>";
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
    throw new Error(
      `markdown accepts up to ${maxMarkdownChars.toLocaleString("en-US")} characters, got ${text.length}`,
    );
  }
  return parser.render(text);
}

function isLinkTarget(target: string): boolean {
  return /^(?:https?:|mailto:|tel:|#)/i.test(target);
}

function isInlineImage(source: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i.test(source);
}
