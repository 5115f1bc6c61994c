// Templates for each primitive of the template language. Each template spends the whole budget on its primitive.
// `small` repeats the primitive on small values, and `large` on the largest values that data can contain.

/** The templates of one primitive. Each is repeated until the budget is used up. */
export type Primitive = { small: string[]; large: string[] };

const text = (filter: string): Primitive => ({
  small: [`{% assign x = s | ${filter} %}`],
  large: [`{% assign x = long | ${filter} %}`],
});
const list = (filter: string, rowFilter = filter): Primitive => ({
  small: [`{% assign x = few | ${filter} %}`],
  large: [`{% assign x = many | ${filter} %}`, `{% assign x = rows | ${rowFilter} %}`],
});
const items = (filter: string, large = filter): Primitive => ({
  small: [`{% assign x = fewRows | ${filter} %}`],
  large: [`{% assign x = rows | ${large} %}`],
});
const number = (filter: string): Primitive => ({
  small: [`{% assign x = 1234.56 | ${filter} %}`, `{% assign x = "1234.56" | ${filter} %}`],
  large: [`{% assign x = long | ${filter} %}`],
});

export const filterPrimitives: Record<string, Primitive> = {
  abs: number("abs"),
  append: {
    small: ['{% assign x = s | append: "y" %}'],
    large: ['{% assign x = long | append: "y" | downcase %}', "{% assign x = long | append: long %}"],
  },
  array_to_sentence_string: list("array_to_sentence_string", 'map: "name" | array_to_sentence_string'),
  asset: { small: ['{% assign x = "logo.svg" | asset %}'], large: ["{% assign x = long | asset %}"] },
  at_least: number("at_least: 5.5"),
  at_most: number("at_most: 5.5"),
  barcode: {
    small: [
      "{% assign x = 1234 | barcode %}",
      '{% assign x = 400638133393 | barcode: "ean13" %}',
      '{% assign x = s | barcode: "datamatrix" %}',
      '{% assign x = s | barcode: "pdf417" %}',
      '{% assign x = "(01)09521234543213" | barcode: "gs1-128" %}',
      '{% assign x = 12 | barcode: "itf" %}',
      '{% assign x = 1540014128876 | barcode: "itf14" %}',
    ],
    large: [
      "{% assign x = code | barcode %}",
      '{% assign x = code | barcode: "datamatrix" %}',
      '{% assign x = code | barcode: "pdf417" %}',
    ],
  },
  base64_decode: {
    small: ['{% assign x = "aGVsbG8=" | base64_decode %}'],
    large: ["{% assign x = base64 | base64_decode %}"],
  },
  base64_encode: text("base64_encode"),
  base64_url_safe_decode: {
    small: ['{% assign x = "aGVsbG8=" | base64_url_safe_decode %}'],
    large: ["{% assign x = base64 | base64_url_safe_decode %}"],
  },
  base64_url_safe_encode: text("base64_url_safe_encode"),
  capitalize: text("capitalize"),
  ceil: number("ceil"),
  compact: list("compact", 'compact: "name"'),
  concat: { small: ["{% assign x = few | concat: few %}"], large: ["{% assign x = many | concat: many %}"] },
  currency: {
    small: [
      '{% assign x = 1234.5 | currency: "EUR" %}',
      "{% assign x = 1234.5 | currency: 'EUR', i %}",
      "{% assign c = i | modulo: 100 %}{% assign code = codes[c] %}{% assign d = i | modulo: 21 %}{% assign x = 1 | currency: code, d %}",
    ],
    large: ['{% assign x = long | currency: "EUR" %}'],
  },
  date: {
    small: [
      '{% assign x = "2026-11-21T09:30:00Z" | date: "full" %}',
      '{% assign x = "2026-11-21T09:30:00Z" | date: "%A %B %d %Y %H:%M:%S %Z %j %c" %}',
      "{% assign z = i | modulo: zones.size %}{% assign x = 1000000 | date: 'full', zones[z] %}",
    ],
    large: ["{% assign x = long | date %}"],
  },
  default: {
    small: ['{% assign x = s | default: "y" %}'],
    large: ['{% assign x = long | default: "y" %}', '{% assign x = object | default: "y" %}'],
  },
  divided_by: number("divided_by: 7.3"),
  downcase: text("downcase"),
  escape: {
    small: ["{% assign x = s | escape %}"],
    large: ["{% assign x = long | escape %}", "{% assign x = special | escape %}"],
  },
  escape_once: { small: ["{% assign x = s | escape_once %}"], large: ["{% assign x = special | escape_once %}"] },
  find: items('find: "name", "none"'),
  find_index: items('find_index: "name", "none"'),
  first: {
    small: ["{% assign x = s | first %}"],
    large: ["{% assign x = many | first %}", "{% assign x = object | first %}"],
  },
  floor: number("floor"),
  group_by: items('group_by: "name"'),
  has: items('has: "name", "none"'),
  join: list('join: ", "', 'map: "name" | join: ", "'),
  json: {
    small: ["{% assign x = fewRows | json %}"],
    large: ["{% assign x = rows | json %}", "{% assign x = long | json %}", "{% assign x = many | json %}"],
  },
  last: { small: ["{% assign x = s | last %}"], large: ["{% assign x = many | last %}"] },
  lstrip: { small: ["{% assign x = s | lstrip %}"], large: ["{% assign x = spaces | lstrip %}"] },
  map: items('map: "name"'),
  markdown: {
    small: ["{% assign x = s | markdown %}"],
    large: ["{% assign x = markdownText | markdown %}", "{% assign x = markdownTable | markdown %}"],
  },
  minus: number("minus: 7.35"),
  modulo: number("modulo: 7.35"),
  newline_to_br: {
    small: ["{% assign x = s | newline_to_br %}"],
    large: ["{% assign x = long | newline_to_br %}", "{% assign x = lines | newline_to_br %}"],
  },
  number: { small: ["{% assign x = 1234.5 | number: 2 %}"], large: ["{% assign x = long | number: 2 %}"] },
  percent: { small: ["{% assign x = 0.195 | percent: 1 %}"], large: ["{% assign x = long | percent: 1 %}"] },
  plural: {
    small: ['{% assign x = i | plural: "item", "items" %}'],
    large: ['{% assign x = long | plural: "item", "items" %}'],
  },
  plus: number("plus: 7.35"),
  prepend: { small: ['{% assign x = s | prepend: "y" %}'], large: ['{% assign x = long | prepend: "y" | downcase %}'] },
  push: { small: ["{% assign x = few | push: 1 %}"], large: ["{% assign x = many | push: 1 %}"] },
  qr_code: {
    small: ["{% assign x = s | qr_code %}", "{% assign x = 1 | qr_code: 'H' %}"],
    large: ["{% assign x = code | qr_code %}", "{% assign x = code | qr_code: 'H' %}"],
  },
  raw: text("raw"),
  reject: items('reject: "name", "none"'),
  remove: { small: ['{% assign x = s | remove: "a" %}'], large: ['{% assign x = long | remove: "a" %}'] },
  remove_first: {
    small: ['{% assign x = s | remove_first: "a" %}'],
    large: ['{% assign x = long | remove_first: "none of it" %}'],
  },
  remove_last: {
    small: ['{% assign x = s | remove_last: "a" %}'],
    large: ['{% assign x = long | remove_last: "none of it" %}'],
  },
  replace: {
    small: ['{% assign x = s | replace: "a", "bb" %}'],
    large: [
      '{% assign x = long | replace: "a", "bb" %}',
      '{% assign x = same | replace: sameHalf, "b" %}',
      '{% assign x = long | replace: "", "b" %}',
    ],
  },
  replace_first: {
    small: ['{% assign x = s | replace_first: "a", "b" %}'],
    large: ['{% assign x = same | replace_first: sameThenOther, "b" %}'],
  },
  replace_last: {
    small: ['{% assign x = s | replace_last: "a", "b" %}'],
    large: ['{% assign x = same | replace_last: otherThenSame, "b" %}'],
  },
  reverse: list("reverse"),
  round: number("round: 1"),
  rstrip: { small: ["{% assign x = s | rstrip %}"], large: ["{% assign x = spaces | rstrip %}"] },
  size: {
    small: ["{% assign x = s | size %}"],
    large: ["{% assign x = object | size %}", "{% assign x = many | size %}"],
  },
  slice: {
    small: ["{% assign x = s | slice: 1, 3 %}"],
    large: ["{% assign x = long | slice: 1, 400000 %}", "{% assign x = many | slice: 1, 400000 %}"],
  },
  slugify: text("slugify"),
  sort: {
    small: ["{% assign x = few | sort %}"],
    large: ["{% assign x = many | sort %}", '{% assign x = rows | sort: "name" %}', "{% assign x = alike | sort %}"],
  },
  sort_natural: {
    small: ["{% assign x = few | sort_natural %}"],
    large: [
      "{% assign x = many | sort_natural %}",
      "{% assign x = alike | sort_natural %}",
      "{% assign x = rows | sort_natural: 'name' %}",
    ],
  },
  split: {
    small: ['{% assign x = s | split: "" %}'],
    large: [
      '{% assign x = long | split: "" %}',
      '{% assign x = long | split: " " %}',
      '{% assign x = long | split: "a" %}',
    ],
  },
  strip: { small: ["{% assign x = s | strip %}"], large: ["{% assign x = spaces | strip %}"] },
  strip_html: {
    small: ["{% assign x = s | strip_html %}"],
    large: [
      "{% assign x = tags | strip_html %}",
      "{% assign x = openTags | strip_html %}",
      "{% assign x = scripts | strip_html %}",
    ],
  },
  strip_newlines: {
    small: ["{% assign x = s | strip_newlines %}"],
    large: ["{% assign x = lines | strip_newlines %}"],
  },
  sum: {
    small: ["{% assign x = few | sum %}"],
    large: ["{% assign x = decimals | sum %}", '{% assign x = rows | sum: "n" %}'],
  },
  t: {
    small: [
      '{% assign x = "plain" | t: a: s %}',
      '{% assign x = "plural" | t: n: i %}',
      '{% assign k = i | modulo: 1000 | prepend: "long" %}{% assign x = k | t: a: 1 %}',
    ],
    large: ['{% assign x = "plain" | t: a: long %}', '{% assign x = "many" | t: a: special %}'],
  },
  time: {
    small: [
      '{% assign x = "2026-11-21T09:30:00Z" | time: "full" %}',
      "{% assign z = i | modulo: zones.size %}{% assign x = 1000000 | time: 'full', zones[z] %}",
    ],
    large: ["{% assign x = long | time %}"],
  },
  times: number("times: 7.35"),
  truncate: { small: ["{% assign x = s | truncate: 5 %}"], large: ["{% assign x = long | truncate: 400000 %}"] },
  truncatewords: {
    small: ["{% assign x = s | truncatewords: 1 %}"],
    large: ["{% assign x = long | truncatewords: 100000 %}"],
  },
  uniq: {
    small: ["{% assign x = few | uniq %}"],
    large: ["{% assign x = many | uniq %}", '{% assign x = rows | uniq: "name" %}', "{% assign x = rows | uniq %}"],
  },
  upcase: text("upcase"),
  url_decode: { small: ["{% assign x = s | url_decode %}"], large: ["{% assign x = encoded | url_decode %}"] },
  url_encode: text("url_encode"),
  where: items('where: "name", "none"'),
};

