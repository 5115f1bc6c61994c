// Templates and data that are designed to exhaust the processor or the memory. Each of them did so, or would if one cost
// were too low.

/** The template, its data, and what else its render needs: the parts by name, and the messages of the language `en` by key. */
export type Bomb = [
  template: string,
  data?: (() => Record<string, unknown>) | undefined,
  more?: { locale?: string; parts?: Record<string, string>; messages?: Record<string, string> },
];

export const range = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => item(i));
export const times = (count: number, part: (index: number) => string) => range(count, part).join("");
export const filled = (text: string, chars: number) => text.repeat(Math.ceil(chars / text.length)).slice(0, chars);
export const forever = (body: string) => `{% for i in (1..100000000) %}${body}{% endfor %}`;
export const filter = (filters: string) => forever(`{% assign x = t | ${filters} %}`);
const nested = (depth: number, opening: (level: number) => string, closing: string) =>
  `${times(depth, opening)}x${closing.repeat(depth)}`;
/** A list that contains itself twice at each of 60 levels: 61 lists, and 2^60 items. */
export const tower =
  '{% assign l = "a,b" | split: "," %}{% for g in (1..60) %}{% assign l = l | push: l %}{% endfor %}';

export const text = (t: string) => () => ({ t });
const search = (t: string, p: string) => () => ({ t, p });
const keys = () => ({ o: Object.fromEntries(range(100_000, (n) => [`k${n.toString(36)}`, n])) });
export const many = (item: (index: number) => unknown, count: number) => () => ({ l: range(count, item) });
const rows = many((n) => ({ a: `n${(n * 7_919) % 30_000}`, n: n / 100 }), 30_000);
const digits = () => ({ t: "1234567890".repeat(38), e: 1.7976931348623157e308 });
const zones = () => ({ z: Intl.supportedValuesOf("timeZone") });
const a = "a".repeat(240_000);
const middle = `${"a".repeat(60_000)}b${"a".repeat(60_000)}`;

export const searchBombs: Record<string, Bomb> = {
  "a long search that fails in the middle": [forever("{% if t contains p %}{% endif %}"), search(a, middle)],
  "a long search that fails at the end": [forever("{% if t contains p %}{% endif %}"), search(a, `${a.slice(9)}b`)],
  "a short search that fails at the end": [forever("{% if t contains p %}{% endif %}"), search(a, "aaaaab")],
  "a search for the last occurrence": [filter("replace_last: p, 'x'"), search(a, `${"a".repeat(1_000)}b`)],
  "the removal of the last occurrence": [filter("remove_last: p"), search(a, `${"a".repeat(120_000)}b`)],
  "a replacement that is searched for": [filter("replace: p, 'x'"), search(a, middle)],
  "a separator that is searched for": [filter("split: p"), search(a, middle)],
  "texts of a list that are searched": [forever("{% assign x = l | where: p %}"), () => ({ l: [a], p: middle })],
  "texts of different widths": [forever("{% if t < p %}{% endif %}"), search(a, `${a.slice(1)}漢`)],
  "a replacement of many dollar signs": [filter("replace: 'a', p"), search("a".repeat(900), "$".repeat(2_000))],
  "the replacement of every character": [filter("replace: 'a', 'bc'"), text("a".repeat(900_000))],
  "a replacement between all characters": [filter("replace: '', 'b'"), text("a".repeat(900_000))],
  "a case with 499 long values": [
    forever(`{% case t %}${"{% when p %}".repeat(499)}{% endcase %}`),
    search(`${"a".repeat(4_000)}b`, `${"a".repeat(4_000)}c`),
  ],
};

