// Templates and data that were invented from the reference of the language alone, and others that exploit how V8 hashes
// names, texts and numbers.
import { filter, forever, many, range, text, times, tower, type Bomb } from "./bombs.ts";

/** V8 hashes longer strings only by their length. */
const hashedChars = 16_383;
const longText = text("a".repeat(hashedChars));
const named = (use: string) => forever(`{% assign k = t | append: i %}${use}`);
const doubled = (count: number) => `{% for g in (1..${count}) %}{% assign l = l | concat: l %}{% endfor %}`;
const longTexts = () => range(60, (n) => "a".repeat(hashedChars - 2) + (1_000 + n));

const inverse = (factor: number) => range(5, () => 0).reduce((x) => Math.imul(x, 2 - Math.imul(factor, x)), factor);
const unshifted = (hash: number, bits: number): number =>
  range(Math.ceil(32 / bits), (n) => hash >>> (n * bits)).reduce((a, b) => a ^ b);

/** Returns the whole number that has this hash in V8. */
function numberWithHash(hash: number): number {
  const multiplied = Math.imul(unshifted(hash, 16), inverse(2_057));
  const added = Math.imul(unshifted(multiplied, 4), inverse(5));
  return Math.imul(unshifted(added, 12) + 1, inverse(32_767));
}

const collidingNumbers = () =>
  range(100_000, (n) => numberWithHash(n << 15))
    .filter((number) => Math.abs(number) < 2 ** 30)
    .slice(0, 40_000);

export const hashBombs: Record<string, Bomb> = {
  "variables that are named by long texts": [named("{% assign z = [k] %}"), longText],
  "variables that are named by texts": [named("{% assign z = [k] %}"), text("a".repeat(900))],
  "properties that are named by long texts": [named("{% assign z = o[k] %}"), () => ({ ...longText(), o: { a: 1 } })],
  "properties of items that are named by long texts": [
    named("{% assign z = l | where: k %}{% assign z = l | map: k %}"),
    () => ({ ...longText(), l: [{ a: 1 }] }),
  ],
  "long texts that are unique": [
    `{% assign l = "" | split: "" %}{% for i in (100..399) %}{% assign k = t | append: i %}{% assign l = l | push: k %}{% endfor %}${doubled(8)}${forever("{% assign x = l | uniq %}")}`,
    longText,
  ],
  "groups that are named by long texts": [
    `${doubled(10)}${forever('{% assign x = l | group_by: "a" %}')}`,
    () => ({ l: longTexts().map((a) => ({ a })) }),
  ],
  "numbers with the same hash": [forever("{% assign x = l | uniq %}"), () => ({ l: collidingNumbers() })],
  "groups that are named by numbers with the same hash": [
    forever('{% assign x = l | group_by: "n" %}'),
    () => ({ l: collidingNumbers().map((n) => ({ n })) }),
  ],
  "digits with the same hash": [forever("{% assign x = l | uniq %}"), many((n) => String(1e9 + n * 65_536), 40_000)],
};

const printed = (t: string, filters = ""): Bomb => [`{{ t ${filters}}}`, text(t)];
const marks = "\u0301\u0323";

const level = (n: number) => `{% render "p${n + 1}" %}`.repeat(10);

