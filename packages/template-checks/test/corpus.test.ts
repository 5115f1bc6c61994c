import { expect, it } from "vitest";
import { measured } from "colophon-test-kit/cpu-time";
import { findingsOf } from "./corpus/base.ts";
import { correct } from "./corpus/correct.ts";
import { planted } from "./corpus/planted.ts";

it.each(planted)("a push of %j reports only: %s", (template, expected) => {
  const found = findingsOf(template).map(
    ({ severity, line, message }) => `${severity === "error" ? "" : "warning "}${line}: ${message}`,
  );

  expect(found).toEqual([expected]);
});

it.each([
  ...["img src", "img srcset", "source src", "source srcset", "input src", "body background", "table background"],
  ...["image href", "image xlink:href", "use href", "use xlink:href", "feImage href", "feImage xlink:href"],
  ...["td background", "th background"],
])("a push finds the file name in %s", (attribute) => {
  const [found, ...others] = findingsOf(`<${attribute}="photo.gif"><br>`);

  expect(found?.message).toBe("`photo.gif` is not shown; write `{{ 'photo.gif' | asset }}`");
  expect(others.filter(({ message }) => message.includes("photo"))).toEqual([]);
});

it("a push reports mistakes in filters together with other mistakes, in the order of the lines", () => {
  const found = findingsOf({
    "pages/1.liquid": `<p>{{ number | upcas }}
{{ customer.nam | append }}
{% assign x = total | currenc: "EUR" | round: pieces %}{{ x }}{% render "row", item: items.first %}
{% liquid
 echo numbr | truncate: size: 3 %}
{{ items | map: "titel" | join: ", ", 1 }}</div>`,
    "parts/row.liquid": "{{ item.prise | upcasee }}",
  });

  expect(found.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    "pages/1.liquid:1 there is no filter `upcas`; did you mean `upcase`?",
    "pages/1.liquid:2 the filter `append` takes 1 argument, got 0",
    "pages/1.liquid:2 `customer.nam`: did you mean `customer.name`?",
    "pages/1.liquid:3 there is no filter `currenc`; did you mean `currency`?",
    "pages/1.liquid:5 the filter `truncate` has no argument named `size`",
    "pages/1.liquid:5 `numbr`: did you mean `number`?",
    "pages/1.liquid:6 the filter `join` takes 0 to 1 arguments, got 2",
    'pages/1.liquid:6 `map: "titel"`: did you mean `map: "title"`?',
    expect.stringMatching(/^pages\/1.liquid:6 .*div/),
    "parts/row.liquid:1 there is no filter `upcasee`; did you mean `upcase`?",
    "parts/row.liquid:1 `item.prise`: did you mean `item.price`?",
  ]);
});

it("a push lists mistakes in filters and all others of a file together", () => {
  const found = findingsOf(
    "{{ number | upcas }}\n{{ number | append }}\n{% if number = 1 %}x{% endif %}\n{{ number | foo }}",
  );

  expect(found.map(({ line, message }) => `${line} ${message}`)).toEqual([
    "1 there is no filter `upcas`; did you mean `upcase`?",
    "2 the filter `append` takes 1 argument, got 0",
    "3 `=` does not compare values; write `==`",
    "4 there is no filter `foo`",
  ]);
});

it.each<[string, string[]]>([
  ["{% set sum = 1 %}\n{{ sum }}{{ nmber }}", ["1 there is no tag `set`", "2 `nmber`: did you mean `number`?"]],
  ["{% for i of items %}\n{{ i.title }}{{ other }}{% endfor %}", ["1 `in` is missing", "2 `other` is neither"]],
  ["{{#each items}}\n{{ titel }}{{ loop.first }}{{/each}}", ["1 `{{#each items}}` is code", "2 `loop` is neither"]],
  ["{% if number = 1 %}<b>{% else %}<i>{% endif %}\n<img src=a.png>", ["1 `=` does not compare", "2 `a.png` is not"]],
])("a push does not report what follows from code that cannot be parsed: %j", (template, beginnings) => {
  const found = findingsOf(template).map(({ line, message }) => `${line} ${message}`);

  expect(found.map((text, index) => text.slice(0, beginnings[index]?.length))).toEqual(beginnings);
});

it("a push quickly reports a hundred mistakes in filters and then the first mistake of each other file", () => {
  const parts = Array.from({ length: 200 }, (_, index) => `p${index}`);
  const files = {
    "pages/1.liquid": parts.map((name) => `{% render "${name}" %}`).join(""),
    ...Object.fromEntries(parts.map((name) => [`parts/${name}.liquid`, "{{ document.id | upcasx }}".repeat(90)])),
  };

  const { result: found, cpuMs } = measured(() => findingsOf(files));

  expect(found).toHaveLength(100 + 198);
  expect(cpuMs).toBeLessThan(1_500);
});

it.each(Object.entries(correct))("a push finds nothing wrong with %s", (_what, template) => {
  expect(findingsOf(template)).toEqual([]);
});

it.each([
  ["a path that leads nowhere", "{{ item.price }}"],
  ["an unknown property in a filter", '{{ items | map: "prise" | join: ", " }}'],
  ["a comparison that is never true", '{% if total == "0" %}x{% endif %}'],
])("with `lenient`, mistakes that do not prevent a render are warnings: %s", (_mistake, template) => {
  expect(findingsOf(template, false).map(({ severity }) => severity)).toEqual(["error"]);
  expect(findingsOf(template, true).map(({ severity }) => severity)).toEqual(["warning"]);
});

it("with `lenient`, mistakes that make the render of the sample fail remain errors", () => {
  const found = findingsOf("{% if number > 5 %}x{% endif %}", true);

  expect(found.map(({ severity }) => severity)).toEqual(["error", "warning"]);
});
