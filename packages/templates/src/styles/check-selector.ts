// Checks the selector of a style rule. A browser ignores a rule whose selector has an unknown part.
import { ident, type SelectorList } from "css-tree";
import { quoted } from "colophon-base/quoted";
import { find, namesIn, selectors, supportProblem, unknownName } from "./browser-support.ts";
import type { StyleMessage } from "./check-scope.ts";
import { nodesIn, startOf } from "./css-syntax.ts";

export function* checkSelector(list: SelectorList): Generator<StyleMessage> {
  const all = [...list.children].map((selector) => nodesIn(selector, "PseudoClassSelector", "PseudoElementSelector"));
  // With a prefix in every selector, the rule is meant for another browser. Otherwise one prefix makes Chromium ignore all of it.
  const isForOthers = all.every((pseudos) => pseudos.some(({ name }) => /^-(?!webkit-)/.test(name)));
  for (const pseudo of all.flat()) {
    const name = ident.decode(pseudo.name).toLowerCase();
    // Parts of a scroll bar have pseudo-classes of their own.
    if (name.startsWith("-webkit-scrollbar")) return;
    if (name.startsWith("-webkit-") || (name.startsWith("-") && isForOthers)) continue;
    const colons = pseudo.type === "PseudoElementSelector" ? "::" : ":";
    const shown = quoted(`${colons}${name}${pseudo.children ? "()" : ""}`);
    const feature = find(selectors, name);
    const message = feature ? supportProblem(feature, shown) : unknownName(name, namesIn(selectors), shown, colons);
    if (message) yield { index: startOf(pseudo), message };
  }
}
