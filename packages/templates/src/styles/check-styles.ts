// Checks a piece of CSS: a style sheet, or the value of a `style` attribute. The content of `@supports` is skipped, because a template
// can use it for features that only some browsers support. The caller can stop after any message.
import { ident, type Atrule, type AtrulePrelude, type CssNode, type Raw, type Rule, type SelectorList } from "css-tree";
import { quoted } from "colophon-base/text";
import { hasMarks } from "colophon-liquid/marks";
import { atRules, find, namesIn, selectors, supportProblem, unknownName } from "./browser-support.ts";
import { checkBodyChildren, checkBodyLayout } from "./check-body.ts";
import { checkDeclarations } from "./check-declarations.ts";
import type { BlockKind, CheckScope, StyleMessage } from "./check-scope.ts";
import { placeholders } from "./check-value.ts";
import { nodesIn, startOf, textOf } from "./css-syntax.ts";
import { findForeign, foreignMessage } from "./foreign-css.ts";

/** At-rules whose blocks have the same type of content as the enclosing block. */
const groups = new Set(["media", "container", "layer", "scope"]);
/** The type of content in the blocks of other at-rules. Blocks that are not listed are not checked. */
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
  if (kind === "style" && scope.hasPageBoxes) yield* checkBodyLayout(declarations, scope);
  for (const item of items) {
    if (item.type === "Raw") yield* strayText(item.value, startOf(item), kind);
    if (item.type === "Rule") yield* checkRule(item, kind, scope);
    if (item.type === "Atrule") yield* checkAtRule(item, kind, scope);
  }
}

function* checkRule({ prelude, block }: Rule, kind: BlockKind, scope: CheckScope): Generator<StyleMessage> {
  // Other text may be a selector that css-tree does not support.
  if (prelude.type === "Raw" && /;|^\/\/|[<%]|\$(?!=)/.test(prelude.value))
    yield* strayText(prelude.value, startOf(prelude), kind);
  if (prelude.type === "SelectorList" && !hasMarks(textOf(scope.css, prelude))) yield* checkSelector(prelude);
  const selectors = textOf(scope.css, prelude).replaceAll("&", scope.selectors);
  if (scope.hasPageBoxes) yield* checkBodyChildren(selectors, startOf(prelude));
  if (/\bcontent\s*:(?!\s*(?:none|normal))/i.test(textOf(scope.css, block)))
    yield* checkGenerated(selectors, startOf(prelude));
  yield* checkStyles(block, "style", { ...scope, selectors });
}

