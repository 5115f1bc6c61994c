// Checks the properties of a block, and the descriptors of `@page` and `@font-face`.
import { ident, type Declaration } from "css-tree";
import { quoted } from "colophon-base/text";
import { hasMarks } from "colophon-liquid/marks";
import {
  atRules,
  find,
  isPrefixPartial,
  namesIn,
  prefixedName,
  properties,
  supportProblem,
  unknownName,
} from "./browser-support.ts";
import { type BlockKind, type CheckScope, type StyleMessage, areInline } from "./check-scope.ts";
import { checkValue } from "./check-value.ts";
import { nodesIn, startOf, textOf } from "./css-syntax.ts";
import { findForeign, type ForeignCss } from "./foreign-css.ts";

/** Older names of properties that the libraries lack, or take from older specifications. */
const standardNames = new Map([
  ["color-adjust", "print-color-adjust"],
  ["word-wrap", "overflow-wrap"],
  ["grid-gap", "gap"],
  ["grid-row-gap", "row-gap"],
  ["grid-column-gap", "column-gap"],
]);

/** Checks the declarations of a block. Declarations that contain Liquid are skipped. */
export function* checkDeclarations(
  declarations: Declaration[],
  kind: BlockKind,
  scope: CheckScope,
): Generator<StyleMessage> {
  const named = declarations.map((declaration) => [nameOf(declaration), declaration] as const);
  const last = new Map(named);
  for (const [name, declaration] of named) {
    // The value of a custom property is not used directly, and authors write hacks such as `*zoom` on purpose.
    if (/^(?:--(?!pagedjs-)|[*_$+#&])/.test(declaration.property) || hasMarks(textOf(scope.css, declaration))) continue;
    const isEmpty = textOf(scope.css, declaration.value) === "";
    const problem =
      partialProblem(name, last, scope) ??
      problemOf(name, kind, last) ??
      (last.get(name) === declaration ? valueProblem(name, kind, declaration, scope) : null);
    const message = isEmpty ? `Chromium ignores ${quoted(name)}, because it has no value` : problem;
    if (message) yield { index: startOf(declaration), message };
    // Values before the last one are meant for other browsers.
    else if (kind !== "font-face" && !name.startsWith("-") && last.get(name) === declaration)
      yield* checkValue(name, declaration.value, scope);
  }
}

function nameOf({ property }: Declaration): string {
  const name = ident.decode(property).toLowerCase();
  return standardNames.get(name) ?? name;
}

/** `names` are the properties in the same block. */
type Names = { has(name: string): boolean };

function problemOf(name: string, kind: BlockKind, names: Names): string | null {
  if (kind === "font-face") return descriptorProblem(name);
  if (kind === "page" && /^(?:margin(?:-.+)?|size|page-orientation)$/.test(name)) return null;
  const problem = propertyProblem(name, names);
  if (problem || kind !== "page") return problem;
  const foreign = findForeign("page", name);
  if (foreign) return `${quoted(name)} in \`@page\` has no effect; ${foreign.instead}`;
  return `Chromium 130 and older ignore ${quoted(name)} in \`@page\`, which takes only \`size\`, \`margin\` and \`page-orientation\`; style \`.page\`, or the element of one page, instead`;
}

/** Returns a message about a value that every Chromium accepts, but that no template can want. */
function valueProblem(name: string, kind: BlockKind, { value }: Declaration, { css }: CheckScope): string | null {
  const isOld = (source: string) => /\.eot\b|format\(\s*["']?svg\b/i.test(source);
  if (kind === "font-face" && name === "src" && textOf(css, value).split(",").every(isOld))
    return "Chromium does not read EOT and SVG fonts; put a WOFF2 file into assets/";
  const isPageMargin = kind === "page" && name.startsWith("margin");
  if (isPageMargin && nodesIn(value, "Dimension", "Percentage").some((length) => Number(length.value) < 0))
    return `a negative ${quoted(name)} of \`@page\` puts content outside the paper, where it is cut off; write 0`;
  return null;
}

function descriptorProblem(name: string): string | null {
  const shown = `the descriptor ${quoted(name)} of \`@font-face\``;
  const fontFace = find(atRules, "font-face") ?? {};
  const feature = find(fontFace, name);
  return feature ? supportProblem(feature, shown) : unknownName(name, namesIn(fontFace), shown);
}

function propertyProblem(name: string, names: Names): string | null {
  const shown = `the property ${quoted(name)}`;
  if (/^(?:-webkit-)?(?:animation|transition)(?:-|$)/.test(name))
    return `${shown} has no effect, because documents are static`;
  if (name.startsWith("-webkit-")) return null;
  const feature = find(properties, name);
  const foreign = feature ? undefined : findForeign("property", name);
  if (foreign) return foreignProblem(name, foreign, names);
  if (name.startsWith("-")) return prefixProblem(name, shown, names);
  if (!feature) return names.has(`-webkit-${name}`) ? null : unknownName(name, namesIn(properties), shown);
  const problem = supportProblem(feature, shown);
  const prefixed = problem ? prefixedName(feature, name) : null;
  if (prefixed === null) return problem;
  return names.has(prefixed) ? null : `${problem}; add ${quoted(prefixed)}`;
}

/** In older versions, a few properties with a prefix act only on inline boxes. */
function partialProblem(name: string, names: ReadonlyMap<string, Declaration>, scope: CheckScope): string | null {
  const standard = name.replace(/^-webkit-/, "");
  const feature = find(properties, standard);
  const problem = feature ? supportProblem(feature, `the property ${quoted(standard)}`) : null;
  if (!feature || problem === null || !isPrefixPartial(feature) || (name !== standard && names.has(standard)))
    return null;
  const display = names.get("display");
  const isInline = display && textOf(scope.css, display.value) === "inline";
  return isInline || areInline(scope.selectors, scope.tags)
    ? null
    : `${problem}, and with a prefix only on inline boxes`;
}

/** A property for a different browser is a mistake only if the block lacks the property that Chromium supports. */
function prefixProblem(name: string, shown: string, names: Names): string | null {
  const standard = /^-(?:moz|ms|o|khtml)-(.+)$/.exec(name)?.[1] ?? "";
  const feature = find(properties, standard);
  if (!feature || supportProblem(feature, "") || names.has(standard) || names.has(`-webkit-${standard}`)) return null;
  return `Chromium does not support ${shown}; write ${quoted(standard)}`;
}

/** As above, the standard property in the block is enough. */
function foreignProblem(name: string, { engines, instead }: ForeignCss, names: Names): string | null {
  const standard = name.replace(/^-?[a-z0-9]+-/, "");
  const feature = find(properties, standard);
  const isSupported = feature !== undefined && supportProblem(feature, "") === null;
  if (instead === null && isSupported && names.has(standard)) return null;
  const generic = isSupported ? `write ${quoted(standard)}` : `it is specific to ${engines}`;
  return `Chromium does not support the property ${quoted(name)}; ${instead ?? generic}`;
}
