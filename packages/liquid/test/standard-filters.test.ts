// Properties of Shopify's filters that golden/golden.test.ts lacks, and the number of arguments of each filter.
import { expect, it } from "vitest";
import { problemOf, textOf } from "./engine.ts";

const data = {
  items: [
    { n: 1, kind: "b", paid: true, seller: { name: "x" } },
    { n: 2, kind: "a" },
    { n: 3, kind: "b", paid: false },
  ],
  object: { a: 1, b: 2 },
  sized: { size: "L", first: "F" },
  list: [1, [2, 3]],
  words: ["b", "A", "c", "a"],
  tags: ["new", "sale"],
  holes: [3, null, 1],
};

/** Renders the expression without escaping its value. */
const textFor = (expression: string) => textOf(`{{ ${expression} | raw }}`, data);
const reasonFor = (expression: string) => problemOf(`{{ ${expression} }}`, data).reason;

it.each([
  ["' ÀB ' | strip | downcase", "àb"],
  ["'a' | append: nil | append: 1 | prepend: true", "truea1"],
  ["'a-b-a' | replace: 'a', '$&'", "$&-b-$&"],
  ["'a-b-a' | replace_first: 'a', '$&' | replace_last: 'a', '$&'", "$&-b-$&"],
  ["'ab' | replace_last: 'x', 'y'", "ab"],
  ["'ab' | replace: '', '-'", "-a-b-"],
  ["'' | replace: '', '-'", "-"],
  ["' Ärger & 2 Söhne! ' | slugify", "ärger-2-söhne"],
  ["'abcdef' | truncate: 3, nil", "abc"],
  ["'  one two three' | truncatewords: 2, '…'", "one two…"],
])("a filter that changes text: `%s` returns %j", (expression, expected) => {
  expect(textFor(expression)).toBe(expected);
});

it.each([
  ["9007199254740992 | times: 1.5", "13510798882111488"],
  ["1 | divided_by: 0.0000000001", "10000000000.0"],
  ["5.0 | round: 1", "5.0"],
  ["0.00000015 | round: 7 | times: 10000000", "2.0"],
  ["' +3 ' | plus: 1", "4"],
])("a filter that calculates: `%s` returns %s", (expression, expected) => {
  expect(textFor(expression)).toBe(expected);
});

it.each([
  ["items | find_index: 'kind', 'z'", "null"],
  ["items | where: 'paid' | map: 'n'", "[1]"],
  ["missing | where: 'x'", "[]"],
  ["holes | where: 'x'", "null"],
  ["tags | where: 'new'", '["new"]'],
  ["list | where: 1", "[1,2,3]"],
  ["tags | push: 'Old' | sort_natural", '["new","Old","sale"]'],
  ["items | map: 'seller.name'", '["x",null,null]'],
  ["items | compact: 'paid' | map: 'n'", "[1,3]"],
  ["items | group_by: 'paid' | map: 'name'", "[true,null,false]"],
  ["'1,#1,##1,1' | split: ',' | push: 1 | push: 1 | uniq", '["1","#1","##1",1]'],
  ["words | array_to_sentence_string", '"b, A, c, and a"'],
  ["tags | array_to_sentence_string: 'or'", '"new or sale"'],
  ["tags | join: nil", '"newsale"'],
  ["list | push: 4", "[1,[2,3],4]"],
  ["missing | push: 1", "[1]"],
  ["empty | push: 1", "[1]"],
  ["list | slice: 0", "[1]"],
  ["list | slice: -1, 5", "[[2,3]]"],
])("a filter for lists: `%s` returns %s", (expression, expected) => {
  expect(textFor(`${expression} | json`)).toBe(expected);
});

it.each([
  ["sized | size", "2"],
  ["'' | last", '""'],
  ["'😀x' | split: ''", '["😀","x"]'],
  ["'abc' | slice: '1', '2'", '"bc"'],
  ["false | default: 1, allow_false: true", "false"],
  ["false | default: 1, allow_false: 'true'", "1"],
  ["1.0", "1.0"],
])("a filter for values of several kinds: `%s` returns %s", (expression, expected) => {
  expect(textFor(`${expression} | json`)).toBe(expected);
});

it.each([
  ["'a?>é' | base64_url_safe_encode", "YT8-w6k="],
  ["'ÿ?' | base64_url_safe_encode", "w78_"],
  ["'YT8-w6k_' | base64_url_safe_decode | base64_encode", "YT8+w6k/"],
  [`"a z-._~!'()*&é" | url_encode`, "a+z-._~%21%27%28%29%2A%26%C3%A9"],
  ["'<!-- a<b> -->c' | strip_html", "c"],
  ["'<script>1 < 2</script>x<STYLE>a{}</style>y' | strip_html", "xy"],
  ["'<script>a<b>c' | strip_html", "ac"],
  ["'</style><style>x' | strip_html", "x"],
  ["'&lt;&#1;&#xA;&x' | escape_once", "&lt;&#1;&#xA;&amp;x"],
])("a filter that encodes or cleans text: `%s` returns %j", (expression, expected) => {
  expect(textFor(expression)).toBe(expected);
});

it("filters that encode or clean text accept text of any length", () => {
  const v = "x".repeat(20_000);

  expect(textOf("{{ v | base64_encode }}", { v })).toBe(btoa(v));
});

const words = (text: string) => text.split(" ");

it.each([
  ["0", words("abs ceil capitalize downcase escape escape_once first json last lstrip newline_to_br raw reverse")],
  ["0", words("rstrip size slugify strip strip_html strip_newlines upcase url_decode url_encode base64_encode")],
  ["0 to 1", words("compact default join number percent round sort sort_natural sum uniq array_to_sentence_string")],
  ["0 to 2", words("currency date plural time truncate truncatewords")],
  ["1", words("append at_least at_most concat divided_by group_by map minus modulo plus prepend push remove")],
  ["1", words("remove_first remove_last split times")],
  ["1 to 2", words("find find_index has reject replace replace_first slice where")],
  ["2", ["replace_last"]],
])("the number of a filter's arguments is %s: %s", (count, filters) => {
  const reasons = filters.map((filter) => reasonFor(`1 | ${filter}: 1, 2, 3`));

  const plural = count === "1" ? "" : "s";
  expect(reasons).toEqual(filters.map((name) => `the filter \`${name}\` takes ${count} argument${plural}, got 3`));
});

it.each([
  ["'a' | truncate: nil", "the length of `truncate` must be a whole number"],
  ["'a' | slice: nil", "the start of `slice` must be a whole number"],
  ["'a' | slice: 0, 1.5", "the length of `slice` must be a whole number"],
  ["list | where: 'a'", "`where` needs a list of objects"],
  ["list | map: 'a'", "`map` needs a list of objects"],
  ["words | sum: 'a'", "`sum` with a property needs a list of objects"],
  ["list | concat: 1", "the argument of `concat` must be a list"],
  ["5 | base64_decode", "the input of `base64_decode` must be text"],
  ["'!' | base64_decode", "the text is not base64"],
  ["'%' | url_decode", "the text is not URL-encoded"],
])("a filter that cannot use its input or an argument: `%s` is refused", (expression, reason) => {
  expect(reasonFor(expression)).toBe(reason);
});
