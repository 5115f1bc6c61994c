import { runInThisContext } from "node:vm";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isFound, parsePattern } from "../../src/rules/pattern.ts";

const work = () => ({ stepsLeft: 1_000_000 });

function matches(source: string, text: string): boolean | null {
  const pattern = parsePattern(source, work());
  if (typeof pattern === "string") throw new Error(pattern);
  return isFound(pattern, text, work());
}

const atoms = [
  "a",
  "b",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "\\D",
  "\\p{L}",
  "😀",
  "\\u{1F600}",
  "\\ud83d\\ude00",
  "\\x61",
  "\\.",
];
// V8 finds `\B` between the halves of a surrogate pair, where the language has no position.
const atom = fc.constantFrom(...atoms, "^", "$", "\\b");
const sign = fc.constantFrom("", "", "", "*", "+", "?", "*?", "{2}", "{1,}", "{0,2}", "{0}", "{1,3}?");
const { pattern: patterns } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie("group"), { maxLength: 4 }).map((parts) => parts.join("")),
      { minLength: 1, maxLength: 3 },
    )
    .map((options) => options.join("|")),
  group: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(atom, sign).map(([each, repeated]) => each + (/^(\^|\$|\\[bB])$/.test(each) ? "" : repeated)),
    fc
      .tuple(fc.constantFrom("(", "(?:"), tie("pattern"), sign)
      .map(([open, inner, repeated]) => `${open}${inner})${repeated}`),
  ),
}));
const texts = fc
  .array(fc.constantFrom("a", "b", "1", ".", " ", "\n", "é", "😀"), { maxLength: 6 })
  .map((each) => each.join(""));

/** Returns null if a regular expression of JavaScript backtracks for a second; for one in millions, it would be minutes. */
function isFoundByJavaScript(source: string, text: string): boolean | null {
  const test = `new RegExp(${JSON.stringify(source)}, "u").test(${JSON.stringify(text)})`;
  try {
    return runInThisContext(test, { timeout: 1_000 }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  }
}

it("a pattern is found in the same texts as a regular expression of JavaScript", () => {
  fc.assert(
    fc.property(patterns, texts, (source, text) => {
      const pattern = parsePattern(source, work());
      fc.pre(typeof pattern !== "string");
      const expected = isFoundByJavaScript(source, text);
      fc.pre(expected !== null);

      expect(isFound(pattern, text, work())).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ["^[A-Z]{2}\\d{8}$", "DE12345678", true],
  ["^[A-Z]{2}\\d{8}$", "DE123456789", false],
  ["^(?:[a-z\\d-]+\\.)+[a-z]{2,}$", "mail.example.com", true],
  ["^[\\p{L} '-]+$", "Zoë O'Neill", true],
  ["[\\]\\d]", "]", true],
  ["^\\s*$", "\u00a0", true],
  ["", "", true],
  ["a\\Bb", "ab", true],
  ["\\Ba", "a b", false],
  ["\\B", "a😀a", false],
])("the pattern %s is compared with %j: %s", (source, text, expected) => {
  expect(matches(source, text)).toBe(expected);
});

it.each([
  ["(", /^must be a regular expression of JavaScript/],
  ["a{2,1}", /^must be a regular expression/],
  ["\\-", /^must be a regular expression/],
  ["(?=a)", /lookarounds/],
  ["(?<!a)b", /lookarounds/],
  ["(?<year>\\d)", /named groups/],
  ["(?i:a)", /lookarounds|regular expression/],
  ["(a)\\1", /references/],
  ["a{1001}", /1000 characters and signs/],
  ["(?:a{100}){100}", /1000 characters and signs/],
  ["(?:){999999999}", /1000 characters and signs/],
  ["(?:(?:(?:){999}){999}){999}", /1000 characters and signs/],
])("a pattern that cannot be used safely is refused: %s", (source, reason) => {
  expect(parsePattern(source, work())).toMatch(reason);
});

it.each(["(a+)+$", "^(a|a)*$", "(a|aa)+$", "^(?:a?){60}a{60}$", "(.*)*b$", "(?:(?:a*)*)*c"])(
  "a pattern takes time in proportion to the text, where a browser would backtrack: %s",
  (source) => {
    const spent = work();
    const pattern = parsePattern(source, spent);

    const result = typeof pattern === "string" ? pattern : isFound(pattern, `${"a".repeat(2_000)}!`, spent);

    expect(result).toBe(false);
  },
);

it("a pattern stops when it has used up the remaining work", () => {
  const pattern = parsePattern("(?:a|b|c)*d", work());

  expect(typeof pattern !== "string" && isFound(pattern, "abc".repeat(1_000), { stepsLeft: 500 })).toBeNull();
});
