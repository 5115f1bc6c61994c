import { expect, it } from "vitest";
import { Meter } from "../src/meter.ts";
import { begun, parsed, problemOf, textOf } from "./engine.ts";

const reasonOf = (source: string, data: Record<string, unknown> = {}) => problemOf(source, data).reason;

it.each([
  ["10.1 | minus: 2.2", "7.9"],
  ["0.1 | plus: 0.2", "0.3"],
  ["1.1 | times: 1.1", "1.21"],
  ["-7 | divided_by: 2", "-4"],
  ["1.005 | round: 2", "1.01"],
  ["1234.5 | round: -2", "1200"],
  ['"10.1" | minus: "2.2"', "7.9"],
  ['"12 apples" | plus: 1', "13"],
  ["5.0", "5.0"],
  ["9007199254740993 | plus: 1.5", "9007199254740994.5"],
  ["1e3 | plus: 1", null],
])("arithmetic: `%s` is %s", (expression, expected) => {
  if (expected === null) expect(() => textOf(`{{ ${expression} }}`)).toThrow();
  else expect(textOf(`{{ ${expression} }}`)).toBe(expected);
});

it("arithmetic adds the amounts of a list as decimals", () => {
  const data = { items: [{ amount: 0.1 }, { amount: 0.2 }, { amount: "0.30" }] };

  expect(textOf('{{ items | sum: "amount" }}', data)).toBe("0.6");
});

it("arithmetic prints a sum of decimals as a decimal unless a filter formats it", () => {
  const data = { tenths: Array.from({ length: 10 }, () => 0.1) };

  expect(textOf('{{ tenths | sum }}, {{ tenths | sum | number }}, {{ tenths | sum | currency: "EUR" }}', data)).toBe(
    "1.0, 1, €1.00",
  );
});

it.each(["divided_by: 0", "modulo: 0", "divided_by: 0.0", "divided_by: nil"])("arithmetic refuses `%s`", (filter) => {
  expect(reasonOf(`{{ 1 | ${filter} }}`)).toMatch(/^`(divided_by|modulo)`: nothing can be divided by 0$/);
});

const items = [
  { kind: "b", colour: "red", price: 1 },
  { kind: "a", colour: "red", price: 2 },
  { kind: "b", colour: "blue", price: 3 },
];

it("group_by returns groups with a name, their items and the number of items, in the order of their first items", () => {
  const source = `{% assign groups = items | group_by: "kind" %}{% for group in groups -%}
      {{ group.name }} {{ group.size }} {{ group.items.size }} {{ group.items | sum: "price" }};
    {%- endfor %}`;

  expect(textOf(source, { items })).toBe("b 2 2 4;a 1 1 2;");
});

it("group_by can group the items of a group", () => {
  const source = `{% assign groups = items | group_by: "kind" %}{% for group in groups -%}
      {{ group.name }}:{% assign inner = group.items | group_by: "colour" %}{% for one in inner %} {{ one.name }} {{ one.size }}{% endfor %};
    {%- endfor %}`;

  expect(textOf(source, { items })).toBe("b: red 1 blue 1;a: red 1;");
});

const v = `<b>"a"</b> & 'c'`;

it("escaping does not escape the result of `escape` again", () => {
  expect(textOf("{{ v | escape }}", { v })).toBe(textOf("{{ v }}", { v }));
});

it("escaping escapes the text around the line breaks of `newline_to_br` only once", () => {
  expect(textOf("{{ v | newline_to_br }}", { v: "a<b\nc" })).toBe("a&lt;b<br />\nc");
  expect(textOf("{{ v | escape | newline_to_br }}", { v: "a<b\nc" })).toBe("a&lt;b<br />\nc");
  expect(textOf("{{ v | newline_to_br | raw }}", { v: "a<b\nc" })).toBe("a&lt;b<br />\nc");
});

it("escaping does not escape the result of `capture` again", () => {
  expect(textOf("{% capture x %}<i>{{ v }}</i>{% endcapture %}{{ x }}", { v: "<" })).toBe("<i>&lt;</i>");
});