const condition = (comparison: string) => `{% if ${comparison} %}{% endif %}`;

export const comparisonPrimitives: Record<string, Primitive> = {
  "==": {
    small: [condition("s == t")],
    large: [
      condition("long == longCopy"),
      condition("many == manyCopy"),
      condition("rows == rowsCopy"),
      condition("object == empty"),
      condition("spaces == blank"),
    ],
  },
  "!=": { small: [condition("s != t")], large: [condition("long != longCopy")] },
  "<>": { small: [condition("s <> t")], large: [condition("long <> longCopy")] },
  "<": { small: [condition("i < 5")], large: [condition("long < longCopy")] },
  ">": { small: [condition("i > 5")], large: [condition("long > longCopy")] },
  "<=": { small: [condition("i <= 5")], large: [condition("long <= longCopy")] },
  ">=": { small: [condition("i >= 5")], large: [condition("long >= longCopy")] },
  contains: {
    small: [condition("s contains t")],
    large: [
      condition("long contains 'none of it'"),
      condition("same contains sameThenOther"),
      condition("many contains 'none'"),
      condition("object contains 'none'"),
    ],
  },
};

/** The parts that the templates of `tagPrimitives` use. */
export const calibrationParts: Record<string, string> = {
  empty: "",
  value: "{{ value }}",
  frame: "{% block title %}{% endblock %}{% block %}{% endblock %}",
  "with-layout": "{% layout 'frame' %}{% block title %}{{ block.super }}{% endblock %}",
  "with-long-text": "{% layout 'frame', other: value %}{{ value }}",
};