export const textBombs: Record<string, Bomb> = {
  "white space that is not a space, split into words": [
    times(20, (n) => `{% assign a${n} = t | split: " " %}`),
    text(filled("é\n", 600_000)),
  ],
  "a text split into characters": [filter('split: ""'), text(filled("漢字", 330_000))],
  "markup split into characters": [
    `{% capture m %}{{ t }}{% endcapture %}${times(9, (n) => `{% assign a${n} = m | split: "" %}`)}`,
    text("漢".repeat(200_000)),
  ],
  "small parts of large texts": [
    `{% assign l = "" | split: "" %}${forever("{% assign z = t | append: i | slice: 5, 20 %}{% assign l = l | push: z %}")}`,
    text(filled("a b ", 900_000)),
  ],
  "truncation of wide characters": [filter("truncate: 1999999"), text(filled("漢字", 330_000))],
  "a long ellipsis": [forever("{% assign x = 'abcdef' | truncate: 3, t %}"), text(filled("漢字", 330_000))],
  "truncation to a million words": [filter("truncatewords: 1000000"), text(filled("a b ", 900_000))],
  "slugs of surrogate pairs": [filter("slugify"), text(filled("😀é", 400_000))],
  "slugs of lone surrogates": [filter("slugify"), text("\ud800".repeat(150_000))],
  "letters that become three letters": [
    `{% assign n = t | append: t %}${times(10, (n) => `{% assign a${n} = n | upcase %}`)}`,
    text("ΐ".repeat(450_000)),
  ],
  "letters whose case depends on others": [filter("downcase"), text(`A${filled(`Σ${"\u0301".repeat(20)}`, 450_000)}`)],
  "quotes that are escaped": [times(10, (n) => `{% assign a${n} = t | escape %}`), text(filled(`'"漢`, 500_000))],
  "quotes that are printed": [forever("{{ t }}"), text(`'"<>&`.repeat(180_000))],
  "entities that are escaped once": [filter("escape_once"), text(filled("&#1;&a;", 900_000))],
  "tags that are stripped": [filter("strip_html"), text("<a>b".repeat(220_000))],
  "scripts that are never closed": [filter("strip_html"), text("<style>".repeat(100_000) + "</script>")],
  "line breaks": [filter("newline_to_br"), text("\r\n".repeat(140_000))],
  "line breaks that are stripped": [filter("strip_newlines"), text("\r\n".repeat(250_000))],
  "texts that double": [`{% assign x = t %}${forever("{% assign x = x | append: x %}")}`, text("ab")],
  "the longest chain of filters": [forever(`{{ 1${"| abs".repeat(3_900)} }}`)],
  "the longest condition": [forever(`{% if ${"a or ".repeat(3_900)}a %}{% endif %}`)],
  "the longest path": [forever(`{{ t${".a".repeat(9_900)} }}`), text("a")],
  "long chains of filters": [filter(`append: 'abc' ${"| append: 'abc' ".repeat(49)}`), text("a".repeat(100_000))],
  "a million small texts": [forever("a{%#%}".repeat(500))],
  "a million captured texts": [`{% capture x %}${forever("a{%#%}".repeat(500))}{% endcapture %}`],
  "base64 of wide characters": [filter("base64_encode"), text("漢".repeat(330_000))],
  "base64 that is not UTF-8": [filter("base64_decode"), text("////".repeat(240_000))],
  "URLs of surrogates": [filter("url_encode"), text("\ud800".repeat(150_000))],
  "URLs that are decoded": [filter("url_decode"), text("%F0%9F%98%80".repeat(75_000))],
  "JSON of control characters": [filter("json"), text("\u0001".repeat(160_000))],
};