it("escaping escapes each item of a printed list once", () => {
  const list = "{% capture m %}<b>{{ v }}</b>{% endcapture %}{% assign list = list | push: m | push: v %}";

  expect(textOf(`${list}{{ list }}`, { v: "<i>", list: ["a&b", [1, "<"], { k: "<" }] })).toBe(
    "a&amp;b1&lt;{&#34;k&#34;:&#34;&lt;&#34;}<b>&lt;i&gt;</b>&lt;i&gt;",
  );
  expect(textOf(`${list}{{ list | escape }}`, { v: "<i>", list: [] })).toBe("<b>&lt;i&gt;</b>&lt;i&gt;");
});

it("escaping escapes text that a filter adds to markup", () => {
  const source =
    "{% capture x %}<i>a</i>{% endcapture %}{{ x | append: v }}|{{ v | append: x }}|{{ x | replace: 'a', v }}";

  expect(textOf(source, { v: "<&>" })).toBe("<i>a</i>&lt;&amp;&gt;|&lt;&amp;&gt;<i>a</i>|<i>&lt;&amp;&gt;</i>");
});

it("escaping escapes the texts and the separator of `join`, but not the markup", () => {
  const source = "{% capture x %}<i>{% endcapture %}{% assign list = list | push: x %}{{ list | join: '<' }}";

  expect(textOf(source, { list: ["<a>"] })).toBe("&lt;a&gt;&lt;<i>");
});

it.each([
  ["url_decode", "%3Cb%3E"],
  ["base64_decode", "PGI+"],
  ["base64_url_safe_decode", "PGI-"],
])("the text that `%s` decodes is escaped, even if its input is markup", (filter, v) => {
  expect(textOf(`{% capture x %}{{ v }}{% endcapture %}{{ x | ${filter} }}`, { v })).toBe("&lt;b&gt;");
  expect(textOf(`{{ v | escape | ${filter} | append: "<" }}`, { v })).toBe("&lt;b&gt;&lt;");
});

it.each(["slice: 0, 4", "split: '' | join: ''"])("escaping happens exactly once after `%s`", (filter) => {
  expect(textOf(`{{ '<' | escape | ${filter} }} {{ '<' | ${filter} }}`)).toBe("&lt; &lt;");
});

it("a `raw` block loses its inner white space only next to a dash", () => {
  expect(textOf("{% raw %} {{ a {%- endraw %} {% raw %} b }} {% endraw -%} .")).toBe(" {{ a  b }} .");
});

it.each([
  [String.raw`"a\nb"`, "a\nb"],
  [String.raw`"a\tb"`, "a\tb"],
  [String.raw`"\u20ac"`, "€"],
  [String.raw`'it\'s'`, "it&#39;s"],
  [String.raw`"a\\b"`, "a\\b"],
])("the escapes in a string are read: %s", (literal, expected) => {
  expect(textOf(`{{ ${literal} }}`)).toBe(expected);
});

it.each([
  ["'2' > 1", "a string cannot be compared with a number"],
  ["list < 1", "a list cannot be compared with a number"],
  ["object >= 'a'", "an object cannot be compared with a string"],
])("comparisons: `%s` is refused, because the values have no order", (condition, reason) => {
  expect(reasonOf(`{% if ${condition} %}{% endif %}`, { list: [1], object: { a: 1 } })).toBe(reason);
});

it.each([
  ["list == same", "yes"],
  ["object == alike", "yes"],
  ["object == more", "no"],
  ["true >= true", "no"],
  ["empty == empty", "yes"],
  ["empty == blank", "no"],
  ["object contains 'toString'", "no"],
  ["'false' contains false", "no"],
  ["'a' contains nil", "no"],
])("comparisons: `%s`: %s", (condition, expected) => {
  const own = { longer: [1, [2], 3], more: { a: 1, c: 2 } };
  const data = { list: [1, [2]], same: [1, [2]], object: { a: 1, b: 2 }, alike: { b: 2, a: 1 }, ...own };

  expect(textOf(`{% if ${condition} %}yes{% else %}no{% endif %}`, data)).toBe(expected);
});

