// Checks one piece of CSS: a style sheet, or the value of a `style` attribute.
import type { CSSToken } from "@csstools/css-tokenizer";
import { referenceFunctions } from "../../../core/templates/styles/page-references.ts";
import { checkAtRule } from "./check-at-rule.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { checkSelector, noLineComments } from "./check-selector.ts";
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
      if (block === "style") for (const use of fontUses(declarations)) uses.push(use);
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
  const [first] = tokens;
  // Only the beginning is shown, so most of a long text need not be joined.
  const text = tokens
    .slice(0, 40)
    .map(([, part]) => part)
    .join("")
    .replace(/\s+/g, " ");
  // Authors write hacks such as `*zoom: 1` on purpose.
  if (first && withoutMarks(tokens) && first[1] !== "*") report(first[2], strayMessage(text, block === "rules"));
}

function strayMessage(text: string, isOutside: boolean): string {
  if (text.startsWith("//")) return noLineComments;
  if (text.startsWith(";")) return "a `;` before a rule makes Chromium ignore the rule; remove it";
  if (!isOutside)
    return `Chromium ignores ${quoted(text)}, because it is not a declaration of the form \`name: value\``;
  const declaration = quoted(text.replace(/;.*/, ""));
  return `Chromium ignores ${declaration} and the rule that follows, because declarations must be inside a rule`;
}
