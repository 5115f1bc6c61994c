import { expect, it } from "vitest";
import { compileTemplate } from "colophon-template-model/compile-template";
import { templateContent } from "colophon-test-kit/template-content";
import { withPlaces } from "../../src/document/template-places.ts";

const parts = [{ file: "parts/row.liquid", source: "\n<svg class='b'></svg><SELECT></SELECT>" }];

function placeOf(source: string, element: string, message = "") {
  const compiled = compileTemplate({ ...templateContent({ page: source }), parts });
  if (compiled.status !== "compiled") return expect.unreachable();
  const problem = { clause: "7.3", message, element };
  const result = withPlaces(
    { status: "failed", reason: "impossible", message: "No.", problems: [problem] },
    compiled.template,
  );
  if (result.status !== "failed") return expect.unreachable();
  const { file, line } = result.problems?.[0] ?? expect.unreachable();
  expect(result.message).toBe(file === undefined ? "No." : `No. See ${file}, line ${line}.`);
  return file === undefined ? null : `${file}:${line}`;
}

const described = "x has no description";

it.each<[what: string, source: string, element: string, place: string | null, message?: string]>([
  ["one element of its name", "\n\n<img src=a>", "<img>", "pages/1.liquid:3"],
  ["an element in a part", "", '<svg class="b">', "parts/row.liquid:2"],
  ["an element in capitals", "", "<select>", "parts/row.liquid:2"],
  ["an element after stripped white space", "<p>{%- assign a = 1 -%}\n\n<img>\n<h2>a", "<img>", "pages/1.liquid:3"],
  ["an element in a branch", "{% if true %}\n<img>{% else %}\n{% endif %}\n<h2>a", "<h2> (“a”)", "pages/1.liquid:4"],
  ["several of its name", "<img>\n<img>", "<img>", null],
  ["several with different classes", '<img class=a>\n<img class="b c">', '<img class="b c">', "pages/1.liquid:2"],
  ["several, one of which has the id", "<img>\n<img id='a'>", '<img id="a">', "pages/1.liquid:2"],
  ["several, one of which has an alt", '<img alt="a">\n<img>', "<img>", "pages/1.liquid:2", "`<img>` has no `alt`."],
  ["several, one of which has a role", '<img alt="">\n<img alt="" role=img>', "<img>", "pages/1.liquid:2", described],
  [
    "several with empty descriptions",
    '<svg aria-label="">\n<svg aria-label="a">',
    "<svg>",
    "pages/1.liquid:1",
    described,
  ],
  ["a class from Liquid", '<img class="a {{ b }}">', '<img class="a b">', "pages/1.liquid:1"],
  ["a class that may be from Liquid", '<img class="a {{ b }}">\n<img class="a b">', '<img class="a b">', null],
  ["a class that is cut off", "<img>\n<img class=abc>", '<img class="ab>', null],
  ["a class with a bracket", '<img class="a>b">\n<img>', "<img>", "pages/1.liquid:2"],
  ["attributes from Liquid", "<img {% if true %}class=a{% endif %}>\n<img>", "<img>", null],
  ["headings with different texts", "<h3>A</h3>\n<h3>B\n C</h3>", "<h3> (“B C”)", "pages/1.liquid:2"],
  ["a text that is cut off", "<h3>A</h3>\n<h3>B C</h3>", "<h3> (“B…”)", "pages/1.liquid:2"],
  ["a heading from Liquid", "<h3>A</h3>\n<h3>{{ b }}</h3>", "<h3> (“B”)", "pages/1.liquid:2"],
  ["a heading that may be from Liquid", "<h3>B</h3>\n<h3>{{ b }}</h3>", "<h3> (“B”)", null],
  ["what a filter prints", "\n<div class=a>{{ b }}</div>", '<svg> in <div class="a">', "pages/1.liquid:2", described],
  ["an element that the template does not contain", "<p>", "<canvas>", null],
  ["no element", "<p>", "", null],
  ["a million unfinished tags", "<a ".repeat(300_000), "<a>", null],
])("the place of %s is its file and line, or none if it is not certain", (_, source, element, place, message) => {
  expect(placeOf(source, element, message)).toBe(place);
});

const bare = (count: number) => "<img>\n".repeat(count);

it.each<[what: string, source: string, elements: string[], lines: (number | null)[]]>([
  ["as many as the template has", bare(3), ["<img>", '<img> in <p class="a">', "<img>"], [1, 2, 3]],
  ["one of two", bare(2), ["<img>"], [null]],
  ["two kinds", "<img>\n<svg>\n<img>\n<svg>", ["<svg>", "<img>", "<svg>", "<img>"], [2, 1, 4, 3]],
  ["one in a loop", "{% for a in (1..3) %}\n<img>{% endfor %}", ["<img>", "<img>", "<img>"], [2, 2, 2]],
  ["more than there are", `{% for a in (1..2) %}\n${bare(2)}{% endfor %}`, Array(4).fill("<img>"), Array(4).fill(null)],
  ["the first 20", bare(25), Array(20).fill("<img>"), Array.from({ length: 20 }, (_, index) => index + 1)],
])("pictures without descriptions have their lines if these are certain (%s)", (_, source, elements, lines) => {
  const compiled = compileTemplate(templateContent({ page: source, fields: [] }));
  if (compiled.status !== "compiled") return expect.unreachable();
  const problems = elements.map((element) => ({ clause: "7.3", message: described, element }));

  const result = withPlaces({ status: "failed", reason: "impossible", message: "No.", problems }, compiled.template);

  expect(result.status === "failed" && result.problems?.map(({ line = null }) => line)).toEqual(lines);
});
