// Templates and data that are designed to exhaust the processor or the memory. Each of them did so, or would if one cost
// were too low.

export type Bomb = {
  template: string;
  data?: () => Record<string, unknown>;
  locale?: string;
  /** The parts by name, and the messages of the language `en` by key. */
  parts?: Record<string, string>;
  messages?: Record<string, string>;
};

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
  "a long search that fails in the middle": {
    template: forever("{% if t contains p %}{% endif %}"),
    data: search(a, middle),
  },
  "a long search that fails at the end": {
    template: forever("{% if t contains p %}{% endif %}"),
    data: search(a, `${a.slice(9)}b`),
  },
  "a short search that fails at the end": {
    template: forever("{% if t contains p %}{% endif %}"),
    data: search(a, "aaaaab"),
  },
  "a search for the last occurrence": {
    template: filter("replace_last: p, 'x'"),
    data: search(a, `${"a".repeat(1_000)}b`),
  },
  "the removal of the last occurrence": {
    template: filter("remove_last: p"),
    data: search(a, `${"a".repeat(120_000)}b`),
  },
  "a replacement that is searched for": { template: filter("replace: p, 'x'"), data: search(a, middle) },
  "a separator that is searched for": { template: filter("split: p"), data: search(a, middle) },
  "texts of a list that are searched": {
    template: forever("{% assign x = l | where: p %}"),
    data: () => ({ l: [a], p: middle }),
  },
  "texts of different widths": { template: forever("{% if t < p %}{% endif %}"), data: search(a, `${a.slice(1)}漢`) },
  "a replacement of many dollar signs": {
    template: filter("replace: 'a', p"),
    data: search("a".repeat(900), "$".repeat(2_000)),
  },
  "the replacement of every character": { template: filter("replace: 'a', 'bc'"), data: text("a".repeat(900_000)) },
  "a replacement between all characters": { template: filter("replace: '', 'b'"), data: text("a".repeat(900_000)) },
  "a case with 499 long values": {
    template: forever(`{% case t %}${"{% when p %}".repeat(499)}{% endcase %}`),
    data: search(`${"a".repeat(4_000)}b`, `${"a".repeat(4_000)}c`),
  },
};

export const textBombs: Record<string, Bomb> = {
  "white space that is not a space, split into words": {
    template: times(20, (n) => `{% assign a${n} = t | split: " " %}`),
    data: text(filled("é\n", 600_000)),
  },
  "a text split into characters": { template: filter('split: ""'), data: text(filled("漢字", 330_000)) },
  "markup split into characters": {
    template: `{% capture m %}{{ t }}{% endcapture %}${times(9, (n) => `{% assign a${n} = m | split: "" %}`)}`,
    data: text("漢".repeat(200_000)),
  },
  "small parts of large texts": {
    template: `{% assign l = "" | split: "" %}${forever("{% assign z = t | append: i | slice: 5, 20 %}{% assign l = l | push: z %}")}`,
    data: text(filled("a b ", 900_000)),
  },
  "truncation of wide characters": { template: filter("truncate: 1999999"), data: text(filled("漢字", 330_000)) },
  "a long ellipsis": {
    template: forever("{% assign x = 'abcdef' | truncate: 3, t %}"),
    data: text(filled("漢字", 330_000)),
  },
  "truncation to a million words": { template: filter("truncatewords: 1000000"), data: text(filled("a b ", 900_000)) },
  "slugs of surrogate pairs": { template: filter("slugify"), data: text(filled("😀é", 400_000)) },
  "slugs of lone surrogates": { template: filter("slugify"), data: text("\ud800".repeat(150_000)) },
  "letters that become three letters": {
    template: `{% assign n = t | append: t %}${times(10, (n) => `{% assign a${n} = n | upcase %}`)}`,
    data: text("ΐ".repeat(450_000)),
  },
  "letters whose case depends on others": {
    template: filter("downcase"),
    data: text(`A${filled(`Σ${"\u0301".repeat(20)}`, 450_000)}`),
  },
  "quotes that are escaped and kept": {
    template: times(10, (n) => `{% assign a${n} = t | escape %}`),
    data: text(filled(`'"漢`, 500_000)),
  },
  "quotes that are printed": { template: forever("{{ t }}"), data: text(`'"<>&`.repeat(180_000)) },
  "entities that are escaped once": { template: filter("escape_once"), data: text(filled("&#1;&a;", 900_000)) },
  "tags that are stripped": { template: filter("strip_html"), data: text("<a>b".repeat(220_000)) },
  "scripts that are never closed": {
    template: filter("strip_html"),
    data: text("<style>".repeat(100_000) + "</script>"),
  },
  "line breaks": { template: filter("newline_to_br"), data: text("\r\n".repeat(140_000)) },
  "line breaks that are stripped": { template: filter("strip_newlines"), data: text("\r\n".repeat(250_000)) },
  "texts that double": { template: `{% assign x = t %}${forever("{% assign x = x | append: x %}")}`, data: text("ab") },
  "the longest chain of filters": { template: forever(`{{ 1${"| abs".repeat(3_900)} }}`) },
  "the longest condition": { template: forever(`{% if ${"a or ".repeat(3_900)}a %}{% endif %}`) },
  "the longest path": { template: forever(`{{ t${".a".repeat(9_900)} }}`), data: text("a") },
  "long chains of filters": {
    template: filter(`append: 'abc' ${"| append: 'abc' ".repeat(49)}`),
    data: text("a".repeat(100_000)),
  },
  "a million small texts": { template: forever("a{%#%}".repeat(500)) },
  "a million captured texts": { template: `{% capture x %}${forever("a{%#%}".repeat(500))}{% endcapture %}` },
  "base64 of wide characters": { template: filter("base64_encode"), data: text("漢".repeat(330_000)) },
  "base64 that is not UTF-8": { template: filter("base64_decode"), data: text("////".repeat(240_000)) },
  "URLs of surrogates": { template: filter("url_encode"), data: text("\ud800".repeat(150_000)) },
  "URLs that are decoded": { template: filter("url_decode"), data: text("%F0%9F%98%80".repeat(75_000)) },
  "JSON of control characters": { template: filter("json"), data: text("\u0001".repeat(160_000)) },
};

