// Checks one piece of CSS: a style sheet, or the value of a `style` attribute. What is inside `@supports` is left out, because a
// template can use that to ask for what only some browsers support. The caller can stop after any message.
import type { Atrule, CssNode, Rule } from "css-tree";
import { hasMarks } from "colophon-liquid/marks";
import { quoted } from "colophon-base/quoted";
import { checkDeclarations } from "./check-declarations.ts";
import { atRuleProblem } from "./at-rule-problem.ts";
import type { BlockKind, CheckScope, StyleMessage } from "./check-scope.ts";
import { checkSelector } from "./check-selector.ts";
import { startOf, textOf } from "./css-syntax.ts";

/** At-rules whose blocks contain the same as the block around them. */
const groups = new Set(["media", "container", "layer", "scope"]);
/** The content of the blocks of other at-rules. Blocks that are not listed are not checked. */
const blockKinds = new Map<string, BlockKind>([
  ["page", "page"],
  ["font-face", "font-face"],
  ["position-try", "style"],
]);

/** Checks the rules and declarations in `parent`, which is a block or all of the CSS. */
export function* checkStyles(parent: CssNode, kind: BlockKind, scope: CheckScope): Generator<StyleMessage> {
  const items = "children" in parent && parent.children ? [...parent.children] : [];
  const declarations = items.filter((item) => item.type === "Declaration");
  yield* checkDeclarations(declarations, kind, scope);
  for (const item of items) {
    if (item.type === "Raw") yield* strayText(item.value, startOf(item), kind);
    if (item.type === "Rule") yield* checkRule(item, kind, scope);
    if (item.type === "Atrule") yield* checkAtRule(item, kind, scope);
  }
}

function* checkRule({ prelude, block }: Rule, kind: BlockKind, scope: CheckScope): Generator<StyleMessage> {
  // Other text may be a selector that css-tree does not know.
  if (prelude.type === "Raw" && /;|^\/\//.test(prelude.value)) yield* strayText(prelude.value, startOf(prelude), kind);
  if (prelude.type === "SelectorList" && !hasMarks(textOf(scope.css, prelude))) yield* checkSelector(prelude);
  yield* checkStyles(block, "style", scope);
}

/** What is inside a rule that Chromium ignores is not checked. */
function* checkAtRule(rule: Atrule, kind: BlockKind, scope: CheckScope): Generator<StyleMessage> {
  const name = rule.name.toLowerCase().replace(/^-webkit-/, "");
  const problem = atRuleProblem(name, rule.prelude);
  if (problem) return yield { index: startOf(rule), message: problem };
  const inside = groups.has(name) ? kind : blockKinds.get(name);
  if (inside && rule.block) yield* checkStyles(rule.block, inside, scope);
}

/** Reports text that is neither a rule nor a declaration. */
function* strayText(written: string, index: number, kind: BlockKind): Generator<StyleMessage> {
  const text = written.replace(/\s+/g, " ").replace(/ ?;+ ?$/, "");
  // Authors write hacks such as `*zoom: 1` on purpose.
  if (text !== "" && !text.startsWith("*") && !hasMarks(text)) yield { index, message: strayMessage(text, kind) };
}

function strayMessage(text: string, kind: BlockKind): string {
  if (text.startsWith("//")) return "CSS has no `//` comments, so Chromium ignores what follows; write `/* ... */`";
  if (text.startsWith(";")) return "a `;` before a rule makes Chromium ignore the rule; remove it";
  if (kind !== "rules")
    return `Chromium ignores ${quoted(text)}, because it is not a declaration of the form \`name: value\``;
  const declaration = quoted(text.replace(/;.*/, ""));
  return `Chromium ignores ${declaration} and the rule that follows, because declarations must be inside a rule`;
}
