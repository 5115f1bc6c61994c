// Templates for each primitive of the template language. Each template spends the whole budget on its primitive: on small values,
// and on the largest values that data can contain.

/** The templates of one primitive. Each is repeated until the budget is used up. */
type Primitives = Record<string, string[]>;

/** Turns expressions into templates. An expression that begins with a tag is already a template. */
function withTags(expressions: Primitives, tags: (expression: string) => string): Primitives {
  const template = (expression: string) => (expression.startsWith("{%") ? expression : tags(expression));
  return Object.fromEntries(Object.entries(expressions).map(([name, each]) => [name, each.map(template)]));
}

const assigned = (expression: string) => `{% assign x = ${expression} %}`;

const text = (filter: string) => [`s | ${filter}`, `long | ${filter}`];
const list = (filter: string, rowFilter = filter) => [`few | ${filter}`, `many | ${filter}`, `rows | ${rowFilter}`];
const items = (filter: string) => [`fewRows | ${filter}`, `rows | ${filter}`];
const exact = (filter: string) => [`amount | ${filter}`, `longAmount | ${filter}`];
const number = (filter: string) => [
  `1234.56 | ${filter}`,
  `"1234.56" | ${filter}`,
  `long | ${filter}`,
  ...exact(filter),
];

const filterExpressions: Primitives = {
  abs: number("abs"),
  append: ['s | append: "y"', 'long | append: "y" | downcase', "long | append: long"],
  array_to_sentence_string: list("array_to_sentence_string", 'map: "name" | array_to_sentence_string'),
  asset: ['"logo.svg" | asset'],
  at_least: number("at_least: 5.5"),
  at_most: number("at_most: 5.5"),
  barcode: [
    "1234 | barcode",
    '400638133393 | barcode: "ean13"',
    's | barcode: "datamatrix"',
    's | barcode: "pdf417"',
    '"(01)09521234543213" | barcode: "gs1-128"',
    '12 | barcode: "itf"',
    '1540014128876 | barcode: "itf14"',
    "code | barcode",
    'code | barcode: "datamatrix"',
    'code | barcode: "pdf417"',
  ],
  base64_decode: ['"aGVsbG8=" | base64_decode', "base64 | base64_decode"],
  base64_encode: text("base64_encode"),
  base64_url_safe_decode: ['"aGVsbG8=" | base64_url_safe_decode', "base64 | base64_url_safe_decode"],
  base64_url_safe_encode: text("base64_url_safe_encode"),
  capitalize: text("capitalize"),
  ceil: number("ceil"),
  compact: list("compact", 'compact: "name"'),
  concat: ["few | concat: few", "many | concat: many"],
  currency: [
    '1234.5 | currency: "EUR"',
    "1234.5 | currency: 'EUR', i",
    "{% assign c = i | modulo: 100 %}{% assign code = codes[c] %}{% assign d = i | modulo: 21 %}{% assign x = 1 | currency: code, d %}",
    'long | currency: "EUR"',
    ...exact('currency: "EUR"'),
  ],
  date: [
    '"2026-11-21T09:30:00Z" | date: "full"',
    '"2026-11-21T09:30:00Z" | date: "%A %B %d %Y %H:%M:%S %Z %j %c"',
    "{% assign z = i | modulo: zones.size %}{% assign x = 1000000 | date: 'full', zones[z] %}",
    "long | date",
  ],
  default: ['s | default: "y"', 'long | default: "y"', 'object | default: "y"'],
  divided_by: [
    ...number("divided_by: 7.3"),
    "longAmount | divided_by: longDivisor, scale: 100",
    "largest | divided_by: 7, scale: 0",
  ],
  downcase: text("downcase"),
  escape: ["s | escape", "long | escape", "special | escape"],
  escape_once: ["s | escape_once", "special | escape_once"],
  find: items('find: "name", "none"'),
  find_index: items('find_index: "name", "none"'),
  first: ["s | first", "many | first", "object | first"],
  floor: number("floor"),
  group_by: items('group_by: "name"'),
  has: items('has: "name", "none"'),
  join: list('join: ", "', 'map: "name" | join: ", "'),
  json: ["fewRows | json", "rows | json", "long | json", "many | json"],
  last: ["s | last", "many | last"],
  lstrip: ["s | lstrip", "spaces | lstrip"],
  map: items('map: "name"'),
  markdown: ["s | markdown", "markdownText | markdown", "markdownTable | markdown"],
  minus: number("minus: 7.35"),
  modulo: [...number("modulo: 7.35"), "longAmount | modulo: longDivisor"],
  newline_to_br: ["s | newline_to_br", "long | newline_to_br", "lines | newline_to_br"],
  number: ["1234.5 | number: 2", "long | number: 2", "writtenDigits | number: 2", ...exact("number: 2")],
  percent: ["0.195 | percent: 1", "long | percent: 1", ...exact("percent: 1")],
  roman: ["3888 | roman"],
  plural: ['i | plural: "item", "items"', 'long | plural: "item", "items"'],
  plus: [...number("plus: 7.35"), "writtenDigits | plus: writtenDigits", "largest | plus: amount"],
  prepend: ['s | prepend: "y"', 'long | prepend: "y" | downcase'],
  push: ["few | push: 1", "many | push: 1"],
  qr_code: ["s | qr_code", "1 | qr_code: 'H'", "code | qr_code", "code | qr_code: 'H'"],
  raw: text("raw"),
  reject: items('reject: "name", "none"'),
  remove: ['s | remove: "a"', 'long | remove: "a"'],
  remove_first: ['s | remove_first: "a"', 'long | remove_first: "none of it"'],
  remove_last: ['s | remove_last: "a"', 'long | remove_last: "none of it"'],
  replace: [
    's | replace: "a", "bb"',
    'long | replace: "a", "bb"',
    'same | replace: sameHalf, "b"',
    'long | replace: "", "b"',
  ],
  replace_first: ['s | replace_first: "a", "b"', 'same | replace_first: sameThenOther, "b"'],
  replace_last: ['s | replace_last: "a", "b"', 'same | replace_last: otherThenSame, "b"'],
  reverse: list("reverse"),
  round: [...number("round: 1"), "amount | round: 290"],
  rstrip: ["s | rstrip", "spaces | rstrip"],
  size: ["s | size", "object | size", "many | size"],
  slice: ["s | slice: 1, 3", "long | slice: 1, 400000", "many | slice: 1, 400000"],
  slugify: text("slugify"),
  sort: ["few | sort", "many | sort", "amounts | sort", "longAmounts | sort", 'rows | sort: "name"', "alike | sort"],
  sort_natural: ["few | sort_natural", "many | sort_natural", "alike | sort_natural", "rows | sort_natural: 'name'"],
  split: ['s | split: ""', 'long | split: ""', 'long | split: " "', 'long | split: "a"'],
  strip: ["s | strip", "spaces | strip"],
  strip_html: ["s | strip_html", "tags | strip_html", "openTags | strip_html", "scripts | strip_html"],
  strip_newlines: ["s | strip_newlines", "lines | strip_newlines"],
  sum: ["few | sum", "decimals | sum", "amounts | sum", "longAmounts | sum", 'rows | sum: "n"'],
  t: [
    '"plain" | t: a: s',
    '"plural" | t: n: i',
    '{% assign k = i | modulo: 1000 | prepend: "long" %}{% assign x = k | t: a: 1 %}',
    '"plain" | t: a: long',
    '"many" | t: a: special',
  ],
  time: [
    '"2026-11-21T09:30:00Z" | time: "full"',
    "{% assign z = i | modulo: zones.size %}{% assign x = 1000000 | time: 'full', zones[z] %}",
    "long | time",
  ],
  times: [...number("times: 7.35"), "longFactor | times: longFactor", "largest | times: amount"],
  truncate: ["s | truncate: 5", "long | truncate: 400000"],
  truncatewords: ["s | truncatewords: 1", "long | truncatewords: 100000"],
  uniq: ["longAmounts | uniq", "few | uniq", "many | uniq", 'rows | uniq: "name"', "rows | uniq"],
  upcase: text("upcase"),
  url_decode: ["s | url_decode", "encoded | url_decode"],
  url_encode: text("url_encode"),
  where: items('where: "name", "none"'),
};

