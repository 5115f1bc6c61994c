// Checks the declarations of a block: their properties, the functions in their values, and the values that only print
// engines other than Chromium know.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { keywordProblem } from "./names/known-keywords.ts";
import { nameProblem, nameSupport } from "./names/known-names.ts";
import { similarName } from "../../../similar-name.ts";
import { withoutMarks } from "./liquid-marks.ts";
import { withoutPriority, type BlockKind, type Declaration } from "./read-rules.ts";
import { quoted, type CheckScope } from "./style-message.ts";

/** Checks the declarations of one block. Those whose values contain Liquid are left out. */
export function checkDeclarations(kind: BlockKind, declarations: Declaration[], scope: CheckScope): void {
  if (kind === "descriptors" || kind === "skipped") return;
  const names = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of declarations) (names.has(name) ? repeated : names).add(name);
  for (const declaration of declarations) {
    if (scope.isFull()) return;
    const { name, index, value } = declaration;
    if (!withoutMarks(value)) continue;
    if (value.length === 0 && !name.startsWith("--")) {
      scope.report(index, `Chromium ignores ${quoted(name)}, because it has no value`);
    } else if (kind === "font-face") {
      checkDescriptor(name, index, scope);
    } else {
      const problem = name.startsWith("--") ? null : propertyProblem(name, names);
      if (problem) scope.report(index, problem);
      else if (kind === "page") checkPageDeclaration(declaration, scope);
      else checkValue(declaration, repeated.has(name), scope);
    }
  }
}

/** `names` are the properties of the same block. */
function propertyProblem(name: string, names: ReadonlySet<string>): string | null {
  const support = nameSupport("properties", name);
  if (support.status === "everywhere") return null;
  const standard = /^-(?:webkit|moz(?:-osx)?|ms|o|khtml)-(.+)$/.exec(name)?.[1];
  // Beside a property that Chromium knows, one with another prefix is meant for other browsers.
  const isForOthers = [standard, `-webkit-${standard ?? name}`].some(
    (other) => other !== undefined && names.has(other) && nameSupport("properties", other).status === "everywhere",
  );
  if (isForOthers) return null;
  const advice = support.status === "unknown" ? adviceFor(name) : null;
  if (advice) return `Chromium does not know the property ${quoted(name)}; ${advice}`;
  const problem = nameProblem("properties", name, { shown: `the property ${quoted(name)}` });
  const known = [standard, `-webkit-${standard ?? name}`].find(
    (other) => other !== undefined && other !== name && nameSupport("properties", other).status === "everywhere",
  );
  if (!problem || !known) return problem;
  return `${problem.replace(/; did you mean.*/, "")}; ${support.status === "newer" ? "add" : "write"} ${quoted(known)}`;
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

/** The descriptors of `@font-face` that Chromium has known since 126. */
const fontDescriptors = new Set(
  "ascent-override descent-override font-display font-family font-feature-settings font-stretch font-style font-variant font-weight line-gap-override size-adjust src unicode-range".split(
    " ",
  ),
);

function checkDescriptor(name: string, index: number, { report }: CheckScope): void {
  if (fontDescriptors.has(name) || name.startsWith("--")) return;
  const shown = `the descriptor ${quoted(name)} of \`@font-face\``;
  if (name === "font-variation-settings") return report(index, `Chromium 131 and older do not know ${shown}`);
  const similar = similarName(name, fontDescriptors);
  report(index, `Chromium does not know ${shown}${similar === null ? "" : `; did you mean \`${similar}\`?`}`);
}

const pageProperty = /^(?:margin(?:-.+)?|size|page-orientation|--.*)$/;
const pageSizes = new Set(
  "a3 a4 a5 auto b4 b5 initial inherit unset revert jis-b4 jis-b5 landscape ledger legal letter portrait revert-layer".split(" "),
);

function checkPageDeclaration({ name, index, value }: Declaration, { report }: CheckScope): void {
  if (!pageProperty.test(name)) {
    report(
      index,
      `Chromium 127 and older ignore ${quoted(name)} in \`@page\`, which takes only \`size\`, \`margin\` and \`page-orientation\`; style \`.page\` instead`,
    );
  }
  if (name !== "size" || value.some(([type]) => type === TokenType.Function)) return;
  for (const token of withoutPriority(value)) {
    if (token[0] !== TokenType.Ident || pageSizes.has(token[4].value.toLowerCase())) continue;
    report(token[2], `Chromium does not know the page size ${quoted(token[4].value)} and ignores \`size\`; write its width and height`);
  }
}

/** Values that print engines other than Chromium know. */
const foreignValues: Record<string, { values: Set<string>; advice: string }> = {
  float: { values: new Set(["footnote", "inline-footnote", "top", "bottom", "page"]), advice: "it floats boxes only to a side" },
  position: { values: new Set(["footnote"]), advice: "it has no footnotes" },
  display: { values: new Set(["footnote"]), advice: "it has no footnotes" },
};

/**
 * Finds a property inside a value: a colon outside brackets, after a name on a line of its own. `index` is where the name
 * begins.
 */
