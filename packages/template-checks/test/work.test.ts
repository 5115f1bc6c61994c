import { expect, it } from "vitest";
import { validateTemplate } from "colophon-template-model/validate-template";
import { manifest, templateFiles } from "colophon-test-kit/template-files";
import { advice } from "../src/check-template.ts";
import { allFindings } from "../src/findings.ts";

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join("");
const strings = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => ({ key: `${name}${i}`, type: "string" }));
const objects = ["a", "b"].map((key) => ({ key, type: "object", fields: strings(3_000, key) }));
const pages = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`pages/${i}.liquid`, text]));

type Hostile = [name: string, fields: object[], files: Record<string, string>];

/** Checks the template. Returns the messages, and the number of entries that the checks set in maps. */
function checked(fields: object[], files: Record<string, string>) {
  const texts = { "template.json": manifest({ fields }), "sample.json": "{}", ...files };
  const check = advice();
  const { set } = Map.prototype;
  let entries = 0;
  const counting = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
    entries++;
    return set.call(this, key, value);
  };
  const result = validateTemplate(
    { files: templateFiles(texts), problems: [] },
    {
      advise(compiled) {
        // oxlint-disable-next-line no-extend-native -- it counts work where all of it is done
        Map.prototype.set = counting;
        try {
          return check(compiled);
        } finally {
          // oxlint-disable-next-line no-extend-native -- it restores the method
          Map.prototype.set = set;
        }
      },
    },
  );
  return { messages: allFindings(result).map(({ message }) => message), entries };
}

const tooMuch = /^only a part of the template was checked/;

const beyond: Hostile[] = [
  [
    "variables with one of two large objects",
    objects,
    { "pages/1.liquid": times(3_900, (i) => `{% assign v${i} = a %}{% if true %}{% assign v${i} = b %}{% endif %}`) },
  ],
  [
    "filters that join large objects",
    objects,
    { "pages/1.liquid": times(6_000, (i) => `{% assign v${i}=a|default:b %}`) },
  ],
  ["one tag with thousands of filters", objects, { "pages/1.liquid": `{{ a ${"|default:b".repeat(1_500)} | json }}` }],
  [
    "loops inside loops around thousands of variables",
    [],
    {
      "pages/1.liquid": `${"{% for i in (1..2) %}".repeat(99)}${times(9_700, (i) => `{% assign v${i} = 1 %}`)}${"{% endfor %}".repeat(99)}`,
    },
  ],
  [
    "hundreds of pages in a layout with thousands of fields",
    strings(4_000, "f"),
    { ...pages(450, '{% layout "l" %}{% block a %}{% endblock %}'), "parts/l.liquid": "{% block a %}{% endblock %}" },
  ],
  [
    "hundreds of unknown names beside thousands of fields",
    strings(8_000, "f"),
    pages(
      5,
      times(200, (i) => `{{ zz${i} }}\n`),
    ),
  ],
];

it.each(beyond)("the checks stop with a warning at %s", (_name, fields, files) => {
  const { messages, entries } = checked(fields, files);

  expect(messages.filter((message) => tooMuch.test(message))).toHaveLength(1);
  expect(entries).toBeLessThan(400_000);
});

const within: Hostile[] = [
  [
    "branches inside branches around thousands of variables",
    [],
    {
      "pages/1.liquid": `${"{% if true %}".repeat(99)}${times(9_700, (i) => `{% assign v${i} = 1 %}`)}${"{% endif %}".repeat(99)}`,
    },
  ],
  [
    "a text that doubles four thousand times",
    [],
    { "pages/1.liquid": `{% assign v = "x" %}${"{% assign v = v | append: v %}".repeat(4_000)}` },
  ],
  [
    "two types that are nested thousands of levels deep",
    [
      { key: "v", type: "list", fields: strings(1, "name") },
      { key: "w", type: "list", fields: strings(1, "name") },
    ],
    {
      "pages/1.liquid": `${times(10, (i) => `{% assign ${"vw"[i % 2]}=${"vw"[i % 2]}${"|group_by:'name'".repeat(1_150)} %}`)}{% assign z = v | default: w %}`,
    },
  ],
  [
    "a thousand fields, fifty pages and fifty variables in branches",
    strings(1_000, "f"),
    pages(
      50,
      times(50, (i) => `{% assign v${i} = f1 %}{% if f2 %}{% assign v${i} = 1 %}{% endif %}`),
    ),
  ],
];

it.each(within)("the checks get through %s", (_name, fields, files) => {
  expect(checked(fields, files).messages.filter((message) => tooMuch.test(message))).toEqual([]);
});