export const listBombs: Record<string, Bomb> = {
  "a property named by a tower of lists": [`${tower}{{ o[l] }}`, () => ({ o: { a: 1 } })],
  "a property of forloop named by a tower of lists": [`${tower}{% for i in (1..2) %}{{ forloop[l] }}{% endfor %}`],
  "a variable named by a tower of lists": [`${tower}{{ [l] }}`],
  "a filter's property named by a tower of lists": [
    `${tower}{% assign x = l | where: l %}{% assign x = r | map: l %}`,
    () => ({ r: [{ a: 1 }] }),
  ],
  "a tower of lists as JSON": [`${tower}{{ l | json }}`],
  "a tower of lists that is joined": [`${tower}{{ l | join: "" | size }}`],
  "a tower of empty lists": [`${tower.replace('"a,b"', '""')}{{ l }}`],
  "two equal towers of lists": [`${tower}{% assign m = l %}${tower}{% if l == m %}{% endif %}`],
  "lists that double": [
    forever(`{% assign x = "a,b" | split: "," %}{% for g in (1..17) %}{% assign x = x | concat: x %}{% endfor %}`),
  ],
  "many lists that are kept": [times(60, (n) => `{% assign a${n} = (1..490000) | reverse %}`)],
  "lists that only loops keep": [
    nested(90, (n) => `{% assign l = (1..490000) | reverse %}{% for v${n} in l limit: 1 %}`, "{% endfor %}"),
  ],
  "pairs of an object that only loops keep": [nested(90, (n) => `{% for v${n} in o limit: 1 %}`, "{% endfor %}"), keys],
  "pairs that only tables keep": [nested(90, (n) => `{% tablerow v${n} in o limit: 1 %}`, "{% endtablerow %}"), keys],
  "cycles that are named by lists": [forever("{% assign l = (1..100000) | reverse %}{% cycle l: 1, 2 %}")],
  "cycles with long names": [forever("{% assign x = t | append: i %}{% cycle x: '', '' %}"), text("a".repeat(300_000))],
  "cycles that are named by ranges": [forever("{% cycle (1..i): '', '' %}")],
  "groups that are kept": [times(30, (n) => `{% assign a${n} = l | group_by: "a" %}`), rows],
  "many objects that are measured again and again": [
    `{% assign k = l %}{% assign y = "ab" %}{% for g in (1..19) %}{% assign y = y | append: y %}{% endfor %}${forever("{% assign z = y | append: 'a' %}")}`,
    many(() => ({}), 300_000),
  ],
  "lists in a list": [forever("{% assign x = l | reverse %}"), many(() => [], 300_000)],
  "sorted numbers": [forever("{% assign x = l | sort %}"), many((n) => (n * 7_919) % 140_001, 140_000)],
  "sorted texts that begin alike": [
    forever("{% assign x = l | sort %}"),
    many((n) => "a".repeat(9_000) + ((n * 37) % 100), 100),
  ],
  "texts that are folded and sorted": [
    forever("{% assign x = l | sort_natural %}"),
    many((n) => "İ".repeat(30) + ((n * 37) % 10_000), 10_000),
  ],
  "long texts that are compared for uniqueness": [
    `{% assign l = "" | split: "" | push: t %}{% for g in (1..8) %}{% assign l = l | concat: l %}{% endfor %}${forever("{% assign x = l | uniq %}")}`,
    text(filled("漢字", 330_000)),
  ],
  "objects that are compared for uniqueness": [forever("{% assign x = l | uniq %}"), rows],
  "properties of properties": [
    forever("{% assign x = l | map: k %}"),
    () => ({ l: range(1_000, () => ({ a: 1 })), k: filled("a.", 100_000) }),
  ],
  "a loop over an object": [forever("{% for x in o %}{% break %}{% endfor %}"), keys],
  "JSON of an object": [forever("{% assign x = o | json %}"), keys],
  "a table of one column": [forever("{% tablerow x in l cols: 1 %}{% endtablerow %}"), many((n) => n % 10, 400_000)],
  "a range without end": ["{% for x in (d..e) reversed %}{{ x }}{% endfor %}", () => ({ d: -1e308, e: 1e308 })],
};