export const languageBombs: Record<string, Bomb> = {
  "a message that prints an argument 1,600 times": [
    forever('{% assign x = "m" | t: a: t %}'),
    text("ab".repeat(600)),
    { messages: { m: "{a}".repeat(1_600) } },
  ],
  "a message of nested plurals": [
    forever('{% assign x = "m" | t: n: i %}'),
    undefined,
    { messages: { m: `${"{n, plural, other {# ".repeat(5)}${"{n, number, percent}#".repeat(90)}${"}}".repeat(5)}` } },
  ],
  "messages that are never parsed again": [
    forever('{% assign c = i | modulo: 60 %}{% assign k = "m" | append: c %}{% assign x = k | t: a: i, n: i %}'),
    undefined,
    { messages: Object.fromEntries(range(60, (n) => [`m${n}`, "{a} {n, number} ".repeat(250)])) },
  ],
  "skeletons that are never used again": [
    forever(
      '{% assign c = i | modulo: s.size %}{% assign k = s[c] %}{% assign x = "2026-11-21T09:30:00Z" | date: k %}',
    ),
    () => ({
      s: ["y", "yy", ""].flatMap((y) =>
        ["M", "MM", "MMM", "MMMM"].flatMap((m) =>
          ["d", "dd", ""].flatMap((d) => ["E", "EEEE", "jm", "Hms"].map((e) => `${y} ${m} ${d} ${e}`)),
        ),
      ),
    }),
  ],
  "long decimals": [`{% assign x = 1.1 %}${forever("{% assign x = x | times: 1.000000001 | plus: 0.000000001 %}")}`],
  "texts of digits that are summed": [forever("{% assign x = l | sum %}"), many(() => "9".repeat(390), 2_000)],
  "emoji that are split and joined": [
    forever('{% assign x = t | split: "" %}{% assign x = x | join: s %}'),
    () => ({ t: "😀".repeat(10_000), s: "漢".repeat(150) }),
  ],
  "words among much white space": [filter("truncatewords: 3"), text(`a${" ".repeat(900_000)}b`)],
  "repeated encoding": [forever(`{% assign x = "é" ${"| url_encode ".repeat(14)}${"| base64_encode ".repeat(8)}%}`)],
  "JSON of a long text in a list": [
    `{% assign l = "" | split: "" %}{% for i in (1..300) %}{% assign l = l | push: t %}{% endfor %}${forever("{% assign x = l | json | size %}")}`,
    text("\u0007".repeat(900)),
  ],
  "a tower of lists that is sorted": [`${tower}{% assign x = l | sort_natural | uniq | compact | sum %}`],
  "Data Matrix codes of digits": [filter("barcode: 'datamatrix'"), text("1".repeat(700))],
  "QR codes of digits": [filter("qr_code"), text("1".repeat(5_500))],
  "parts in parts": [
    level(0),
    undefined,
    { parts: Object.fromEntries(range(19, (n) => [`p${n + 1}`, n < 18 ? level(n + 1) : "x"])) },
  ],
  "blocks that print their layout's block twice": [
    '{% layout "l0" %}{% block a %}{{ block.super }}{{ block.super }}{% endblock %}',
    undefined,
    {
      parts: Object.fromEntries(
        range(18, (n) => [
          `l${n}`,
          n < 17
            ? `{% layout "l${n + 1}" %}{% block a %}{{ block.super }}{{ block.super }}{% endblock %}`
            : "{% block a %}{% endblock %}",
        ]),
      ),
    },
  ],
  "parts with many arguments": [
    forever(`{% render "p", ${times(90, (n) => `a${n}: i, `)}z: i %}`),
    undefined,
    { parts: { p: "x" } },
  ],
  "ranges that are sorted and joined": [forever("{% assign x = (1..490000) | sort | reverse | join: ',' %}")],
  "a cycle of 4,000 values": [forever(`{% cycle ${"i, ".repeat(4_000)}i %}`)],
  "captures that double": [`{% assign x = "a" %}${forever("{% capture x %}{{ x }}{{ x }}{% endcapture %}")}`],
  "white space compared with blank": [forever("{% if t == blank %}{% endif %}"), text(`${" ".repeat(900_000)}`)],
  "a text that grows and is cut": [
    `{% assign x = t %}${forever("{% assign x = x | append: 'a' %}{% assign y = x | slice: -2, 2 %}{% assign z = x.last %}")}`,
    text("a".repeat(100_000)),
  ],
  "sentences with a long connector": [
    forever("{% assign x = l | array_to_sentence_string: t %}"),
    () => ({ l: ["a", "b", "c"], t: "漢".repeat(300_000) }),
  ],
  "a loop with a long name": [forever(`{{ ${"a".repeat(19_000)} }}`)],
  "white space that is trimmed": [forever("  {{- '' -}}\n\n".repeat(900))],
  "texts of combining marks": printed(`a${marks.repeat(200_000)}`),
  "texts of joined emoji": printed("👨‍👩‍👧‍👦\u200d".repeat(30_000)),
  "texts of joiners": printed("\u200d".repeat(300_000)),
  "an asset with a long name": printed(marks.repeat(200_000), "| asset "),
  "printed addresses of data": printed("data:a ".repeat(100_000), "| raw "),
  "printed entities": printed("&#x301;&#x323;".repeat(60_000), "| raw "),
  "printed tags that stay open": printed("<a b='".repeat(150_000), "| raw "),
};

const farDate = (pattern: string) =>
  forever(`{% assign n = i | times: 1000 | minus: 8640000000000 | abs %}{{ n | date: ${pattern} }}`);

/** Dates at both ends of the range in lunar calendars, and numbers in other digits. */
export const localeBombs: Record<string, Bomb> = Object.fromEntries([
  ...["chinese", "dangi", "islamic-umalqura", "hebrew", "persian", "indian", "japanese", "ethioaa"].map(
    (calendar): [string, Bomb] => [
      `the last days of the calendar ${calendar}`,
      [farDate('"full"'), undefined, { locale: `en-u-ca-${calendar}` }],
    ],
  ),
  ...["hanidec", "mathsanb", "traditio", "finance", "arab"].map((digits): [string, Bomb] => [
    `dates and numbers in the digits ${digits}`,
    [
      `${farDate('"yyyy MMMM d"')}{{ e | number: 20 }}`,
      () => ({ e: 1e300 }),
      { locale: `zh-u-ca-chinese-nu-${digits}` },
    ],
  ]),
]);
