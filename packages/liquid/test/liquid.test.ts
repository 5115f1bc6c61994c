import { afterEach, expect, it, vi } from "vitest";
import { liquidRender, runAtOnce } from "../src/liquid.ts";
import { Meter } from "../src/meter.ts";
import { escapeHtml } from "../src/values/text.ts";
import { begun, liquidScope, parsed, problemOf, rendered, textOf } from "./engine.ts";

/** Stops the clock, as deployed Workers do between I/O operations. */
function freezeClock(): void {
  vi.spyOn(Date, "now").mockReturnValue(1_000);
  vi.spyOn(performance, "now").mockReturnValue(1_000);
}

const numbers = (length: number) => Array.from({ length }, (_, index) => index);

afterEach(() => vi.restoreAllMocks());

it("escaping escapes every value", () => {
  const text = textOf("{{ v }}", { v: `<img src="x" onerror='y'>&` });

  expect(text).toBe("&lt;img src=&#34;x&#34; onerror=&#39;y&#39;&gt;&amp;");
});

it("escaping escapes the result of a filter", () => {
  const text = textOf("{{ v | append: '<i>' | upcase }}", { v: "<b>" });

  expect(text).toBe("&lt;B&gt;&lt;I&gt;");
});

it("escaping escapes what `echo`, `capture` and `cycle` print", () => {
  const text = textOf("{% echo v %}{% capture c %}{{ v }}{% endcapture %}{{ c | raw }}{% cycle v %}", { v: "<" });

  expect(text).toBe("&lt;&lt;&lt;");
});

it("escaping escapes only the five special characters of HTML", () => {
  expect(escapeHtml("5 € = `five`")).toBe("5 € = `five`");
});

it.each([
  [
    "include 'a'",
    'there is no tag `include`; use `render`, and give it what the part needs: `{% render "row", item: item %}`',
  ],
  ["extends 'a'", "there is no tag `extends`; use `layout`"],
  ["import 'a'", 'there is no tag `import`; parts need no import; write `{% render "row", item: item %}`'],
])("the template language has no tag `%s`", (tag, reason) => {
  const problem = problemOf(`\n{% ${tag} %}`);

  expect(problem).toEqual({ file: "pages/1.liquid", line: 2, reason });
});

it.each([
  "object.constructor",
  "object.__proto__",
  "object['constructor']['name']",
  "text.at",
  "list.map",
  "constructor",
  "__proto__",
])("the template language prints nothing for `%s`", (expression) => {
  const text = textOf(`[{{ ${expression} }}]`, { object: { a: 1 }, text: "abc", list: [1] });

  expect(text).toBe("[]");
});

it("the template language does not let a render see the variables of an earlier render", () => {
  textOf("{% assign secret = 'x' %}{% increment counter %}");

  const text = textOf("[{{ secret }}{{ counter }}]");

  expect(text).toBe("[]");
});

it("the budget allows ten thousand rows of ten cells while the clock is frozen", () => {
  freezeClock();
  const rows = numbers(10_000).map((n) => ({ cells: numbers(10).map((m) => n + m) }));

  const text = textOf("{% for row in rows %}{% for cell in row.cells %}<td>{{ cell }}{% endfor %}{% endfor %}", {
    rows,
  });

  expect(text.match(/<td>/g)).toHaveLength(100_000);
});

it.each([
  [
    "loops that print a lot",
    "{% for a in n %}{% for b in n %}{{ b }} and much text that goes on and on{% endfor %}{% endfor %}",
  ],
  ["nested loops that print nothing", "{% for a in n %}{% for b in n %}{% endfor %}{% endfor %}"],
  ["nested tablerows", "{% tablerow a in n %}{% tablerow b in n %}x{% endtablerow %}{% endtablerow %}"],
  ["a huge range", "{% for a in (1..100000000) %}{% endfor %}"],
  [
    "captured text",
    "{% assign t = 'xxxxxxxx' %}{% for a in (1..60) %}{% capture t %}{{ t }}{{ t }}{% endcapture %}{% endfor %}",
  ],
  ["assigned text", "{% assign t = 'xxxxxxxx' %}{% for a in (1..60) %}{% assign t = t | append: t %}{% endfor %}"],
  ["a list that doubles", "{% assign t = n %}{% for a in (1..60) %}{% assign t = t | concat: t %}{% endfor %}"],
  ["a replacement that multiplies", "{% assign t = n | join: 'x' %}{{ t | replace: 'x', t }}"],
])(
  "the budget stops a template that does too much work, even while the clock is frozen: %s",
  (_what, source) => {
    freezeClock();

    const problem = problemOf(source, { n: numbers(2_500) });

    expect(problem.reason).toMatch(/does too much work|exceeds 2,000,000 characters|exceeds 500,000 items/);
  },
  10_000,
);

it.each([
  ["in lists", "{% assign kept = kept | push: t %}"],
  ["in lists of lists", "{% assign list = empty | push: t %}{% assign kept = kept | push: list %}"],
  ["in objects", "{% assign list = t | group_by: 'x' %}{% assign kept = kept | push: list %}"],
  ["as markup", "{% assign m = t | escape %}{% assign kept = kept | push: m %}"],
])("the budget includes texts that a variable holds %s", (_what, keep) => {
  const source = `{% for i in (1..99) %}{% assign t = v | append: i %}${keep}{% endfor %}`;

  expect(problemOf(source, { v: "x".repeat(150_000) }).reason).toMatch(/^the template keeps too much data/);
});