it.each([
  ["v == empty", '"", [], {}'],
  ["blank == v", 'null, false, "", " ", [], {}'],
  ["v == nil", "null"],
  ["v <> true", 'null, false, 0, 1, 2.5, 3, "", " ", "b", [], [0], {}, {"a":0}'],
  ["(1..3) contains v", "1, 3"],
])("the condition `%s` is met by %s", (condition, expected) => {
  const values = [null, false, true, 0, 1, 2.5, 3, "", " ", "b", [], [0], {}, { a: 0 }];

  const met = values.filter((v) => textOf(`{% if ${condition} %}x{% endif %}`, { v }) !== "");

  expect(met.map((v) => JSON.stringify(v)).join(", ")).toBe(expected);
});

it.each([
  ["list[1.9]", "2"],
  ["object[list]", ""],
  ["digits[1]", "one"],
  ["sized.size", "L"],
  ["['text']", "😀x𝒜"],
])("properties: `%s` is %j", (expression, expected) => {
  const objects = { object: { a: 1, b: 2 }, digits: { 1: "one" }, sized: { size: "L" } };
  const data = { ...objects, list: [1, 2], text: "😀x𝒜" };

  expect(textOf(`{{ ${expression} }}`, data)).toBe(expected);
});

it.each([
  ["{% for i in (1..3) limit: nil, offset: nil %}{{ i }}{% endfor %}", "123"],
  ["{% for i in r offset: -4 limit: 1 %}{{ i }}{% endfor %}", "1"],
  ["{% for p in object %}{{ p[0] }}={{ p.last }};{% endfor %}", "a=1;b=2;"],
  ["{% for c in 'ab' %}[{{ c }}]{% endfor %}{% for c in '' %}[]{% endfor %}{% for c in 5 %}[]{% endfor %}", "[ab]"],
  ["{% cycle 'x': 1, 2 %}{% cycle 'x': 3, 4 %}{% cycle 1: 5, 6 %}{% cycle '1': 7, 8 %}", "1457"],
  ["{% # a\n\n # b %}{% doc %} {{ a {% enddoc %}x", "x"],
  ["[{% if true %} {% assign x = 1 %} {% endif %}][{% if true %} {{ x }} {% endif %}]", "[][ 1 ]"],
  ["[{% if true %} {% for i in r %} {% endfor %}{% capture c %}x{% endcapture %} {% endif %}]", "[]"],
  ["{% for i in r %}{% endfor %}[{{ i }}{{ forloop.index }}]", "[]"],
])("tags: `%s` prints %j", (source, expected) => {
  expect(textOf(source, { object: { a: 1, b: 2 }, r: [1, 2, 3, 4, 5, 6] })).toBe(expected);
});

it.each([
  ["%Y-%m-%d", "2026-11-05"],
  ["%-d %B %Y", "5 November 2026"],
  ["%e %b %y", " 5 Nov 26"],
  ["%A, %a", "Thursday, Thu"],
  ["%H:%M:%S", "21:04:09"],
  ["%I:%M %p, %l%P", "09:04 PM,  9pm"],
  ["%j %u %w %s", "309 4 4 1793912649"],
  ["%^b %% %Q", "NOV % %Q"],
  ["%F %T %z %Z", "2026-11-05 21:04:09 +0000 UTC"],
  ["%x %D %X %R %h %L", "11/05/26 11/05/26 21:04:09 21:04 Nov 070"],
])("`date` with a pattern: `%s` gives %j", (pattern, expected) => {
  expect(textOf(`{{ "2026-11-05T21:04:09.070Z" | date: "${pattern}" }}`)).toBe(expected);
});

