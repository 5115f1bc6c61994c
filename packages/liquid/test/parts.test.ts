import { expect, it } from "vitest";
import { maxHeldChars } from "../src/meter.ts";
import * as liquid from "./engine.ts";

type Options = { data?: Record<string, unknown> } & Pick<liquid.LiquidOptions, "parts" | "own">;

const globals = ["document"];
const dataOf = ({ data }: Options) => ({ document: { id: "7" }, ...data });

function textOf(source: string, options: Options = {}): string {
  return liquid.textOf(source, dataOf(options), { globals, ...options });
}

function problemOf(source: string, options: Options = {}) {
  return liquid.problemOf(source, dataOf(options), { globals, ...options });
}

const products = { products: [{ title: "bike" }, { title: "car" }] };

it.each([
  ["arguments", "{% render 'row', a: 1, b: name %}", "{{ a }}{{ b }}", "1Ada"],
  ["arguments without commas", "{% render 'row' a: 1 b: 2 %}", "{{ a }}{{ b }}", "12"],
  ["a range as an argument", "{% render 'row', a: (1..3) %}", "{{ a | join: '#' }}", "1#2#3"],
  ["an argument called `with`", "{% render 'row', with: 1, for: 2 %}", "{{ with }}{{ for }}", "12"],
  ["a value under the part's name", "{% render 'row' with products[1] %}", "{{ row.title }}", "car"],
  ["a value that does not exist", "{% render 'row' with no.such.thing %}", "[{{ row.title }}]", "[]"],
  ["a value under another name", "{% render 'row' with products[0] as p, a: 1 %}", "{{ p.title }}{{ a }}", "bike1"],
  ["each item of a list", "{% render 'row' for products %}", "{{ row.title }}", "bikecar"],
  ["each item renamed", "{% render 'row' for products as p %}", "{{ p.title }}{{ forloop.index }}", "bike1car2"],
  ["each number", "{% render 'row' for (1..3) as n %}", "{{ n }}{{ forloop.last }} ", "1false 2false 3true "],
  ["each pair of an object", "{% render 'row' for products[0] as p %}", "{{ p[0] }}={{ p[1] }}", "title=bike"],
  ["nothing for an empty list", "[{% render 'row' for empty %}]", "x", "[]"],
  ["nothing for a missing list", "[{% render 'row' for nothing %}]", "x", "[]"],
  ["a part inside a `liquid` tag", "{% liquid\n render 'row', a: 1 %}", "{{ a }}", "1"],
  [
    "markup as it is, and text escaped",
    "{% capture m %}<b>{% endcapture %}{% render 'row', m: m, t: '<i>' %}",
    "{{ m }}{{ t }}",
    "<b>&lt;i&gt;",
  ],
])("render passes %s to a part", (_what, source, row, expected) => {
  expect(textOf(source, { parts: { row }, data: { name: "Ada", ...products } })).toBe(expected);
});

it("render hides the data and the variables of the caller from the part", () => {
  const source = "{% assign a = 1 %}{% for b in (1..1) %}{% render 'row' %}{% endfor %}";

  expect(
    textOf(source, { parts: { row: "[{{ a }}{{ b }}{{ name }}{{ forloop.index }}]" }, data: { name: "Ada" } }),
  ).toBe("[]");
});

it("render passes every part the values that all files see", () => {
  const parts = { row: "{% render 'cell' %}", cell: "{{ document.id }} {{ page.number }}" };

  expect(textOf("{% render 'row' %}", { parts, own: { page: { number: 3 } } })).toBe("7 3");
});

it("render hides a part's variables, counters, cycles and loop positions from its caller", () => {
  const page = [
    "{% increment n %}{% cycle 'a', 'b' %}{% ifchanged %}c{% endifchanged %}",
    "{% for i in (1..3) limit: 1 %}{{ i }}{% endfor %}",
  ].join("");
  const rest = "{% for i in (1..3) offset: continue %}{{ i }}{% endfor %}{{ x }}";

  expect(textOf(`${page} {% render 'row' %} ${page}${rest}`, { parts: { row: `${page}{% assign x = 9 %}` } })).toBe(
    "0ac1 0ac1 1b123",
  );
});

it("a loop continues at its position after a part has been rendered, whatever loops the part has", () => {
  const loop = (options: string) => `{% for i in (1..3) ${options} %}{{ i }}{% endfor %}`;
  const parts = { row: `[${loop("")}]` };

  expect(textOf(`${loop("limit: 1")}{% render 'row' %}${loop("offset: continue")}`, { parts })).toBe("1[123]23");
});

it("render starts each item of a list with new variables", () => {
  const row = "{% increment n %}{{ x }}{% assign x = 1 %}";

  expect(textOf("{% render 'row' for (1..3) %}", { parts: { row } })).toBe("000");
});

it("the loops of a part have no parent loop", () => {
  const row = "{% for x in (1..2) %}{{ forloop.index0 }}{{ forloop.parentloop.index0 }} {% endfor %}";

  expect(
    textOf("{% for i in (1..1) %}{% render 'row' for products %}{% endfor %}", { parts: { row }, data: products }),
  ).toBe("0 1 0 1 ");
});