it("the budget does not include texts that variables no longer hold", () => {
  const source = "{% for i in (1..60) %}{% assign t = v | append: i %}{% endfor %}{{ t | size }}";

  expect(textOf(source, { v: "x".repeat(150_000) })).toBe("150002");
});

it("the budget is shared by the files of one document", () => {
  const page = parsed("pages/1.liquid", "{% for a in n %}{% for b in n %}{% endfor %}{% endfor %}");
  const { render } = liquidRender({ n: numbers(1_500) }, liquidScope());

  const statuses = [1, 2].map(() => runAtOnce(render(page)).status);

  expect(statuses).toEqual(["ok", "problem"]);
});

it("the budget starts anew for each document", () => {
  const source = "{% for a in n %}{% for b in n %}{% endfor %}{% endfor %}";

  const statuses = [1, 2].map(() => rendered(source, { n: numbers(1_500) }).status);

  expect(statuses).toEqual(["ok", "ok"]);
});

const nested = (depth: number) => `${"{% if true %}".repeat(depth)}x${"{% endif %}".repeat(depth)}`;

it("blocks may be nested a hundred levels deep", () => {
  expect(textOf(nested(100))).toBe("x");
});

it("blocks may not be nested more than a hundred levels deep", () => {
  const reason = "blocks are nested more than 100 levels deep";

  expect(problemOf(`\n\n${nested(101)}`)).toMatchObject({ line: 3, reason });
});

it("the nesting of blocks is limited for every kind of block", () => {
  const blocks = ["for i in (1..1)", "unless false", "capture c", "tablerow i in (1..1)", "if true"];
  const open = numbers(105).map((n) => `{% ${blocks[n % 5]} %}`);
  const close = numbers(105).map((n) => `{% end${blocks[n % 5]?.split(" ")[0]} %}`);

  const problem = problemOf([...open, ...close.toReversed()].join(""));

  expect(problem.reason).toBe("blocks are nested more than 100 levels deep");
});

it("blocks side by side do not count as nesting", () => {
  expect(textOf("{% if true %}{% endif %}".repeat(1_000))).toBe("");
});

it("closing tags that are only text do not reduce the nesting of blocks", () => {
  const problem = problemOf(`{% raw %}${"{% endif %}".repeat(300)}{% endraw %}${nested(300)}`);

  expect(problem.reason).toBe("blocks are nested more than 100 levels deep");
});

it("the nesting of blocks is limited inside a `liquid` tag too", () => {
  const problem = problemOf(`{% liquid\n${"if true\n".repeat(300)}echo 'x'\n${"endif\n".repeat(300)}%}`);

  expect(problem.reason).toBe("blocks are nested more than 100 levels deep");
});

it("opening tags that are only text do not count as nesting", () => {
  expect(textOf(`{% raw %}${"{% if %}".repeat(101)}{% endraw %}`)).toHaveLength(808);
});

it.each([
  ["an unknown tag", "a\nb\n{% nonsense %}"],
  ["an unknown filter", "a\nb\n{{ v | nonsense }}"],
  ["an output that is not closed", "a\nb\n{{ v "],
  ["a block that is not closed", "a\nb\n{% if v %}\n"],
  ["an error in a filter", "a\nb\n{{ 1 | currency: 'Euro' }}"],
  ["an unknown filter below the name of `assign`", "a\n{% assign v\n = 1 | nonsense %}"],
  ["an unknown filter below a `doc`", "{% doc %}\n\n{% enddoc %}{{ v | nonsense }}"],
  ["an error in a loop", "a\n{% for i in (1..3) %}\n{{ i | number: 99 }}{% endfor %}"],
  ["too much text", "a\nb\n{% for i in (1..400000) %}and much text that goes on and on{% endfor %}"],
])("a problem is reported with its file and line: %s", (_what, source) => {
  const problem = problemOf(source);

  expect(problem).toMatchObject({ file: "pages/1.liquid", line: 3 });
});

it.each([
  ["writes", "{{ v | raw }}{{ v | raw }}{{ v | raw }}", "x".repeat(450_000)],
  ["creates", "{{ v | append: v | append: v | size }}", "450000"],
  ["captures", "{% capture c %}{{ v | raw }}{{ v | raw }}{% endcapture %}{{ c | size }}", "300000"],
])("a document with much text waits for memory and then starts over when it %s the text", (_what, source, text) => {
  const counters = '{% increment n %}{% cycle "a", "b" %}';
  const work = begun(`${counters}${source}${counters}`, { v: "x".repeat(150_000) });

  expect(work.next()).toEqual({ done: false, value: { isLarge: true } });
  expect(runAtOnce(work)).toEqual({ status: "ok", value: `0a${text}1b` });
});

it("a document with much text is not charged for the work that it did before it started over", () => {
  const source = "{% for i in (1..3) %}{{ v | upcase | size }}{% endfor %}";
  const [large, small] = [new Meter(), new Meter()];

  textOf(source, { v: "x".repeat(150_000) }, { meter: large });
  textOf(source, { v: "x".repeat(100_000) }, { meter: small });

  expect(large.work / small.work).toBeCloseTo(1.5, 2);
});

it.each([
  ["does not wait if it has at most 400,000 characters", 400_000, true],
  ["waits if it has more", 400_001, false],
])("a document with much text %s", (_what, chars, isDone) => {
  const work = begun("{{ v | raw }}", { v: "x".repeat(chars) });

  expect(work.next().done).toBe(isDone);
});