it.each([
  ["2026-01-11T00:04:09Z", "%c, %I %k %l %p %P %j %u %w", "Sun Jan 11 00:04:09 2026, 12  0 12 AM am 011 7 0"],
  ["2026-01-11T12:00:00Z", "%I %l %p %P", "12 12 PM pm"],
  ["2026-01-01T01:00:00Z", "%-d/%-m %-H %-I %-j %-e %-k %-M", "1/1 1 1 1 1 1 0"],
  ["2026-11-05", "%F %T", "2026-11-05 00:00:00"],
  ["123456789", "%F", "1973-11-29"],
  [`5 Nov 2026 ${"(x)".repeat(20)}`, "%F", `5 Nov 2026 ${"(x)".repeat(20)}`],
])("`date` with a pattern reads %s for `%s`", (v, pattern, expected) => {
  expect(textOf(`{{ v | date: "${pattern}" }}`, { v })).toBe(expected);
});

it("`date` accepts only patterns of limited length", () => {
  expect(reasonOf(`{{ "now" | date: "${"%Y".repeat(101)}" }}`)).toBe("a date pattern may have at most 200 characters");
});

it("`date` with a pattern uses the time zone of its second argument", () => {
  const source = '{{ "2026-11-05T21:04:09Z" | date: "%d %H:%M %z", "Asia/Kolkata" }}';

  expect(textOf(source)).toBe("06 02:34 +0530");
});

it.each([
  ["brackets", `{{ ${"a[".repeat(21)}1${"]".repeat(21)} }}`, "brackets are nested more than 20 levels deep"],
  ["tag", `{% if ${"a".repeat(20_001)} %}{% endif %}`, "the tag is longer than 20000 characters"],
  ["output", `{{ ${"a".repeat(20_001)} }}`, "the output is longer than 20000 characters"],
])("the limits of a template are checked when the template is parsed: %s", (_what, source, reason) => {
  expect(reasonOf(source)).toBe(reason);
});

const nested = (depth: number, outer: (inner: unknown) => unknown): unknown =>
  depth === 0 ? [] : outer(nested(depth - 1, outer));

it.each([
  ["{{ v }}", "a list", (inner: unknown) => [inner]],
  ["{{ v | json }}", "a list", (inner: unknown) => [inner]],
  ["{{ v | json }}", "an object", (inner: unknown) => ({ inner })],
  ["{{ v | join }}", "a list", (inner: unknown) => [inner]],
  ["{{ v | append: 1 }}", "a list", (inner: unknown) => [inner]],
  ["{% if v == w %}{% endif %}", "a list", (inner: unknown) => [inner]],
])("a value that is nested more than 100 levels deep is refused by `%s`: %s", (source, _what, outer) => {
  const [deep, tooDeep] = [100, 101].map((depth) => ({ v: nested(depth, outer), w: nested(depth, outer) }));

  expect(() => textOf(source, deep)).not.toThrow();
  expect(reasonOf(source, tooDeep)).toBe("a value is nested more than 100 levels deep");
});

