// The data on which the primitives are measured. Each part is about as large as the data of one request can be.

import { parseDecimal } from "colophon-liquid/values";

const size = 400_000;
const words = "A dozen ordinary words, café and naïve among them; ";
const repeat = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const range = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));

let cached: Record<string, unknown> | null = null;

export function calibrationData(): Record<string, unknown> {
  cached ??= newData();
  return cached;
}

function newData(): Record<string, unknown> {
  const rows = () => range(15_000, (n) => ({ name: `name of row ${(n * 7_919) % 15_000}`, n: n / 100 }));
  const many = () => range(40_000, (n) => `item ${(n * 7_919) % 40_000}`);
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
  return {
    s: "some text",
    t: "some texu",
    code: "0123456789ABCDEF".repeat(60),
    few: [5, 3, 4, 1, 2],
    fewRows: [{ name: "a" }, { name: "b" }],
    long: repeat(words),
    longCopy: ` ${repeat(words)}`.slice(1),
    longKey: repeat(words).slice(0, 300),
    same: "a".repeat(size),
    sameHalf: "a".repeat(size / 2),
    sameThenOther: `${"a".repeat(size / 2)}b`,
    otherThenSame: `b${"a".repeat(size / 2)}`,
    special: repeat(`<a href="&'">`),
    spaces: " ".repeat(size),
    lines: repeat("a\r\nb\n"),
    tags: repeat("<b>x</b>"),
    openTags: repeat("<!-- <"),
    scripts: repeat("<script><style>"),
    encoded: repeat("%20a+"),
    base64: Buffer.from(repeat(words)).toString("base64"),
    markdownText: repeat("**bold** and *emphasis* [link](https://example.com) `code`\n\n- item\n").slice(0, 100_000),
    markdownTable: `a|b|c\n-|-|-\n${"x|y|z\n".repeat(10_000)}`.slice(0, 100_000),
    many: many(),
    manyCopy: many(),
    alike: range(1_500, (n) => `${"a".repeat(250)}${(n * 7_919) % 1_500}`),
    amount: parseDecimal("1234.56"),
    longAmount: parseDecimal(`${"7".repeat(140)}.${"3".repeat(140)}`),
    longDivisor: parseDecimal(`0.${"3".repeat(140)}`),
    longFactor: parseDecimal(`-${"7".repeat(70)}.${"3".repeat(70)}`),
    writtenDigits: "7".repeat(290),
    largest: 1e290,
    amounts: range(10_000, (n) => parseDecimal(`${n}.${"0".repeat(n % 9)}5`)),
    longAmounts: range(2_000, (n) => parseDecimal(`${n}.${"3".repeat(200 + (n % 60))}`)),
    decimals: range(40_000, (n) => n / 100),
    rows: rows(),
    rowsCopy: rows(),
    object: Object.fromEntries(range(40_000, (n) => [`item ${n}`, n])),
    deep: nested(60),
    zones: Intl.supportedValuesOf("timeZone"),
    codes: Intl.supportedValuesOf("currency").slice(0, 100),
  };
}

/** The messages of the filter `t`. There are more long ones than the cache of parsed messages holds. */
export function calibrationMessages(): Map<string, string> {
  const repeated = [
    "{a}",
    "{a,number,::.00}",
    "''",
    "'{'",
    "{a,plural,=1{#}other{x}}",
    "ordinary text, ",
    "{a,date,::MMMM}",
    "é",
  ];
  const long = range(1_000, (n): [string, string] => {
    const piece = repeated[n % repeated.length] ?? "";
    return [`long${n}`, piece.repeat(Math.floor(5_000 / piece.length))];
  });
  return new Map([
    ["plain", "Hello {a}, thank you."],
    ["plural", "{n, plural, =0 {no items} one {# item} other {# items}}"],
    ["many", "{a}".repeat(4)],
    ...long,
  ]);
}