function missingSemicolon(value: CSSToken[]): { property: string; index: number } | null {
  let open = 0;
  for (const [at, [type]] of value.entries()) {
    if (type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare) open++;
    if (type === TokenType.CloseParen || type === TokenType.CloseSquare) open--;
    if (type !== TokenType.Colon || open > 0) continue;
    const [before, name] = [value[at - 2], value[at - 1]];
    const isOnOwnLine = before?.[0] === TokenType.Whitespace && before[1].includes("\n");
    if (name?.[0] === TokenType.Ident && isOnOwnLine) return { property: name[4].value, index: name[2] };
  }
  return null;
}

/** A value for other browsers, such as `-moz-fit-content`, is not reported if the block has another value as well. */
function checkValue(
  { name, value }: Declaration,
  isRepeated: boolean,
  { report, isFull, references }: CheckScope,
): void {
  if (isRepeated && value.some(([, text]) => /^-[a-z]/i.test(text))) return;
  const missing = missingSemicolon(value);
  if (missing) return report(missing.index, `a \`;\` is missing before ${quoted(missing.property)}`);
  const unit = name.startsWith("--") ? null : detachedUnit(value);
  if (unit) return report(unit.index, `Chromium ignores ${quoted(name)}, because a space divides ${quoted(unit.shown)}`);
  const [word, ...rest] = withoutPriority(value);
  if (word?.[0] === TokenType.Ident && rest.length === 0) {
    const problem = wordProblem(name, word[4].value);
    if (problem) report(word[2], problem);
  }
  for (const [at, token] of value.entries()) {
    if (isFull()) return;
    const [type, , index] = token;
    if (type !== TokenType.Function || isInsideReference(value, at)) continue;
    const isReference = (name === "content" || name.startsWith("--")) && references?.has(index);
    const problem = isReference ? null : functionProblem(token[4].value.toLowerCase(), name, references !== null);
    if (problem) report(index, problem);
  }
}

const units = new Set(["px", "pt", "mm", "cm", "em", "rem"]);

/** Finds a number whose unit stands behind a space, as in `20 pt`. */
function detachedUnit(value: CSSToken[]): { shown: string; index: number } | null {
  for (const [at, [type, text, index]] of value.entries()) {
    const [space, unit] = [value[at + 1], value[at + 2]];
    if (type !== TokenType.Number || space?.[0] !== TokenType.Whitespace || unit?.[0] !== TokenType.Ident) continue;
    if (units.has(unit[4].value.toLowerCase())) return { shown: `${text} ${unit[4].value}`, index };
  }
  return null;
}

/** What is wrong with a word that is the whole value of a property; null when nothing is. */
function wordProblem(property: string, written: string): string | null {
  // A name with two dashes is one that the template chooses itself.
  if (written.startsWith("--") || property.startsWith("--")) return null;
  const word = written.toLowerCase();
  const shown = quoted(`${property}: ${word}`);
  const foreign = Object.hasOwn(foreignValues, property) ? foreignValues[property] : undefined;
  if (foreign?.values.has(word)) return `Chromium does not know ${shown}; ${foreign.advice}`;
  return keywordProblem(property, word, shown);
}

/** Whether the token is the first argument of `target-counter()`, about which there is a warning of its own. */
function isInsideReference(value: CSSToken[], at: number): boolean {
  const outer = value[at - 1]?.[0] === TokenType.Whitespace ? value[at - 2] : value[at - 1];
  return outer?.[0] === TokenType.Function && outer[4].value.toLowerCase().startsWith("target-");
}

/** What is wrong with a function in the value of `property`; null when nothing is. */
function functionProblem(name: string, property: string, isStyleSheetFile: boolean): string | null {
  const shown = quoted(`${name}()`);
  const print = printFunctions.get(name);
  // Some versions know `target-counter()`, but print nothing for it.
  if (print) return `Chromium does not print ${shown}; ${print(isStyleSheetFile)}`;
  // The value of a custom property is not used by itself, and a function with a custom name is declared by the template.
  if (property.startsWith("--")) return null;
  if (name === "attr" && property !== "content") return `Chromium 131 and older know ${shown} only in \`content\``;
  if (name.startsWith("--")) return `Chromium 131 and older do not know ${shown}`;
  return nameProblem("functions", name, { shown, ignored: "the declaration" });
}

const runningTitles = () => "put running titles into header.liquid or footer.liquid";
const onlyPageNumbers = () => "`target-counter(attr(href), page)` is the only reference that documents can print";

/** Functions of other print engines. Each gives the advice that completes the warning. */
const printFunctions = new Map<string, (isStyleSheetFile: boolean) => string>([
  ["running", runningTitles],
  ["element", runningTitles],
  ["string", runningTitles],
  ["target-text", onlyPageNumbers],
  ["target-counters", onlyPageNumbers],
  [
    "target-counter",
    (isStyleSheetFile) =>
      isStyleSheetFile
        ? "write `target-counter(attr(href), page)`, and only in `content`"
        : "style.css can use `target-counter(attr(href), page)` in `content`",
  ],
  [
    "leader",
    (isStyleSheetFile) =>
      isStyleSheetFile
        ? "write `leader(dotted)` or another single pattern, and only in `content`"
        : "style.css can use `leader(dotted)` in `content`",
  ],
]);