it.each([
  ["{{ a b }}", "`b` is not expected here"],
  ["{{ 'a }}", "the string that begins with ' is not closed"],
  ["{{ a. }}", "the name of the property after `.` is missing"],
  ["{{ a[1 }}", "`]` is expected at the end"],
  ["{{ a | }}", "the name of the filter after `|` is missing"],
  ["{{ a | default: 1, allow: 2 }}", "the filter `default` has no argument named `allow`"],
  ["{{ a ~ 2 }}", "`~` is not expected here; use the filter `append`"],
  ["{{ a.0.b }}", "`.0` is not the name of a property; write `[0]`"],
  ["{% if a = 1 %}{% endif %}", "`=` does not compare values; write `==`"],
  ["{% if a || b %}{% endif %}", "`||` is not expected here; write `or`"],
  ["{% if a | size > 1 %}{% endif %}", "a condition cannot contain filters; use `assign` first"],
  ["{% if %}{% endif %}", "a value is expected at the end"],
  ["{% for a of b %}{% endfor %}", "`in` is missing in `for`"],
  ["{% for a in b cols: 2 %}{% endfor %}", "`for` has no option `cols`"],
  ["{% for i in (1..6) limit: 'x' %}{% endfor %}", "`limit` must be a whole number"],
  ["{% # a\n b %}", "every line of an inline comment must begin with `#`"],
  ["{% capture %}{% endcapture %}", "`capture` needs the name of a variable"],
  ["{% for %}{% endfor %}", "the name of the variable in `for` is missing"],
  ["{% if a", "the tag that begins with `{%` is not closed with `%}`"],
  ["{% doc x %}{% enddoc %}", "the tag `doc` takes no arguments"],
  ["{% doc %}{% doc %}{% enddoc %}", "a `doc` block cannot contain another"],
  ["{% assign 1a! = 2 %}", "`assign` needs a name, `=` and a value"],
  ["{% if a %}{% endfor %}", "the tag `endfor` does not belong in a block that begins with `if`"],
  ["{% endif %}", "the tag `endif` does not belong to an open block"],
  ["{% raw %}", "the block `raw` is not closed with `endraw`"],
  ["{% comment %}", "the tag `comment` is not closed with `endcomment`"],
  ["{% %}", "the tag has no name"],
  ["{{ a", "the output that begins with `{{` is not closed with `}}`"],
])("a wrong template: `%s` is refused with a reason", (source, reason) => {
  expect(reasonOf(source)).toBe(reason);
});

it.each([
  ["{% if not a %}x{% endif %}", "there is no `not`; use `unless`, or compare with `== false` or `!=`"],
  ["{% if a and not (b) %}x{% endif %}", "there is no `not`; use `unless`, or compare with `== false` or `!=`"],
  ["{% if (a and b) or c %}x{% endif %}", parentheses()],
  ["{% if a is 1 %}x{% endif %}", "`is` is not expected here; write `==`"],
  ["{% if 'x' in a %}x{% endif %}", '`in` is not expected here; write the list first, as in `tags contains "new"`'],
  ["{% if a %}x{% else if b %}y{% endif %}", "`else` takes no condition; write `elsif`"],
  ["{% if a %}x{% end if %}", "there is no tag `end`; write `endif`"],
  ["{% for b in a %}x{% end %}", "there is no tag `end`; write `endfor`"],
  ["{% foreach b in a %}x{% endforeach %}", "there is no tag `foreach`; write `for`"],
  ["{% for i in 1..3 %}x{% endfor %}", "`..` is not expected here; write a range in parentheses, as in `(1..3)`"],
  ["{% for b in a limit 3 %}x{% endfor %}", "`limit` is not expected here; write `limit: 3`"],
  ["{{ a | append: “b” }}", "`“` is not expected here; write straight quotes"],
  ["{{ a ? 'b' : 'c' }}", "`?` is not expected here; write `{% if %}`, `{% else %}` and `{% endif %}`"],
  ["{{ a || 'b' }}", "`||` is not expected here; use the filter `default`"],
  ["{{ a | date('long') }}", "`(` is not expected here; a filter's arguments follow a colon, as in `date: …`"],
  ["{{ a | default 'b' }}", "`b` is not expected here; a filter's arguments follow a colon, as in `default: …`"],
  ["{{ a.size() }}", "`(` is not expected here; use a filter instead of a function"],
  ["{% for b in a reverse %}x{% endfor %}", "`reverse` is not expected here; write `reversed`"],
  ["{{ a + 1 }}", "`+` is not expected here; use the filter `plus`"],
  ["{{ a - 1 }}", "`-` is not expected here; use the filter `minus`"],
  ["{{ a * 1 }}", "`*` is not expected here; use the filter `times`"],
  ["{{ a / 1 }}", "`/` is not expected here; use the filter `divided_by`"],
  ["{{ a % 1 }}", "`%` is not expected here; use the filter `modulo`"],
  ["{% if a & b %}x{% endif %}", "`&` is not expected here; write `and`"],
  ["{% if !a %}x{% endif %}", "`!` is not expected here; use `unless` or `!=`"],
  ["{{ $a }}", "`$` is not expected here; write names without it"],
  ["{{ #a }}", "`#` is not expected here; write a tag as `{% if %}`"],
  ["{% elseif a %}", "there is no tag `elseif`; write `elsif`"],
  ["{% set a = 1 %}", "there is no tag `set`; write `assign`"],
  ["{% switch a %}", "there is no tag `switch`; write `case`"],
  ["{% default %}", "there is no tag `default`; write `else`"],
  ["{% print a %}", "there is no tag `print`; write `echo`"],
  ["{{{ a }}}", "`{{{ a }}}` is code of Handlebars; write `{{ a | raw }}` for HTML"],
])("syntax of a different language is refused with the words to write instead: `%s`", (source, reason) => {
  expect(reasonOf(source)).toBe(reason);
});

