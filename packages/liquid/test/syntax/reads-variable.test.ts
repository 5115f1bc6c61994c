import { expect, it } from "vitest";
import { namesRead, readsVariable } from "../../src/syntax/node-contents.ts";
import { parsed } from "../engine.ts";

const readsPage = (source: string) => readsVariable(parsed("header.liquid", source), "page");
const valuesRead = (source: string) => namesRead(parsed("header.liquid", source), ["page", "values"]);

it.each([
  ["an output", "{{ page.number }}"],
  ["an output without a property", "{{ page }}"],
  ["an output with brackets", '{{ page["number"] }}'],
  ["the tag `liquid`", "{% liquid\n assign x = 1\n echo page.number %}"],
  ["an argument of `render`", "{% render 'a', n: page.number %}"],
  ["what `render` binds", "{% render 'a' with page %}"],
  ["an argument of `layout`", "{% layout 'a', n: page.number %}"],
  ["an `assign`", "{% assign n = page.number %}"],
  ["an argument of a filter", "{{ 1 | plus: page.number }}"],
  ["a named argument of a filter", "{{ a | default: 1, allow_false: page.number }}"],
  ["a condition", "{% if page.number == 1 %}a{% endif %}"],
  ["the right side of a condition", "{% if 1 == page.number %}a{% endif %}"],
  ["a later part of a condition", "{% if a or b and c < page.number %}a{% endif %}"],
  ["an `elsif`", "{% if a %}a{% elsif page.number %}b{% endif %}"],
  ["a `case`", "{% case page.number %}{% when 1 %}a{% endcase %}"],
  ["a `when`", "{% case 1 %}{% when 2, page.number %}a{% endcase %}"],
  ["the collection of a loop", "{% for x in page.section %}a{% endfor %}"],
  ["the end of a range", "{% for x in (1..page.total) %}a{% endfor %}"],
  ["the start of a range", "{% for x in (page.number..9) %}a{% endfor %}"],
  ["the `limit` of a loop", "{% for x in list limit: page.number %}a{% endfor %}"],
  ["the `offset` of a loop", "{% for x in list offset: page.number %}a{% endfor %}"],
  ["the `cols` of a table", "{% tablerow x in list cols: page.number %}a{% endtablerow %}"],
  ["a value of a `cycle`", "{% cycle 1, page.number %}"],
  ["the group of a `cycle`", "{% cycle page.number: 1, 2 %}"],
  ["brackets in a path", "{{ titles[page.number] }}"],
  ["brackets inside brackets", "{{ titles[numbers[page.number]] }}"],
  ["brackets around the name", '{{ ["page"].number }}'],
  ["brackets around a name that only the data knows", "{{ [name].number }}"],
])("a file reads a variable in %s", (_, source) => {
  expect(readsPage(source)).toBe(true);
});

it.each([
  ["an `if`", "{% if a %}", "{% endif %}"],
  ["an `else`", "{% if a %}{% else %}", "{% endif %}"],
  ["a `when`", "{% case a %}{% when 1 %}", "{% endcase %}"],
  ["the `else` of a `case`", "{% case a %}{% when 1 %}{% else %}", "{% endcase %}"],
  ["a block", "{% block a %}", "{% endblock %}"],
  ["a loop", "{% for x in list %}", "{% endfor %}"],
  ["the `else` of a loop", "{% for x in list %}{% else %}", "{% endfor %}"],
  ["a table", "{% tablerow x in list %}", "{% endtablerow %}"],
  ["a `capture`", "{% capture x %}", "{% endcapture %}"],
  ["an `ifchanged`", "{% ifchanged %}", "{% endifchanged %}"],
])("a file reads a variable inside %s", (_, start, end) => {
  expect(readsPage(`${start}{{ page.number }}${end}`)).toBe(true);
  expect(readsPage(`${start}{{ number }}${end}`)).toBe(false);
});

it.each([
  ["text", "page.number"],
  ["a text in an output", '{{ "page.number" }}'],
  ["a property of the same name", "{{ document.page }}"],
  ["a property of the same name in brackets", '{{ document["page"] }}'],
  ["a name that begins with it", "{{ pages.number }}"],
  ["a comment", "{% comment %}{{ page.number }}{% endcomment %}"],
  ["raw text", "{% raw %}{{ page.number }}{% endraw %}"],
  ["brackets around a different name", '{{ ["document"].id }}'],
  ["tags of parts", "{% layout 'page', a: b %}{% render 'page' with b as page %}{% block page %}{% endblock %}"],
  ["a `cycle` without it", '{% cycle "page", 2 %}'],
  ["`increment`, `break` and `continue`", "{% for x in y %}{% increment n %}{% break %}{% continue %}{% endfor %}"],
])("a file does not read a variable in %s", (_, source) => {
  expect(readsPage(source)).toBe(false);
});

it.each([
  ["{{ page.values.carried.first }}{% if page.values.entry %}{% endif %}", ["carried", "entry"]],
  ['{{ ["page"]["values"]["a"].last }}', ["a"]],
  ["{{ page[name].b }}{{ [name].values.c }}", ["b", "c"]],
  ["{{ page.number }}{{ document.values.x }}", []],
])("the property names that a file reads are the names in its paths: %s", (source, expected) => {
  expect(valuesRead(source)).toEqual(expected);
});

it.each([
  "{{ page.values[name].first }}",
  "{{ [name] }}",
  "{% assign values = page.values %}",
  "{% render 'a', page: page %}",
])("a file may read any property after %s", (source) => {
  expect(valuesRead(source)).toBeNull();
});
