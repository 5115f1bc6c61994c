// CommonMark with tables and strikethrough, as safe HTML: tags in the text are shown as text, links go only where a PDF may
// link, images are only those that the text itself holds. Time grows with the length of the text, whatever it is.
import MarkdownIt from "markdown-it";

/** Characters of one text; an image in it counts in full. */
export const maxMarkdownChars = 200_000;
/** Beginnings and ends of blocks and cells, and runs of text; prose has one in 30 characters. */
const maxTokens = 100_000;
/** Of emphasis in one run of text. */
const maxDepth = 100;

// The parser keeps what nests deeper as text: the renderer and the browser recurse on it.
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 50 });
// Short rows are filled up to the width of their table's head: many small tables make gigabytes of a little text.
parser.block.ruler.before("table", "budget", ({ tokens }) => {
  if (tokens.length > maxTokens) throw new Error("markdown has too many parts; use fewer or smaller tables");
  return false;
});
// Emphasis is paired up after the parser has counted levels.
parser.core.ruler.push("depth", ({ tokens }) => {
  for (const { children } of tokens) {
    let depth = 0;
    for (const { nesting } of children ?? []) {
      depth += nesting;
      if (depth > maxDepth) throw new Error(`markdown nests deeper than ${maxDepth}`);
    }
  }
});
// The rules below judge every address, so that text with a forbidden one still reads well.
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
    throw new Error(`markdown takes up to ${maxMarkdownChars.toLocaleString("en-US")} characters, got ${text.length}`);
  }
  return parser.render(text);
}

function isLinkTarget(target: string): boolean {
  return /^(?:https?:|mailto:|tel:|#)/i.test(target);
}

function isInlineImage(source: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i.test(source);
}
