// Runs the cases of Golden Liquid (https://github.com/jg-rp/golden-liquid, commit 389a298), which describe what Shopify's
// engine prints. The cases are unchanged; the ones in which this engine differs are listed below with its results.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rendered } from "../engine.ts";

/** A case has a `result`, several possible `results`, or is `invalid` and must fail. */
type GoldenCase = {
  name: string;
  template: string;
  data?: Record<string, unknown>;
  templates?: Record<string, string>;
  result?: string;
  results?: string[];
  invalid?: boolean;
};

const file = new URL("golden-liquid.json", import.meta.url).pathname;
const { tests: golden } = JSON.parse(readFileSync(file, "utf8")) as { tests: GoldenCase[] };

/** What this engine prints; after `problem: `, why it fails. */
type Printed = string;

const noInclude =
  'problem: there is no tag `include`; use `render`, and give it what the part needs: `{% render "row", item: item %}`';
const includes = [
  "assign persists in outer scope",
  "assign to a keyword argument",
  "bound array variable",
  "bound variable",
  "bound variable does not exist",
  "bound variable with alias",
  "break from include",
  "break from nested include",
  "counter from outer scope",
  "keyword arguments go out of scope",
  "name from identifier",
  "some keyword arguments",
  "some keyword arguments with float literals",
  "some keyword arguments with range literal",
  "some keyword arguments without leading comma",
  "string literal name",
  "use globals from outer scope",
];

const escapedSymbols =
  "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 1234567890 !@#$%^&amp;*()-=_+/?.:;[]{}\\|";

/** The reasons for which this engine differs, and what it prints in each case. */
const differences: Record<string, Record<string, Printed>> = {
  "a part reads only what is passed to it, so there is no `include`": Object.fromEntries(
    includes.map((name) => [`tags, include, ${name}`, noInclude]),
  ),
  "`date` needs no pattern": {
    "filters, date, missing argument": "Mar 14, 2016",
    "filters, date, undefined argument": "Mar 14, 2016",
  },
  "`sort_natural` follows the language of the document, in which punctuation precedes digits": {
    "filters, sort natural, incompatible types": "{}14",
  },
  "text is escaped": {
    "filters, base64 decode, from string with URL unsafe": escapedSymbols,
    "filters, base64 url safe decode, from string with URL unsafe": escapedSymbols,
    "filters, strip html, some HTML markup": "Have you read Ulysses &amp;amp; &amp;#20;?",
    "filters, strip html, some HTML markup with HTML comment": "you read Ulysses &amp;amp; &amp;#20;?",
  },
  "unexpected words are refused, as Shopify's engine does only in its mode `strict2`": {
    "tags, case, unexpected when token": "problem: `and` is not expected here",
  },
};

const differing = new Set(Object.values(differences).flatMap((cases) => Object.keys(cases)));

it.each(golden.filter(({ name }) => !differing.has(name)))(
  "this engine prints the same as Golden Liquid: $name",
  (each) => {
    const printed = print(each);

    expect({ ...each, printed }).toSatisfy(isExpected);
  },
);

it.each(Object.entries(differences))("this engine differs from Golden Liquid: %s", (_reason, cases) => {
  const printed = golden.filter(({ name }) => name in cases).map((each) => ({ ...each, printed: print(each) }));

  expect(Object.fromEntries(printed.map((each) => [each.name, each.printed]))).toEqual(cases);
  expect(printed.filter(isExpected)).toEqual([]);
});

function print({ template, data = {}, templates = {} }: GoldenCase): Printed {
  const outcome = rendered(template, data, { parts: templates });
  return outcome.status === "ok" ? outcome.value : `problem: ${outcome.problem.reason}`;
}

type PrintedCase = GoldenCase & { printed: Printed };

function isExpected({ invalid, result = "", results = [result], printed }: PrintedCase): boolean {
  return invalid ? printed.startsWith("problem: ") : results.includes(printed);
}