it.each(["break", "continue"])("render ends only the part at a `%s` outside a loop", (tag) => {
  const row = `{{ i }}{% if i %}{% ${tag} %}{% endif %}no`;

  expect(
    textOf("{% for i in (1..2) %}{% render 'row', i: i %},{% endfor %}{% render 'row' for (3..4) as i %}.", {
      parts: { row },
    }),
  ).toBe("1,2,34.");
});

it("a loop continues after a part that broke out of its own loop", () => {
  const row = "{% for x in (1..9) %}{{ x }}{% capture c %}{% break %}{% endcapture %}{% endfor %}";

  expect(textOf("{% for i in (1..2) %}{% render 'row' %}-{{ i }} {% endfor %}", { parts: { row } })).toBe("1-1 1-2 ");
});

it("the output of a part can be captured", () => {
  expect(textOf("{% capture c %}{% render 'row' %}{% endcapture %}[{{ c }}]", { parts: { row: "<b>" } })).toBe("[<b>]");
});

it.each([
  ["{% render name %}", /needs the name of a part in quotes/],
  ["{% render %}", /needs the name of a part in quotes/],
  ["{% render 'parts/row.liquid' %}", "`parts/row.liquid` is not the name of a part; write `row`"],
  ["{% render '../row' %}", /`\.\.\/row` is not the name of a part; it consists of/],
  ["{% render '' %}", /is not the name of a part/],
  ["{% render 'rów' %}", /is not the name of a part/],
  ["{% render 'row', item %}", /needs a name and a colon/],
  ["{% render 'row', a: 1, a: 2 %}", "the argument `a` is given twice"],
  ["{% render 'row', a: b | upcase %}", /needs a name and a colon|not expected/],
  ["{% render 'row' with %}", /a value is expected/],
  ["{% render 'rows/row' %}", /`rows\/row` is not the name of a part/],
  [`{% render 'row', ${Array.from({ length: 101 }, (_, i) => `a${i}: 1`).join(", ")} %}`, /more than 100 arguments/],
  ["{% render 'row' for products as %}", /after `as` is missing/],
  ["{% include 'row' %}", /use `render`/],
  ["{% render 'missing' %}", "there is no part `missing`"],
])("`render` refuses %s", (source, reason) => {
  expect(problemOf(source, { parts: { row: "" } }).reason).toMatch(reason);
});

it("an error in a part names the part's file and line", () => {
  const parts = { row: "\n\n{% render 'cell', n: n %}", cell: "\n{{ 1 | divided_by: n }}" };

  expect(problemOf("\n{% render 'row', n: 0 %}", { parts })).toMatchObject({ file: "parts/cell.liquid", line: 2 });
});

it("an error after a part has ended names the caller's file", () => {
  const parts = { row: "\n\n\n" };

  expect(problemOf("\n{% render 'row' %}{{ 1 | divided_by: 0 }}", { parts })).toMatchObject({
    file: "pages/1.liquid",
    line: 2,
  });
});

const letter = "<h1>{% block title %}Letter{% endblock %}</h1>{% block body %}{% endblock %}";

it("`layout` fills the blocks of a layout, which otherwise keep their content", () => {
  const page = "{% layout 'letter' %}{% block body %}Hello {{ name }}{% endblock %}";

  expect(textOf(page, { parts: { letter }, data: { name: "Ada" } })).toBe("<h1>Letter</h1>Hello Ada");
});

it("the layout and its blocks read the data, the arguments and the variables of the page", () => {
  const page = "{% layout 'letter', size: 2 %}{% assign name = 'Ada' %}{% block body %}{{ size }}{{ n }}{% endblock %}";
  const layout = `{{ name }}{{ size }}{{ n }}${letter}`;

  expect(textOf(page, { parts: { letter: layout }, data: { n: 5 } })).toBe("Ada25<h1>Letter</h1>25");
});

it("`layout` prints the text outside all blocks in the layout's block without a name", () => {
  const page = "{% layout 'letter' %}<p>{{ name }}</p>{% block title %}T{% endblock %}";
  const layout = "{% block title %}{% endblock %}|{% block %}nothing{% endblock %}";

  expect(textOf(page, { parts: { letter: layout }, data: { name: "Ada" } })).toBe("T|<p>Ada</p>");
  expect(textOf("{% layout 'letter' %} ", { parts: { letter: layout } })).toBe("|nothing");
});

it("`block.super` prints the content that the layout has for the block", () => {
  const page = "{% layout 'letter' %}{% block title %}[{{ block.super }}]{% endblock %}";

  expect(textOf(page, { parts: { letter } })).toBe("<h1>[Letter]</h1>");
});

