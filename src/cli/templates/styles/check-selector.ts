// Checks the selector of a style rule. A browser ignores a rule whose selector has an unknown part.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { withoutMarks } from "./liquid-marks.ts";
import { quoted } from "../../../core/templates/styles/support/style-message.ts";
import { find, namesIn, selectors, supportProblem, unknownName } from "./browser-support.ts";
import type { CheckScope } from "./check-scope.ts";

export const noLineComments = "CSS has no `//` comments, so Chromium ignores what follows; write `/* ... */`";

export function checkSelector(selector: CSSToken[], { report, isFull }: CheckScope): void {
  const [first] = selector;
  if (!first || !withoutMarks(selector)) return;
  if (selector[0]?.[1] === "/" && selector[1]?.[1] === "/") {
    return report(first[2], noLineComments);
  }
  const isMixed = isForSeveralBrowsers(selector);
  for (const [at, token] of selector.entries()) {
    if (isFull()) return;
    const [type] = token;
    if (selector[at - 1]?.[0] !== TokenType.Colon || (type !== TokenType.Ident && type !== TokenType.Function))
      continue;
    const name = token[4].value.toLowerCase();
    // Parts of a scroll bar have pseudo-classes of their own.
    if (name.startsWith("-webkit-scrollbar")) return;
    // A rule with a prefix is meant for another browser. Beside selectors without one, it makes Chromium ignore those.
    if (name.startsWith("-webkit-") || (name.startsWith("-") && !isMixed)) continue;
    const colons = selector[at - 2]?.[0] === TokenType.Colon ? "::" : ":";
    const shown = quoted(`${colons}${name}${type === TokenType.Function ? "()" : ""}`);
    const feature = find(selectors, name);
    const problem = feature ? supportProblem(feature, shown) : unknownName(name, namesIn(selectors), shown, colons);
    if (problem) report(token[2] - colons.length, problem);
  }
}

/** Whether a list has selectors with prefixes of other browsers and selectors without. */
function isForSeveralBrowsers(selector: CSSToken[]): boolean {
  const commas = selector.filter(([type]) => type === TokenType.Comma).length;
  return commas >= selector.filter(([, text]) => /^-(?:moz|ms|o)-/i.test(text)).length;
}
