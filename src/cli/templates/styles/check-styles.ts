// Checks one piece of CSS: a style sheet, or the value of a `style` attribute.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { referenceFunctions } from "../../../core/templates/styles/page-references.ts";
import { checkAtRule } from "./check-at-rule.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { checkSelector } from "./check-selector.ts";
import { hasMarks } from "../../../core/liquid/syntax/liquid-marks.ts";
import { withoutMarks } from "./liquid-marks.ts";
import { addFontNames, fontUses, type FontNames, type FontUse } from "./missing-fonts.ts";
import { readRules, type BlockKind } from "./read-rules.ts";
import { quoted } from "../../../core/templates/styles/support/style-message.ts";
import type { CheckScope, Report, StyleMessage } from "./check-scope.ts";

/** `isStyleSheetFile` is true for `style.css` and for shared style sheets. */
export type StyleInput = { kind: "rules" | "style"; css: string; isStyleSheetFile: boolean };

export type CheckedStyles = { messages: StyleMessage[]; fontUses: FontUse[] };

/**
 * Returns at most `maxMessages` messages. Adds the families of `@font-face` rules to `fonts`. The fonts that the styles use
 * are checked once all are known.
 */
export function checkStyles(
  { kind, css, isStyleSheetFile }: StyleInput,
  fonts: FontNames,
  maxMessages: number,
): CheckedStyles {
  const messages: StyleMessage[] = [];
  const uses: FontUse[] = [];
  const isFull = () => messages.length >= maxMessages;
  const report: Report = (index, message) => {
    if (!isFull()) messages.push({ index, message });
  };
  const references = isStyleSheetFile ? supportedReferences(css) : null;
  const scope: CheckScope = { report, isFull, references };
  readRules(css, kind, {
    rule: (selector) => checkSelector(selector, scope),
    atRule: (rule) => checkAtRule(rule, report),
    declarations(block, declarations) {
      checkDeclarations(block, declarations, scope);
      if (block === "font-face") addFontNames(declarations, fonts);
      if (block === "style") for (const use of fontUses(declarations, fonts)) uses.push(use);
    },
    stray: (tokens, block) => reportStray(tokens, block, report),
    unclosed(index) {
      // With Liquid in the styles, the bracket may be closed in a branch, or by an output.
      if (!hasMarks(css)) report(index, "this bracket is never closed, so Chromium ignores everything after it");
    },
  });
  return { messages, fontUses: uses };
}

function supportedReferences(css: string): ReadonlySet<number> {
  return new Set(referenceFunctions(css).flatMap(({ start, name }) => (name === null ? [] : [start])));
}

function reportStray(tokens: CSSToken[], block: BlockKind, report: Report): void {
  const [first, second] = tokens;
  // Authors write hacks such as `*zoom: 1` on purpose.
  if (!first || !withoutMarks(tokens) || first[1] === "*") return;
  const [type, , index] = first;
  const isSlash = (token: CSSToken | undefined) => token?.[0] === TokenType.Delim && token[1] === "/";
  const loses = block === "rules" ? "the rule that follows" : "the declaration that follows";
  if (isSlash(first) && isSlash(second)) {
    report(index, `CSS has no \`//\` comments, so Chromium ignores ${loses}; write \`/* ... */\``);
  } else if (type === TokenType.Semicolon) {
    report(index, "a `;` before a rule makes Chromium ignore the rule; remove it");
  } else if (block === "rules") {
    const end = tokens.findIndex(([type]) => type === TokenType.Semicolon);
    const declaration = textOf(end < 0 ? tokens : tokens.slice(0, end));
    report(index, `Chromium ignores ${declaration} and the rule that follows, because declarations must be inside a rule`);
  } else {
    report(index, `Chromium ignores ${textOf(tokens)}, because it is not a declaration of the form \`name: value\``);
  }
}

function textOf(tokens: CSSToken[]): string {
  // Only the beginning is shown, so most of a long text need not be joined.
  return quoted(tokens.slice(0, 40).map(([, text]) => text).join("").replace(/\s+/g, " "));
}