/** Of the inputs, check boxes, dates and some others show generated content, so a selector with a type or a state is left alone. */
const emptyPseudo =
  /(?:^|[\s>+~])((input(?:[.#][\w-]+)*|(?:img|textarea|select|br|video|svg)[^\s>+~():]*)::?(?:before|after))$/i;

function* checkGenerated(selectors: string, index: number): Generator<StyleMessage> {
  for (const selector of selectors.split(",")) {
    const [, shown, subject = ""] = emptyPseudo.exec(selector.trim()) ?? [];
    const [tag] = /^\w+/.exec(subject) ?? [];
    if (shown)
      yield {
        index,
        message: `${quoted(shown)} prints nothing, because \`<${tag}>\` has no content; style an element around it`,
      };
  }
}

/** Checks an at-rule. The content of a rule that Chromium ignores is not checked. */
function* checkAtRule(rule: Atrule, kind: BlockKind, scope: CheckScope): Generator<StyleMessage> {
  const name = rule.name.toLowerCase().replace(/^-webkit-/, "");
  const problem = atRuleProblem(name, rule, scope);
  if (problem) return yield { index: startOf(rule), message: problem };
  const inside = groups.has(name) ? kind : blockKinds.get(name);
  if (inside && rule.block) yield* checkStyles(rule.block, inside, scope);
}

/** Reports text that is neither a rule nor a declaration. */
function* strayText(written: string, index: number, kind: BlockKind): Generator<StyleMessage> {
  const text = written
    .replace(/\s+/g, " ")
    .replace(/ ?;+ ?$/, "")
    .trim();
  // Authors write hacks such as `*zoom: 1` on purpose.
  if (text !== "" && !text.startsWith("*") && !hasMarks(text)) yield { index, message: strayMessage(text, kind) };
}

function strayMessage(text: string, kind: BlockKind): string {
  if (text.startsWith("//"))
    return "CSS has no `//` comments, so Chromium ignores the text that follows; write `/* ... */`";
  if (text.startsWith(";")) return "a `;` before a rule makes Chromium ignore the rule; remove it";
  if (/^[$#<%]/.test(text)) return `Chromium ignores ${quoted(text)}, because it is not CSS; ${placeholders}`;
  if (kind !== "rules")
    return `Chromium ignores ${quoted(text)}, because it is not a declaration of the form \`name: value\``;
  const declaration = quoted(text.replace(/;.*/, ""));
  const reason = text.includes(":") ? "declarations must be inside a rule" : "the text belongs to no rule";
  return `Chromium ignores ${declaration} and the rule that follows, because ${reason}`;
}

/** Reports selectors with an unknown part, because a browser ignores the whole rule. */
function* checkSelector(list: SelectorList): Generator<StyleMessage> {
  const parts = [...list.children].map((selector) =>
    nodesIn(selector, "ClassSelector", "PseudoClassSelector", "PseudoElementSelector"),
  );
  for (const node of parts.flat()) {
    const message = node.type === "ClassSelector" ? foreignMessage("selector", `.${node.name}`) : null;
    if (message) yield { index: startOf(node), message };
  }
  const all = parts.map((nodes) => nodes.filter((node) => node.type !== "ClassSelector"));
  // If every selector has a prefix, the rule is meant for a different browser. Otherwise, one prefix makes Chromium ignore the whole
  // rule.
  const isForOthers = all.every((pseudos) => pseudos.some(({ name }) => /^-(?!webkit-)/.test(name)));
  for (const pseudo of all.flat()) {
    const name = ident.decode(pseudo.name).toLowerCase();
    // Parts of a scroll bar have additional pseudo-classes.
    if (name.startsWith("-webkit-scrollbar")) return;
    if (name.startsWith("-webkit-") || (name.startsWith("-") && isForOthers)) continue;
    const colons = pseudo.type === "PseudoElementSelector" ? "::" : ":";
    const shown = quoted(`${colons}${name}${pseudo.children ? "()" : ""}`);
    const feature = find(selectors, name);
    const unsupported = () => unknownName(name, namesIn(selectors), shown, colons);
    const foreign = foreignMessage("selector", `${colons}${name}`, shown);
    const message = foreign ?? (feature ? supportProblem(feature, shown) : unsupported());
    if (message) yield { index: startOf(pseudo), message };
  }
}

/** Returns a message if Chromium ignores the rule; otherwise null. `name` is in lower case. */
function atRuleProblem(name: string, atRule: Atrule, { css }: CheckScope): string | null {
  const shown = quoted(`@${name}`);
  const marginBox = find(find(atRules, "page"), `at_${name}`);
  if (marginBox || /^(?:top|bottom|left|right)$/.test(name)) {
    const problem = marginBox ? supportProblem(marginBox, shown) : `Chromium does not support ${shown}`;
    const counters = textOf(css, atRule).match(/\bcounter\(pages?(?=[,)])/gi) ?? [];
    const numbers = [...new Set(counters)].map(
      (counter) => findForeign("function", `${counter.toLowerCase()})`)?.instead,
    );
    return [`${problem}; put its content into ${marginFile(name)}`, ...numbers].join("; ");
  }
  if (/^(?:keyframes|starting-style)$/.test(name)) return `${shown} has no effect, because documents are static`;
  const foreign = foreignMessage("at-rule", name, shown);
  if (foreign) return foreign;
  const rule = find(atRules, name);
  if (!rule) return unknownName(name, namesIn(atRules), shown, "@");
  return supportProblem(rule, shown) ?? (name === "page" ? pageSelectorProblem(atRule.prelude) : null);
}

function marginFile(name: string): string {
  if (name.startsWith("top")) return "header.liquid";
  return name.startsWith("bottom") ? "footer.liquid" : "header.liquid or footer.liquid";
}

/** Returns a problem for a selector with which Chromium ignores the whole rule. */
function pageSelectorProblem(prelude: AtrulePrelude | Raw | null): string | null {
  const selector = prelude?.type === "Raw" ? prelude.value.trim() : "";
  if (hasMarks(selector) || /^[^\s:,]*(?:$|:(?:first|left|right)$)/i.test(selector)) return null;
  const forms = "`@page name`, `@page :first`, `@page :left`, `@page :right` and `@page name:first`";
  const blank = /:blank/i.test(selector)
    ? "; blank pages show the elements of header.liquid with the class `blank-page`"
    : "";
  return `Chromium ignores ${quoted(`@page ${selector}`)}; it supports ${forms}, one in each rule${blank}`;
}