export const listBombs: Record<string, Bomb> = {
  "a property named by a tower of lists": { template: `${tower}{{ o[l] }}`, data: () => ({ o: { a: 1 } }) },
  "a property of forloop named by a tower of lists": {
    template: `${tower}{% for i in (1..2) %}{{ forloop[l] }}{% endfor %}`,
  },
  "a variable named by a tower of lists": { template: `${tower}{{ [l] }}` },
  "a filter's property named by a tower of lists": {
    template: `${tower}{% assign x = l | where: l %}{% assign x = r | map: l %}`,
    data: () => ({ r: [{ a: 1 }] }),
  },
  "a tower of lists as JSON": { template: `${tower}{{ l | json }}` },
  "a tower of lists that is joined": { template: `${tower}{{ l | join: "" | size }}` },
  "a tower of empty lists": { template: `${tower.replace('"a,b"', '""')}{{ l }}` },
  "two equal towers of lists": { template: `${tower}{% assign m = l %}${tower}{% if l == m %}{% endif %}` },
  "lists that double": {
    template: forever(
      `{% assign x = "a,b" | split: "," %}{% for g in (1..17) %}{% assign x = x | concat: x %}{% endfor %}`,
    ),
  },
  "many lists that are kept": { template: times(60, (n) => `{% assign a${n} = (1..490000) | reverse %}`) },
  "lists that only loops keep": {
    template: nested(90, (n) => `{% assign l = (1..490000) | reverse %}{% for v${n} in l limit: 1 %}`, "{% endfor %}"),
  },
  "pairs of an object that only loops keep": {
    template: nested(90, (n) => `{% for v${n} in o limit: 1 %}`, "{% endfor %}"),
    data: keys,
  },
  "pairs that only tables keep": {
    template: nested(90, (n) => `{% tablerow v${n} in o limit: 1 %}`, "{% endtablerow %}"),
    data: keys,
  },
  "cycles that are named by lists": { template: forever("{% assign l = (1..100000) | reverse %}{% cycle l: 1, 2 %}") },
  "cycles that are named by long texts": {
    template: forever("{% assign x = t | append: i %}{% cycle x: '', '' %}"),
    data: text("a".repeat(300_000)),
  },
  "cycles that are named by ranges": { template: forever("{% cycle (1..i): '', '' %}") },
  "groups that are kept": { template: times(30, (n) => `{% assign a${n} = l | group_by: "a" %}`), data: rows },
  "many objects that are measured again and again": {
    template: `{% assign k = l %}{% assign y = "ab" %}{% for g in (1..19) %}{% assign y = y | append: y %}{% endfor %}${forever("{% assign z = y | append: 'a' %}")}`,
    data: many(() => ({}), 300_000),
  },
  "lists in a list": { template: forever("{% assign x = l | reverse %}"), data: many(() => [], 300_000) },
  "sorted numbers": {
    template: forever("{% assign x = l | sort %}"),
    data: many((n) => (n * 7_919) % 140_001, 140_000),
  },
  "sorted texts that begin alike": {
    template: forever("{% assign x = l | sort %}"),
    data: many((n) => "a".repeat(9_000) + ((n * 37) % 100), 100),
  },
  "texts that are folded and sorted": {
    template: forever("{% assign x = l | sort_natural %}"),
    data: many((n) => "İ".repeat(30) + ((n * 37) % 10_000), 10_000),
  },
  "long texts that are compared for uniqueness": {
    template: `{% assign l = "" | split: "" | push: t %}{% for g in (1..8) %}{% assign l = l | concat: l %}{% endfor %}${forever("{% assign x = l | uniq %}")}`,
    data: text(filled("漢字", 330_000)),
  },
  "objects that are compared for uniqueness": { template: forever("{% assign x = l | uniq %}"), data: rows },
  "properties of properties": {
    template: forever("{% assign x = l | map: k %}"),
    data: () => ({ l: range(1_000, () => ({ a: 1 })), k: filled("a.", 100_000) }),
  },
  "a loop over an object": { template: forever("{% for x in o %}{% break %}{% endfor %}"), data: keys },
  "JSON of an object": { template: forever("{% assign x = o | json %}"), data: keys },
  "a table of one column": {
    template: forever("{% tablerow x in l cols: 1 %}{% endtablerow %}"),
    data: many((n) => n % 10, 400_000),
  },
  "a range without end": {
    template: "{% for x in (d..e) reversed %}{{ x }}{% endfor %}",
    data: () => ({ d: -1e308, e: 1e308 }),
  },
};

