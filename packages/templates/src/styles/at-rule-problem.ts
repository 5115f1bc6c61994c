// Checks the name and, for `@page`, the selector of an at-rule.
import type { AtrulePrelude, Raw } from "css-tree";
import { hasMarks } from "colophon-liquid/marks";
import { quoted } from "colophon-base/quoted";
import { atRules, find, namesIn, supportProblem, unknownName } from "./browser-support.ts";

/** Returns a message if Chromium ignores the rule; null otherwise. `name` is in lower case. */
export function atRuleProblem(name: string, prelude: AtrulePrelude | Raw | null): string | null {
  const shown = quoted(`@${name}`);
  const marginBox = find(find(atRules, "page"), `at_${name}`);
  if (marginBox) return `${supportProblem(marginBox, shown)}; put its content into ${marginFile(name)}`;
  if (/^(?:keyframes|starting-style)$/.test(name)) return `${shown} has no effect, because documents are static`;
  if (name === "footnote") return `Chromium does not support ${shown}; it has no footnotes`;
  const rule = find(atRules, name);
  if (!rule) return unknownName(name, namesIn(atRules), shown, "@");
  return supportProblem(rule, shown) ?? (name === "page" ? pageSelectorProblem(prelude) : null);
}

function marginFile(name: string): string {
  if (name.startsWith("top")) return "header.liquid";
  return name.startsWith("bottom") ? "footer.liquid" : "header.liquid or footer.liquid";
}

/** Chromium ignores a rule with any other selector as a whole. */
function pageSelectorProblem(prelude: AtrulePrelude | Raw | null): string | null {
  const selector = prelude?.type === "Raw" ? prelude.value.trim() : "";
  if (hasMarks(selector) || /^[^\s:,]*(?:$|:(?:first|left|right)$)/i.test(selector)) return null;
  const forms = "`@page name`, `@page :first`, `@page :left`, `@page :right` and `@page name:first`";
  return `Chromium ignores ${quoted(`@page ${selector}`)}; it supports ${forms}, one in each rule`;
}
