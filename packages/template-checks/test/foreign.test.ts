// Constructs of other engines that authors may write: for each, the check reports what to write here, and it reports nothing for ordinary
// text.
import { expect, it } from "vitest";
import { findingsOf } from "./corpus/base.ts";
import { constructs, nearMisses } from "./corpus/foreign.ts";

const field = (key: string, type: string, fields?: object[]) => ({ key, type, ...(fields && { fields }) });
const person = [field("name", "string"), field("email", "string")];
const row = [field("name", "string"), field("price", "number"), field("quantity", "number")];
const manifest = JSON.stringify({
  title: "Invoice",
  pageSize: "A4",
  fields: [
    ...[field("name", "string"), field("note", "text"), field("paid", "boolean"), field("total", "number")],
    ...[field("due", "date"), field("number", "string"), field("customer", "object", person)],
    field("items", "list", row),
  ],
});
const found = (source: string) =>
  findingsOf({ "template.json": manifest, "sample.json": "{}", "pages/1.liquid": source }).map(
    ({ severity, line, message }) => `${severity} ${line}: ${message}`,
  );

it.each(constructs)("%s of a different engine causes the advice %s", (source, answer) => {
  const messages = found(source);

  expect(messages.join("\n")).toContain(answer);
  expect(messages.join("\n")).not.toMatch(/did you mean|divided_by|is never closed|has no start tag/);
  expect(messages.length).toBeLessThanOrEqual(3);
});

it.each(nearMisses)("ordinary text is not taken for code of a different engine: %s", (source) => {
  expect(found(source)).toEqual([]);
});

it("code of a different engine is a mistake, and its placeholders, elements and attributes are warnings", () => {
  const severities = (source: string) => found(source).map((text) => text.split(" ")[0]);

  for (const source of [
    "<?php x ?>",
    "<% x %>",
    "@if($paid)x@endif",
    "{!! $note !!}",
    "#if($paid)x#end",
    "<#if paid></#if>",
  ])
    expect(severities(source), source).toEqual(["error"]);
  for (const source of ["%number%", "[[number]]", "{PAGENO}", "<p v-if='paid'>x</p>", "<pagebreak />", "${number}"])
    expect(severities(source), source).toEqual(["warning"]);
});

it("repeated code of a different engine is reported once, with the first line and the number of repetitions", () => {
  expect(found("<p>x</p>\n<?= $a ?>\n<?= $b ?><?php c ?>\n<p v-if=a>x</p><p v-if=b>x</p>")).toEqual([
    expect.stringMatching(/^error 2: `<\?= \$a \?>` is code of PHP, .* \(and 2 more\)$/),
    expect.stringMatching(/^warning 4: `v-if` has no effect; .* \(and 1 more\)$/),
  ]);
});

it("code of a different engine in `raw`, in comments and in examples is not a mistake", () => {
  expect(found("{% raw %}<?php x ?><% y %>@if($z)%name%{% endraw %}<p>x</p>")).toEqual([]);
  expect(found("<!-- <?php x ?> @if($z) -->{% comment %}<% y %>{% endcomment %}<p>x</p>")).toEqual([]);
  expect(found("<pre>@if($a)</pre><p><code>#foreach($b in $c)</code> %d</p>")).toEqual([]);
});

it("the code around code of a different engine is still checked", () => {
  expect(found("<?php if (a > b): ?>\n{{ nmber }}\n<img src=a.png>")).toEqual([
    expect.stringContaining("code of PHP"),
    "error 2: `nmber`: did you mean `number`?",
    expect.stringContaining("`a.png` is not shown"),
  ]);
});

it("elements in the branches of code of a different engine are not compared", () => {
  expect(found("<% if (a) { %><div><% } else { %><div class=b><% } %>x</div>")).toHaveLength(1);
  expect(found("<div @if($a == 'b') class=\"c\" @endif>x")).toHaveLength(1);
  expect(found("<p @if (isset($a)) class=b @endif>x</p>")).toHaveLength(1);
});

it.each([
  "{foreach =",
  "{if $",
  "{assign =",
  "{$a",
  "${a",
  "#{a",
  "$a.a",
  "{d.a",
  "[[${a",
  "[#if ",
  "{* a",
  "$",
  "<?a",
  "[[",
])("a long text that begins like foreign code and never ends is checked in little time: %s", (beginning) => {
  const start = performance.now();

  for (const more of ["=", "a", " ", ".a", "$", beginning])
    found(`$a {b %c ${beginning}${more.repeat(100_000 / more.length)}`);

  expect(performance.now() - start).toBeLessThan(5_000);
});

it.each([
  "<% ",
  "<?",
  "<#if ",
  "<<a>> ",
  "%a% ",
  "$ab_cd ",
  "$ab_cd",
  "@if( ",
  "@php ",
  "{!!",
  "[[a]]",
  "<p v-if=a>",
  "<!--",
  "${",
  "{foreach $",
])("a page full of beginnings of foreign code is checked quickly: %s", (piece) => {
  const start = performance.now();

  found(piece.repeat(200_000 / piece.length));

  expect(performance.now() - start).toBeLessThan(2_000);
});
