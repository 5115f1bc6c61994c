// Finds mistakes in a template that compiles: paths that lead nowhere, arguments that filters cannot use, and HTML that a
// browser would repair or drop. No data is needed, because requests can only contain the fields that `template.json` declares.
import type { Advise } from "colophon-template-model/check-content";
import { namesSetIn } from "colophon-template-model/page-info";
import { checkContrast } from "./check-contrast.ts";
import { checkLanguages, messageUses } from "./check-messages.ts";
import { checkBudget, dividedFindings, type Finding } from "./findings.ts";
import { checkLiquid } from "./liquid/check-liquid.ts";
import { namesSet } from "./liquid/scope.ts";
import { checkAccessibility } from "./markup/check-accessibility.ts";
import { checkMarkup } from "./markup/check-markup.ts";

type Compiled = Parameters<Advise>[0];

/**
 * The maximum number of characters of pages, headers, footers and parts whose HTML is checked. 1,000 characters take up to 1 ms
 * and 100 kB.
 */
const maxMarkupChars = 250_000;
const tooLong = `the HTML of this file was not checked, because the template has more than ${maxMarkupChars.toLocaleString("en-US")} characters of it; put pictures into assets/`;

const tooMuch =
  "only a part of the template was checked, because its fields, variables and branches have too many combinations";

/** With `lenient`, mistakes that do not prevent a render are warnings. */
export type CheckOptions = { lenient?: boolean };

/** Returns the check for `validateTemplate`. */
export function advice(options: CheckOptions = {}): Advise {
  return (compiled) => dividedFindings(checkTemplate(compiled), options);
}

/** Returns the findings in the order of files and lines; findings about `locales/` come last. */
function checkTemplate(compiled: Compiled): Finding[] {
  const { content, template, assets, languages, sheets } = compiled;
  const { manifest, pages, header, footer, parts } = template;
  const { fields } = manifest;
  const roots = [...pages, header, footer].filter((file) => file !== null);
  const files = [...roots, ...parts.values()];
  const sources = sourcesOf(content);
  const messages = messageUses(languages, manifest.locale);
  const valueNames = namesSetIn(sources.map(({ source }) => source));
  const budget = checkBudget();
  const inLiquid = checkLiquid({ roots, parts, fields, valueNames, messages, budget });
  const names = new Set([
    ...fields.map(({ key }) => key),
    ...files.flatMap(({ nodes }) => [...namesSet(nodes).keys()]),
  ]);
  let charsLeft = maxMarkupChars;
  const inMarkup = sources.flatMap(({ file, ...source }): Finding[] => {
    charsLeft -= source.source.length;
    if (charsLeft < 0) return [{ severity: "warning", file, line: 1, message: tooLong }];
    const isParsed = files.every((parsed) => parsed.file !== file || !parsed.unparsed);
    return checkMarkup({ ...source, isParsed }, { assets, names, budget }).map((finding) => ({ ...finding, file }));
  });
  const isReadable = charsLeft >= 0 && files.every(({ unparsed }) => !unparsed);
  const notReadAloud = isReadable
    ? [...checkAccessibility(content, budget), ...checkContrast(compiled, sources, budget)]
    : [];
  if (budget.workLeft <= 0) inLiquid.push({ severity: "warning", file: "template.json", line: 1, message: tooMuch });
  const order = [
    "template.json",
    ...sheets.map(({ file }) => file),
    ...sources.map(({ file }) => file),
    ...languages.map(({ file }) => file),
  ];
  return [...inLiquid, ...inMarkup, ...notReadAloud, ...checkLanguages(messages, budget)].sort(
    (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line,
  );
}

function sourcesOf({ pages, header, footer, parts = [] }: Compiled["content"]) {
  return [
    ...pages.map(({ name, source }) => ({ file: `pages/${name}`, source, isPart: false })),
    { file: "header.liquid", source: header ?? "", isPart: false },
    { file: "footer.liquid", source: footer ?? "", isPart: false },
    ...parts.map((part) => ({ ...part, isPart: true })),
  ];
}