export const filterPrimitives = withTags(filterExpressions, assigned);

const comparedExpressions: Primitives = {
  "==": ["s == t", "long == longCopy", "many == manyCopy", "rows == rowsCopy", "object == empty", "spaces == blank"],
  "!=": ["s != t", "long != longCopy"],
  "<>": ["s <> t", "long <> longCopy"],
  "<": ["i < 5", "longAmount < 7.35", "longAmount < longDivisor", "largest < amount", "long < longCopy"],
  ">": ["i > 5", "long > longCopy"],
  "<=": ["i <= 5", "long <= longCopy"],
  ">=": ["i >= 5", "long >= longCopy"],
  contains: [
    "s contains t",
    "long contains 'none of it'",
    "same contains sameThenOther",
    "many contains 'none'",
    "object contains 'none'",
  ],
};

export const comparisonPrimitives = withTags(comparedExpressions, (comparison) => `{% if ${comparison} %}{% endif %}`);

/** The parts that the templates of `tagPrimitives` use. */
export const calibrationParts: Record<string, string> = {
  empty: "",
  value: "{{ value }}",
  frame: "{% block title %}{% endblock %}{% block %}{% endblock %}",
  "with-layout": "{% layout 'frame' %}{% block title %}{{ block.super }}{% endblock %}",
  "with-long-text": "{% layout 'frame', other: value %}{{ value }}",
};