it("a page can fill the blocks of all nested layouts", () => {
  const parts = {
    root: "<{% block title %}root{% endblock %}|{% block body %}{% endblock %}>",
    middle:
      "{% layout 'root' %}{% block title %}middle {{ block.super }}{% endblock %}{% block body %}({% block inner %}inner{% endblock %}){% endblock %}",
  };

  expect(textOf("{% layout 'middle' %}", { parts })).toBe("<middle root|(inner)>");
  expect(textOf("{% layout 'middle' %}{% block inner %}page, {{ block.super }}{% endblock %}", { parts })).toBe(
    "<middle root|(page, inner)>",
  );
  expect(textOf("{% layout 'middle' %}{% block title %}page, {{ block.super }}{% endblock %}", { parts })).toBe(
    "<page, middle root|(inner)>",
  );
});

it("with nested layouts, text outside all blocks goes into the nearest layout", () => {
  const parts = { root: "<{% block %}{% endblock %}>", middle: "{% layout 'root' %}({% block %}{% endblock %})" };

  expect(textOf("{% layout 'middle' %}page", { parts })).toBe("<(page)>");
});

it("a block in a loop of the layout is rendered once for each item", () => {
  const layout = "{% for i in (1..3) %}{% block item %}{% endblock %}{% endfor %}";

  expect(textOf("{% layout 'l' %}{% block item %}{{ i }},{% endblock %}", { parts: { l: layout } })).toBe("1,2,3,");
  expect(textOf("{% layout 'l' %}{% block item %}{{ i }}{% break %}{% endblock %}", { parts: { l: layout } })).toBe(
    "1",
  );
});

it("a part can have its own layout", () => {
  const parts = { letter, card: "{% layout 'letter' %}{% block title %}{{ t }}{% endblock %}" };

  expect(textOf("{% render 'card', t: 1 %}{% render 'card', t: 2 %}", { parts })).toBe("<h1>1</h1><h1>2</h1>");
});

it("an error in a block names the block's file and line", () => {
  const page = "{% layout 'letter' %}\n{% block title %}\n{{ 1 | divided_by: 0 }}{% endblock %}";

  expect(problemOf(page, { parts: { letter } })).toMatchObject({ file: "pages/1.liquid", line: 3 });
  expect(problemOf("{% layout 'l' %}", { parts: { l: "\n{{ 1 | divided_by: 0 }}" } })).toMatchObject({
    file: "parts/l.liquid",
    line: 2,
  });
});

it.each([
  ["x{% layout 'letter' %}", "`layout` must come first in the file; only comments may precede it", 1],
  ["{% layout 'letter' %}\n{% layout 'letter' %}", "the file already has a layout", 2],
  ["{% if a %}\n{% layout 'letter' %}{% endif %}", "`layout` must not be inside another tag", 2],
  ["{% liquid\n\nlayout 'letter' %}", "`layout` must not be inside another tag", 3],
  [
    "{% layout 'letter' %}\n{% if a %}{% block title %}{% endblock %}{% endif %}",
    /must not be inside another tag; put the other tag into the block/,
    2,
  ],
  ["{% layout 'letter' %}{% block a %}{% endblock %}\n{% block a %}{% endblock %}", "the block `a` is filled twice", 2],
  ["{% block %}", /not closed with `endblock`/, 1],
  ["{% block a b %}{% endblock %}", /the name of a block/, 1],
  ["{% layout name %}", /in quotes/, 1],
])("`layout` refuses %j", (source, reason, line) => {
  expect(problemOf(source, { parts: { letter } })).toMatchObject({ reason: expect.stringMatching(reason), line });
});

it("comments may stand before `layout`", () => {
  const page = "{% comment %}A letter.{% endcomment %}\n{% # more %}{% doc %}x{% enddoc %}{% layout 'letter' %}";

  expect(textOf(page, { parts: { letter } })).toBe("<h1>Letter</h1>");
});

it("the budget is shared by all parts", () => {
  const parts = {
    a: "{% render 'b' for (1..1000) %}",
    b: "{% render 'c' for (1..1000) %}",
    c: "{% render 'd' for (1..1000) %}",
    d: "x",
  };

  expect(problemOf("{% render 'a' for (1..1000) %}", { parts }).reason).toMatch(/too much work|too much memory|markup/);
});

it("the budget limits the memory of a part and all its callers together", () => {
  const fill = `{% assign t = "${"x".repeat(1_000)}" %}${"{% assign t = t | append: t %}".repeat(10)}`;
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  const parts = Object.fromEntries(
    names.map((name, index) => [name, `${fill}{% render 'p${index + 1}' %}{{ t | size }}`]),
  );

  expect(problemOf("{% render 'p0' %}", { parts: { ...parts, p12: fill } }).reason).toMatch(/too much data/);
  expect(12 * 1_024_000).toBeGreaterThan(maxHeldChars);
});

it("the budget stops parts that render each other, although a push refuses such parts", () => {
  expect(problemOf("{% render 'a' %}", { parts: { a: "{% render 'a' %}" } }).reason).toMatch(/nested more than 20/);
  expect(problemOf("{% layout 'a' %}", { parts: { a: "{% layout 'a' %}" } }).reason).toMatch(/nested more than 20/);
});

it("a long render can pause inside its parts", () => {
  const page = "{% render 'row' for (1..40000) as n %}";

  const slices = [...liquid.begun(page, {}, { parts: { row: "{{ n }}" } })];

  expect(slices.length).toBeGreaterThan(3);
});
