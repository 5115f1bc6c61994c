// Checks the properties of a block, and the descriptors of `@page` and `@font-face`.
import { withoutMarks } from "./liquid-marks.ts";
import type { BlockKind, Declaration } from "./read-rules.ts";
import { quoted } from "../../../core/templates/styles/support/style-message.ts";
import { atRules, find, namesIn, prefixedName, properties, supportProblem, unknownName } from "./browser-support.ts";
import type { CheckScope } from "./check-scope.ts";
import { checkValue } from "./check-value.ts";
import { standardName } from "./value-syntax.ts";

/** Checks the declarations of one block. Those whose values contain Liquid are left out. */
export function checkDeclarations(kind: BlockKind, declarations: Declaration[], scope: CheckScope): void {
  if (kind === "skipped") return;
  const last = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const names = new Set(last.keys());
  for (const declaration of declarations) {
    if (scope.isFull()) return;
    const { name, index, value } = declaration;
    if (!withoutMarks(value)) continue;
    const isCustom = name.startsWith("--");
    const problem = isCustom ? null : problemOf(kind, declaration, names);
    if (problem) scope.report(index, problem);
    // Values before the last one are meant for other browsers.
    else if (value.length > 0 && kind !== "font-face" && last.get(name) === declaration) checkValue(declaration, scope);
  }
}

function problemOf(kind: BlockKind, { name, value }: Declaration, names: ReadonlySet<string>): string | null {
  if (value.length === 0) return `Chromium ignores ${quoted(name)}, because it has no value`;
  if (kind === "font-face") return descriptorProblem(name);
  if (kind === "page" && /^(?:margin(?:-.+)?|size|page-orientation)$/.test(name)) return null;
  const problem = propertyProblem(name, names);
  if (problem || kind !== "page") return problem;
  return `Chromium 130 and older ignore ${quoted(name)} in \`@page\`, which takes only \`size\`, \`margin\` and \`page-orientation\`; style \`.page\` instead`;
}

function descriptorProblem(name: string): string | null {
  const shown = `the descriptor ${quoted(name)} of \`@font-face\``;
  const fontFace = find(atRules, "font-face") ?? {};
  const feature = find(fontFace, name);
  return feature ? supportProblem(feature, shown) : unknownName(name, namesIn(fontFace), shown);
}

/** `names` are the properties of the same block. */
function propertyProblem(written: string, names: ReadonlySet<string>): string | null {
  const shown = `the property ${quoted(written)}`;
  const advice = adviceFor(written);
  if (advice) return `Chromium does not support ${shown}; ${advice}`;
  // Authors write these on purpose, for browsers that have them.
  if (/^_|^-webkit-/.test(written)) return null;
  if (written.startsWith("-")) return prefixProblem(written, shown, names);
  const name = standardName(written);
  const feature = find(properties, name);
  if (!feature) return names.has(`-webkit-${name}`) ? null : unknownName(name, namesIn(properties), shown);
  const problem = supportProblem(feature, shown);
  const prefixed = problem ? prefixedName(feature, name) : null;
  if (prefixed === null) return problem;
  return names.has(prefixed) ? null : `${problem}; add ${quoted(prefixed)}`;
}

/** A property for another browser is a mistake only if the block lacks the one that Chromium supports. */
function prefixProblem(written: string, shown: string, names: ReadonlySet<string>): string | null {
  const standard = /^-(?:moz|ms|o|khtml)-(.+)$/.exec(written)?.[1] ?? "";
  const feature = find(properties, standard);
  if (!feature || supportProblem(feature, "") || names.has(standard) || names.has(`-webkit-${standard}`)) return null;
  return `Chromium does not support ${shown}; write ${quoted(standard)}`;
}

const otherEngines = /^(?:-(?:ah|prince|pdf|ro|weasy|fs|xhtml2pdf)-|(?:prince|pdf|mso)-)/;

/** What to write instead of a property of other print engines; null for other properties. */
function adviceFor(name: string): string | null {
  if (name === "string-set") return "put running titles into header.liquid or footer.liquid";
  if (name.startsWith("bookmark-")) return "headings become bookmarks by themselves";
  if (name.startsWith("footnote-")) return "it has no footnotes";
  if (name === "bleed" || name === "marks") return "it prints no bleed or crop marks";
  return otherEngines.test(name) ? "it belongs to another program" : null;
}