export const tagPrimitives: Primitives = {
  text: ["some text"],
  output: ["{{ s }}", "{{ i }}", "{{ 1.5 }}", "{{ long }}", "{{ special }}", "{{ rows }}", "{{ many }}"],
  assign: ["{% assign x = 1 %}", "{% assign x = rows[5].name %}", "{% assign x = many %}"],
  capture: [
    "{% capture x %}{% endcapture %}",
    "{% capture x %}a{% endcapture %}",
    "{% capture x %}{{ long }}{% endcapture %}",
  ],
  case: [
    "{% case i %}{% when 1 %}{% when 2 %}{% endcase %}",
    `{% case long %}${"{% when longCopy %}".repeat(400)}{% endcase %}`,
  ],
  cycle: ['{% cycle "a", "b" %}', '{% cycle i: "a", "b" %}', `{% cycle ${"'', ".repeat(90)}'' %}`],
  increment: ["{% increment x %}"],
  decrement: ["{% decrement x %}"],
  echo: ["{% echo s %}", "{% echo long %}"],
  for: [
    "",
    "{% for y in few %}{% endfor %}",
    "{% for y in (1..2) reversed %}{% endfor %}",
    "{% for y in object limit: 1 %}{% endfor %}",
    "{% for y in many limit: 1 %}{% endfor %}",
    "{% for y in rows %}{% endfor %}",
  ],
  render: [
    "{% render 'empty' %}",
    "{% render 'empty' for few %}",
    "{% render 'value', value: s, other: i %}",
    "{% render 'empty' for object %}",
    "{% render 'empty' for many %}",
  ],
  layout: ["{% render 'with-layout' %}", "{% render 'with-long-text', value: long %}"],
  block: ["{% block a %}{% endblock %}", "{% block %}{% endblock %}"],
  tablerow: ["{% tablerow y in few cols: 2 %}{% endtablerow %}", "{% tablerow y in many %}{% endtablerow %}"],
  if: [
    "{% if s %}{% endif %}",
    "{% if s %}{% else %}{% endif %}",
    `{% if ${"nil or ".repeat(99)}nil %}{% endif %}`,
    `{% if nil %}${"{% elsif nil %}".repeat(400)}{% endif %}`,
  ],
  unless: ["{% unless s %}{% endunless %}"],
  ifchanged: ["{% ifchanged %}{{ i }}{% endifchanged %}", "{% ifchanged %}{{ long }}{% endifchanged %}"],
  break: ["{% for y in few %}{% break %}{% endfor %}"],
  continue: ["{% for y in few %}{% continue %}{% endfor %}"],
  comment: ["{% comment %}{% endcomment %}"],
  "#": ["{% # nothing %}"],
};

const otherExpressions: Primitives = {
  path: ["deep.a.a.a.a.a.a.a.a", `deep${".a".repeat(50)}`, "object[longKey]", "object.size", "object.first"],
  range: ["(1..5)", "(1..400000) | reverse", "(long..long)"],
  lookup: ["{% assign k = i | modulo: 50000 %}{% assign x = many[k] %}{% assign y = object[x] %}"],
  "filter chain": [`s ${"| strip ".repeat(50)}`],
};

export const expressionPrimitives = withTags(otherExpressions, assigned);