function parentheses(): string {
  return "parentheses are only for ranges such as `(1..3)`; put one `if` inside another instead";
}

it.each([
  ["x\n{{ a }</p>\n{{ b }}", 2, "the output that begins with `{{` is not closed with `}}`"],
  ["{{ a </p>\n{{ b }}", 1, "the output that begins with `{{` is not closed with `}}`"],
  ["{{ a %}\n{{ b }}", 1, "the output that begins with `{{` is not closed with `}}`"],
  ["\n{% if a }x\n{% endif %}", 2, "the tag `if` is not closed with `%}`"],
  ["{% if a %}x\n{% else }y\n{% endif %}", 2, "the tag `else` is not closed with `%}`"],
  [
    "x\n{ % if a %}\n{% endif %}",
    2,
    "no `{%` precedes this `%}`, so `endif` on line 3 does not belong to an open block",
  ],
])("a missing brace is reported at its place: %j", (source, line, reason) => {
  expect(problemOf(source)).toEqual({ file: "pages/1.liquid", line, reason });
});

it.each([
  "{{ '}' }}",
  '{{ "{{ a }" }}',
  "{% # } %}",
  "{% comment %}{{ a }{% b }}{% endcomment %}",
  "{% liquid\n # }\n echo a %}",
])("no brace is reported as missing in %s", (source) => {
  expect(() => parsed("pages/1.liquid", source)).not.toThrow();
});

it("a mistake in a tag of several lines is reported at its own line", () => {
  expect(problemOf('{{ a\n  | append: "b"\n  | append "c"\n  | upcase }}').line).toBe(3);
});

/** Returns the work that was done before each pause. */
function work(source: string): number[] {
  const meter = new Meter();
  return Array.from(begun(source, {}, { meter }), () => meter.work);
}

it("a small document is rendered in one slice", () => {
  expect(work("{% for i in (1..1000) %}{{ i }}{% endfor %}")).toEqual([]);
});

it.each([
  ["a comparison with nothing", "{% if v and nothing %}{% endif %}", "{% if v contains nothing %}{% endif %}"],
  ["an order with nothing", "{% if v and nothing %}{% endif %}", "{% if v < nothing %}{% endif %}"],
  ["a loop", "{{ nothing }}{% for i in (1..1) %}{% endfor %}", "{% for i in (1..1) %}{{ nothing }}{% endfor %}"],
  ["a property of nothing", "{{ nothing }}", "{{ nothing.name }}"],
  ["a filter of nothing", "{{ nothing }}", "{{ nothing | first }}"],
  ["the digits of a Roman number", "{{ 4 | plus: 0 }}", "{{ 4 | roman }}"],
])("%s counts as work of the render", (_what, source, more) => {
  const workOf = (text: string) => {
    const meter = new Meter();
    textOf(text, { v: 1 }, { meter });
    return meter.work;
  };

  expect(workOf(more)).toBeGreaterThan(workOf(source));
});

it("the render of a long document is split into slices of limited size", () => {
  const pauses = work("{% for i in (1..200000) %}{% assign x = i | plus: 1 %}{% endfor %}");

  const longest = Math.max(...pauses.map((done, index) => done - (pauses[index - 1] ?? 0)));
  expect(pauses.length).toBeGreaterThan(10);
  expect(longest).toBeLessThan(2_100_000);
});
