// Checks the selector of a style rule. A browser ignores a rule whose selector has an unknown part.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { nameProblem } from "./names/known-names.ts";
import { withoutMarks } from "./liquid-marks.ts";
import { quoted, type CheckScope } from "./style-message.ts";

export function checkSelector(selector: CSSToken[], { report, isFull }: CheckScope): void {
  const [first] = selector;
  if (!first || !withoutMarks(selector)) return;
  if (selector[0]?.[1] === "/" && selector[1]?.[1] === "/") {
    report(first[2], "CSS has no `//` comments, so Chromium ignores the rule that follows; write `/* ... */`");
    return;
  }
  const isList = selector.some(([type]) => type === TokenType.Comma);
  for (const [at, token] of selector.entries()) {
    if (isFull()) return;
    const [type] = token;
    if (selector[at - 1]?.[0] !== TokenType.Colon || (type !== TokenType.Ident && type !== TokenType.Function)) continue;
    const isElement = selector[at - 2]?.[0] === TokenType.Colon;
    const name = token[4].value.toLowerCase();
    // Chromium accepts any pseudo-element with this prefix.
    if (isElement && name.startsWith("-webkit-")) continue;
    // The rule is meant for another browser. In a list, however, such a selector makes Chromium ignore the other selectors.
    if (/^-(?:moz|ms|o)-/.test(name) && !isList) continue;
    const written = `${isElement ? "::" : ":"}${name}${type === TokenType.Function ? "()" : ""}`;
    const display = { shown: quoted(written), prefix: isElement ? "::" : ":", ignored: "the rule" };
    const problem = nameProblem(isElement ? "pseudoElements" : "pseudoClasses", name, display);
    if (problem) report(token[2] - (isElement ? 2 : 1), problem);
  }
}