export const formatBombs: Record<string, Bomb> = {
  "numbers of 380 digits": [filter("times: t"), digits],
  "a range of 380 digits": [forever("{% assign x = (t..t) %}"), digits],
  "the largest number": [forever("{% assign x = e | number: 20 %}"), digits],
  "the largest amount, in another script": [
    forever("{% assign x = e | currency: 'INR', 20 %}"),
    digits,
    { locale: "hi-IN-u-nu-deva" },
  ],
  "plural forms of the largest number": [forever("{% assign x = e | plural: 'a', 'b' %}"), digits],
  "formatters that are never used again": [
    forever("{% assign c = i | modulo: z.size %}{% assign k = z[c] %}{% assign x = 1000000 | time: 'full', k %}"),
    zones,
  ],
  "a calendar that follows the moon": [
    forever("{% assign n = i | times: -8640000 %}{% assign x = n | date: 'full' %}"),
    undefined,
    { locale: "zh-u-ca-chinese" },
  ],
  "a pattern of a hundred days of the year": [filter(`date: "${"%j".repeat(100)}"`), text("2026-11-21T09:30:00Z")],
  "a pattern of a hundred weekdays": [filter(`date: "${"%A".repeat(100)}"`), text("2026-11-21T09:30:00Z")],
  "a QR code of three-byte characters": [filter("qr_code"), text("漢".repeat(776))],
  "small texts that change their case in Turkish": [filter("capitalize"), text("ı"), { locale: "tr" }],
  "names with runs of combining marks, sorted by the rules of a language": [
    forever("{% assign x = l | sort_natural %}"),
    many((n) => "\u0f71\u0f72\u0f74\u0f80".repeat(50) + String.fromCharCode(97 + (n % 7)), 20),
  ],
  "small QR codes": [filter("qr_code"), text("1")],
  "a long barcode": [filter("barcode"), text(filled("1234a", 500))],
  "whole data that parts pass on to parts": [
    forever("{% render 'a', data: o %}"),
    () => ({ o: Object.fromEntries(range(5_000, (n) => [`k${n.toString(36)}`, `v${n}`])) }),
    {
      parts: Object.fromEntries(
        range(18, (n) => [
          "abcdefghijklmnopqrs"[n] ?? "",
          `{% assign x = data | json | upcase %}{% render '${"abcdefghijklmnopqrs"[n + 1]}', data: data %}`,
        ]).concat([["s", "{{ data.k1 }}{% assign y = data | json %}"]]),
      ),
    },
  ],
  "PDF417 codes of letters": [filter("barcode: 'pdf417'"), text(filled("Abc, def; ", 900))],
  "PDF417 codes that are too long": [filter("barcode: 'pdf417'"), text(filled("a,B1", 2_500))],
  "GS1-128 codes": [filter("barcode: 'gs1-128', 1000"), text("(91)abcdefgh(92)ijk".repeat(2))],
  "ITF codes": [filter("barcode: 'itf'"), text("12".repeat(240))],
  "a Data Matrix of accented letters": [filter("barcode: 'datamatrix'"), text("é".repeat(700))],
  "Markdown of open brackets": [filter("markdown"), text("[".repeat(140_000))],
  "Markdown of emphasis": [filter("markdown"), text(filled("*a **b ", 200_000))],
  "Markdown of deep quotations": [filter("markdown"), text(">".repeat(140_000))],
  "wide Markdown tables": [filter("markdown"), text(`${"a|".repeat(600)}\n${"-|".repeat(600)}\n${"x\n".repeat(300)}`)],
  "captures that end early": [forever(`${"{% capture x %}a".repeat(90)}{% break %}${"{% endcapture %}".repeat(90)}`)],
  "large texts that change": [forever("{% ifchanged %}{{ t }}{{ i }}{% endifchanged %}"), text("a".repeat(900_000))],
};

export const parsingBombs: Record<string, () => string> = {
  "an output of two million characters": () => `{{${",".repeat(1_900_000)}}}`,
  "many blocks inside many others": () =>
    `${"{%if a%}".repeat(99)}${"{%if a%}{%endif%}".repeat(100_000)}${"{%endif%}".repeat(99)}`,
  "a raw block that is never closed": () => `{%raw%}${`{%${" ".repeat(5_000)}`.repeat(390)}`,
  "the longest case": () => `{% case a %}${"{%when 1%}".repeat(19_900)}{% endcase %}`,
  "the longest condition": () => `{%if ${"a or ".repeat(3_900)}a%}{%endif%}`.repeat(10),
  "the longest cycle": () => `{%cycle ${"1,".repeat(9_900)}1%}`.repeat(10),
  "comments that are never closed": () => `{%comment%}${"{%if%}".repeat(280_000)}`,
  "a string that is never closed": () => `{{ "${"\\".repeat(1_900_000)} }}`,
  "a `liquid` tag of many lines": () => `{%liquid\n${"echo 1\n".repeat(280_000)}%}`,
};