export const tagPrimitives: Record<string, Primitive> = {
  text: { small: ["some text"], large: [] },
  output: {
    small: ["{{ s }}", "{{ i }}", "{{ 1.5 }}"],
    large: ["{{ long }}", "{{ special }}", "{{ rows }}", "{{ many }}"],
  },
  assign: { small: ["{% assign x = 1 %}", "{% assign x = rows[5].name %}"], large: ["{% assign x = many %}"] },
  capture: {
    small: ["{% capture x %}{% endcapture %}", "{% capture x %}a{% endcapture %}"],
    large: ["{% capture x %}{{ long }}{% endcapture %}"],
  },
  case: {
    small: ["{% case i %}{% when 1 %}{% when 2 %}{% endcase %}"],
    large: [`{% case long %}${"{% when longCopy %}".repeat(400)}{% endcase %}`],
  },
  cycle: { small: ['{% cycle "a", "b" %}', '{% cycle i: "a", "b" %}'], large: [`{% cycle ${"'', ".repeat(90)}'' %}`] },
  increment: { small: ["{% increment x %}"], large: [] },
  decrement: { small: ["{% decrement x %}"], large: [] },
  echo: { small: ["{% echo s %}"], large: ["{% echo long %}"] },
  for: {
    small: ["", "{% for y in few %}{% endfor %}", "{% for y in (1..2) reversed %}{% endfor %}"],
    large: [
      "{% for y in object limit: 1 %}{% endfor %}",
      "{% for y in many limit: 1 %}{% endfor %}",
      "{% for y in rows %}{% endfor %}",
    ],
  },
  render: {
    small: ["{% render 'empty' %}", "{% render 'empty' for few %}", "{% render 'value', value: s, other: i %}"],
    large: ["{% render 'empty' for object %}", "{% render 'empty' for many %}"],
  },
  layout: { small: ["{% render 'with-layout' %}"], large: ["{% render 'with-long-text', value: long %}"] },
  block: { small: ["{% block a %}{% endblock %}", "{% block %}{% endblock %}"], large: [] },
  tablerow: {
    small: ["{% tablerow y in few cols: 2 %}{% endtablerow %}"],
    large: ["{% tablerow y in many %}{% endtablerow %}"],
  },
  if: {
    small: ["{% if s %}{% endif %}", "{% if s %}{% else %}{% endif %}"],
    large: [
      `{% if ${"nil or ".repeat(99)}nil %}{% endif %}`,
      `{% if nil %}${"{% elsif nil %}".repeat(400)}{% endif %}`,
    ],
  },
  unless: { small: ["{% unless s %}{% endunless %}"], large: [] },
  ifchanged: {
    small: ["{% ifchanged %}{{ i }}{% endifchanged %}"],
    large: ["{% ifchanged %}{{ long }}{% endifchanged %}"],
  },
  break: { small: ["{% for y in few %}{% break %}{% endfor %}"], large: [] },
  continue: { small: ["{% for y in few %}{% continue %}{% endfor %}"], large: [] },
  comment: { small: ["{% comment %}{% endcomment %}"], large: [] },
  "#": { small: ["{% # nothing %}"], large: [] },
};

export const expressionPrimitives: Record<string, Primitive> = {
  path: {
    small: ["{% assign x = deep.a.a.a.a.a.a.a.a %}"],
    large: [
      `{% assign x = deep${".a".repeat(50)} %}`,
      "{% assign x = object[longKey] %}",
      "{% assign x = object.size %}",
      "{% assign x = object.first %}",
    ],
  },
  range: {
    small: ["{% assign x = (1..5) %}"],
    large: ["{% assign x = (1..400000) | reverse %}", "{% assign x = (long..long) %}"],
  },
  lookup: {
    small: ["{% assign k = i | modulo: 50000 %}{% assign x = many[k] %}{% assign y = object[x] %}"],
    large: [],
  },
  "filter chain": { small: [`{% assign x = s ${"| strip ".repeat(50)} %}`], large: [] },
};