export const formatBombs: Record<string, Bomb> = {
  "numbers of 380 digits": { template: filter("times: t"), data: digits },
  "a range of 380 digits": { template: forever("{% assign x = (t..t) %}"), data: digits },
  "the largest number": { template: forever("{% assign x = e | number: 20 %}"), data: digits },
  "the largest amount, in another script": {
    template: forever("{% assign x = e | currency: 'INR', 20 %}"),
    data: digits,
    locale: "hi-IN-u-nu-deva",
  },
  "plural forms of the largest number": { template: forever("{% assign x = e | plural: 'a', 'b' %}"), data: digits },
  "formatters that are never used again": {
    template: forever(
      "{% assign c = i | modulo: z.size %}{% assign k = z[c] %}{% assign x = 1000000 | time: 'full', k %}",
    ),
    data: zones,
  },
  "a calendar that follows the moon": {
    template: forever("{% assign n = i | times: -8640000 %}{% assign x = n | date: 'full' %}"),
    locale: "zh-u-ca-chinese",
  },
  "a pattern of a hundred days of the year": {
    template: filter(`date: "${"%j".repeat(100)}"`),
    data: text("2026-11-21T09:30:00Z"),
  },
  "a pattern of a hundred weekdays": {
    template: filter(`date: "${"%A".repeat(100)}"`),
    data: text("2026-11-21T09:30:00Z"),
  },
  "a QR code of three-byte characters": { template: filter("qr_code"), data: text("漢".repeat(776)) },
  "small texts that change their case in Turkish": { template: filter("capitalize"), data: text("ı"), locale: "tr" },
  "names with runs of combining marks, sorted by the rules of a language": {
    template: forever("{% assign x = l | sort_natural %}"),
    data: many((n) => "\u0f71\u0f72\u0f74\u0f80".repeat(50) + String.fromCharCode(97 + (n % 7)), 20),
  },
  "small QR codes": { template: filter("qr_code"), data: text("1") },
  "a long barcode": { template: filter("barcode"), data: text(filled("1234a", 500)) },
  "whole data that parts pass on to parts": {
    template: forever("{% render 'a', data: o %}"),
    parts: Object.fromEntries(
      range(18, (n) => [
        "abcdefghijklmnopqrs"[n] ?? "",
        `{% assign x = data | json | upcase %}{% render '${"abcdefghijklmnopqrs"[n + 1]}', data: data %}`,
      ]).concat([["s", "{{ data.k1 }}{% assign y = data | json %}"]]),
    ),
    data: () => ({ o: Object.fromEntries(range(5_000, (n) => [`k${n.toString(36)}`, `v${n}`])) }),
  },
  "PDF417 codes of letters": { template: filter("barcode: 'pdf417'"), data: text(filled("Abc, def; ", 900)) },
  "PDF417 codes that are too long": { template: filter("barcode: 'pdf417'"), data: text(filled("a,B1", 2_500)) },
  "GS1-128 codes": { template: filter("barcode: 'gs1-128', 1000"), data: text("(91)abcdefgh(92)ijk".repeat(2)) },
  "ITF codes": { template: filter("barcode: 'itf'"), data: text("12".repeat(240)) },
  "a Data Matrix of accented letters": { template: filter("barcode: 'datamatrix'"), data: text("é".repeat(700)) },
  "Markdown of open brackets": { template: filter("markdown"), data: text("[".repeat(140_000)) },
  "Markdown of emphasis": { template: filter("markdown"), data: text(filled("*a **b ", 200_000)) },
  "Markdown of deep quotations": { template: filter("markdown"), data: text(">".repeat(140_000)) },
  "Markdown of wide tables": {
    template: filter("markdown"),
    data: text(`${"a|".repeat(600)}\n${"-|".repeat(600)}\n${"x\n".repeat(300)}`),
  },
  "captures that are left early": {
    template: forever(`${"{% capture x %}a".repeat(90)}{% break %}${"{% endcapture %}".repeat(90)}`),
  },
  "large texts that change": {
    template: forever("{% ifchanged %}{{ t }}{{ i }}{% endifchanged %}"),
    data: text("a".repeat(900_000)),
  },
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
