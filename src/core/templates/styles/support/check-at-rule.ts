// Checks the name, the place and, for `@page`, the selector of an at-rule.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { similarName } from "../../../similar-name.ts";
import { withoutMarks } from "./liquid-marks.ts";
import type { BlockKind } from "./read-rules.ts";
import { quoted, type Report } from "./style-message.ts";

type AtRule = { name: string; index: number; prelude: CSSToken[]; parent: BlockKind };

/** The at-rules that Chromium has known since 126, with the content of their blocks. */
const blockKinds: Record<string, BlockKind | "group"> = {
  media: "group",
  container: "group",
  layer: "group",
  scope: "group",
  "starting-style": "group",
  supports: "skipped",
  page: "page",
  "font-face": "font-face",
  keyframes: "keyframes",
  "-webkit-keyframes": "keyframes",
  "position-try": "style",
  "counter-style": "descriptors",
  property: "descriptors",
  "font-palette-values": "descriptors",
  "view-transition": "descriptors",
  "font-feature-values": "skipped",
  namespace: "skipped",
  // A browser skips it, and style.css is UTF-8 anyway.
  charset: "skipped",
};

/** Returns how the block of the rule is read. What is inside a rule that Chromium ignores is not reported. */
export function checkAtRule({ name, index, prelude, parent }: AtRule, report: Report): BlockKind {
  const side = marginSide(name);
  if (side) {
    report(index, `Chromium 127 and older do not know ${quoted(`@${name}`)}; put its content into ${side}`);
    return "skipped";
  }
  const kind = Object.hasOwn(blockKinds, name) ? blockKinds[name] : undefined;
  if (!kind) {
    report(index, unknownAtRule(name));
    return "skipped";
  }
  const isInsideRule = parent !== "rules";
  if (kind === "group") return isInsideRule ? "style" : "rules";
  if (isInsideRule && name !== "supports") {
    report(index, `Chromium ignores ${quoted(`@${name}`)} inside another rule; move it out of the rule`);
    return "skipped";
  }
  if (kind === "page") checkPageSelector(prelude, index, report);
  return kind;
}

/** The file that replaces a margin box of `@page`; null for any other name. */
function marginSide(name: string): string | null {
  const edge = /^(top|bottom)-(?:left|center|right)(?:-corner)?$/.exec(name)?.[1];
  if (edge) return edge === "top" ? "header.liquid" : "footer.liquid";
  return /^(?:left|right)-(?:top|middle|bottom)$/.test(name) ? "header.liquid or footer.liquid" : null;
}

function unknownAtRule(name: string): string {
  const shown = quoted(`@${name}`);
  if (name === "function") return `Chromium 131 and older do not know ${shown}`;
  if (name === "import") return `${shown} loads nothing; put the styles into style.css`;
  if (name === "footnote") return `Chromium does not know ${shown}; it has no footnotes`;
  if (toolRules.has(name)) return `Chromium does not know ${shown}, which belongs to a build tool; push the CSS that the tool makes`;
  const similar = similarName(name, Object.keys(blockKinds));
  return `Chromium does not know ${shown}${similar === null ? "" : `; did you mean \`@${similar}\`?`}`;
}

/** At-rules of Sass, Less, PostCSS and Tailwind. */
const toolRules = new Set(
  "apply at-root config custom-media custom-selector debug each else error extend for forward if include mixin nest return screen tailwind theme use utility variant variants warn while".split(
    " ",
  ),
);

const pageSelectors = new Set(["first", "left", "right"]);

/** Chromium accepts `@page`, `@page name`, `@page :first` and `@page name:first`. It ignores any other rule as a whole. */
function checkPageSelector(prelude: CSSToken[], index: number, report: Report): void {
  if (!withoutMarks(prelude)) return;
  const ignores = "so Chromium ignores the whole rule";
  for (const [at, token] of prelude.entries()) {
    const [type, , start] = token;
    if (type === TokenType.Comma) {
      return report(start, `\`@page\` has more than one selector, ${ignores}; write one rule for each`);
    }
    if (prelude[at - 1]?.[0] !== TokenType.Colon || (type !== TokenType.Ident && type !== TokenType.Function)) continue;
    const name = token[4].value.toLowerCase();
    if (type === TokenType.Ident && pageSelectors.has(name)) continue;
    const shown = quoted(`:${name}${type === TokenType.Function ? "()" : ""}`);
    return report(start - 1, `Chromium does not know the page selector ${shown} and ignores the whole rule; it knows \`:first\`, \`:left\` and \`:right\``);
  }
  const pattern = prelude.map(([type]) => (type === TokenType.Ident ? "n" : type === TokenType.Colon ? ":" : " ")).join("");
  if (!/^n?(?::n)?$/.test(pattern)) report(index, `the selector of \`@page\` is not valid, ${ignores}; write \`@page name:first\``);
}
