// Checks the name, the place and, for `@page`, the selector of an at-rule.
import type { CSSToken } from "@csstools/css-tokenizer";
import { withoutMarks } from "./liquid-marks.ts";
import type { BlockKind } from "./read-rules.ts";
import { quoted } from "../../../core/templates/styles/support/style-message.ts";
import { atRules, find, namesIn, supportProblem, unknownName } from "./browser-support.ts";
import type { Report } from "./check-scope.ts";

type AtRule = { name: string; index: number; prelude: CSSToken[]; parent: BlockKind };

const groups = new Set(["media", "container", "layer", "scope", "starting-style"]);
/** The content of the blocks of other rules. Blocks that are not listed are skipped. */
const blockKinds = new Map<string, BlockKind>([
  ["page", "page"],
  ["font-face", "font-face"],
  ["keyframes", "keyframes"],
  ["position-try", "style"],
]);

/** Returns how the block of the rule is read. What is inside a rule that Chromium ignores is not reported. */
export function checkAtRule({ name: written, index, prelude, parent }: AtRule, report: Report): BlockKind {
  const name = written.replace(/^-webkit-/, "");
  const problem = nameProblem(name);
  if (problem) {
    report(index, problem);
    return "skipped";
  }
  const isInsideRule = parent !== "rules";
  if (groups.has(name)) return isInsideRule ? "style" : "rules";
  if (isInsideRule && name !== "supports") {
    report(index, `Chromium ignores ${quoted(`@${name}`)} inside another rule; move it out of the rule`);
    return "skipped";
  }
  if (name === "page") checkPageSelector(prelude, index, report);
  return blockKinds.get(name) ?? "skipped";
}

function nameProblem(name: string): string | null {
  const shown = quoted(`@${name}`);
  const marginBox = find(find(atRules, "page"), `at_${name}`);
  if (marginBox) return `${supportProblem(marginBox, shown)}; put its content into ${marginFile(name)}`;
  if (name === "import") return `${shown} loads nothing; put the styles into style.css`;
  if (name === "footnote") return `Chromium does not support ${shown}; it has no footnotes`;
  const rule = find(atRules, name);
  return rule ? supportProblem(rule, shown) : unknownName(name, namesIn(atRules), shown, "@");
}

function marginFile(name: string): string {
  const files = { top: "header.liquid", bottom: "footer.liquid" };
  return name.startsWith("top")
    ? files.top
    : name.startsWith("bottom")
      ? files.bottom
      : `${files.top} or ${files.bottom}`;
}

/** Chromium ignores a rule with any other selector as a whole. */
function checkPageSelector(prelude: CSSToken[], index: number, report: Report): void {
  const selector = prelude.map(([, text]) => text).join("");
  if (!withoutMarks(prelude) || /^(?:[^\s:,]+)?(?:\s*$|:(?:first|left|right)$)/i.test(selector)) return;
  const forms = "`@page name`, `@page :first`, `@page :left`, `@page :right` and `@page name:first`";
  report(index, `Chromium ignores ${quoted(`@page ${selector}`)}; it supports ${forms}, one in each rule`);
}
