// All mistakes of a file come at once, and the recovery after a mistake is bounded.
import { expect, it } from "vitest";
import { parseLiquid } from "../src/liquid.ts";
import { mistakeLimit } from "../src/syntax.ts";

const problemsOf = (source: string) => parseLiquid("a.liquid", source).problems;
const linesOf = (source: string) => problemsOf(source).map(({ line, reason }) => `${line} ${reason}`);

it.each<[string, string[]]>([
  [
    "{% if a %}{% for b in c %}\n{% endif %}\n{% else %}",
    [
      "2 the tag `endif` does not belong in a block that begins with `for`",
      "3 the tag `else` does not belong to an open block",
    ],
  ],
  [
    "{{ a | b({ c: 1 }, []) }}{{ d",
    [
      "1 `{` is not expected here; an output begins with `{{`, and a tag with `{%`; send lists and objects in the data; a template has none",
      "1 the output that begins with `{{` is not closed with `}}`",
    ],
  ],
  [
    "{% set a = 1 %}\n{% set b = 2 %}",
    ["1 there is no tag `set`; write `assign`", "2 there is no tag `set`; write `assign`"],
  ],
  [
    "{% macro a() %}x{% endmacro %}",
    ['1 there is no tag `macro`; write a part in parts/, and `{% render "row", item: item %}`'],
  ],
  ["{% nope %}\n{% if a %}{% else %}{% endif %}{% elsif b %}{% endnope %}", ["1 there is no tag `nope`"]],
  [
    "{% if a = 1 %}\n{% for b of c %}\n{{ d e }}\n{% else %}{% endfor %}{% elsif ) %}{% endif %}",
    [
      "1 `=` does not compare values; write `==`",
      "2 `in` is missing in `for`",
      "3 `e` is not expected here",
      "4 a value is expected before `)`",
    ],
  ],
  [
    "{% case ) %}\n{% when ( %}\n{% when 1 %}{{ ~ }}{% endcase %}{{ a }}",
    [
      "1 a value is expected before `)`",
      "2 a value is expected at the end",
      "3 `~` is not expected here; use the filter `append`",
    ],
  ],
  [
    "{% capture 'a %}\n{{ b c }}{% endcapture %}{% block a/b %}\n{{ d e }}{% endblock %}",
    [
      "1 `capture` needs the name of a variable",
      "2 the name of a block consists of letters, digits, `_` and `-`",
      "2 `c` is not expected here",
      "3 `e` is not expected here",
    ].toSorted(),
  ],
  [
    "{% tablerow a %}{% endtablerow %}\n{% render a %}\n{% liquid\n nope\n echo ~\n%}",
    [
      "1 `in` is missing in `tablerow`",
      "2 `render` needs the name of a part in quotes, because all parts must be known when a template is pushed",
      "4 there is no tag `nope`",
      "5 `~` is not expected here; use the filter `append`",
    ],
  ],
  [
    "{% if a %}{% for b in c %}\n{% endif %}{{ a b }}",
    ["2 the tag `endif` does not belong in a block that begins with `for`", "2 `b` is not expected here"],
  ],
  ["{% for a in b %}\n{% endforeach %}", ["2 there is no tag `endforeach`; write `endfor`"]],
  [
    "{% if a %}\n{% for b in c %}{% endfor %}\n{% if d %}",
    ["1 the tag `if` is not closed with `endif`", "3 the tag `if` is not closed with `endif`"],
  ],
  [
    "{{ a }\n{{ b c }}\n{% if d }\n{{ e }}{% endif %}{{ f g }}",
    [
      "1 the output that begins with `{{` is not closed with `}}`",
      "2 `c` is not expected here",
      "3 the tag `if` is not closed with `%}`",
      "4 `g` is not expected here",
    ],
  ],
  ["{{ a b }}\n{{ c", ["1 `b` is not expected here", "2 the output that begins with `{{` is not closed with `}}`"]],
  [
    "{{ a b }}{% %}\n{% raw x %}{{{% endraw %}\n{{ c d }}",
    [
      "1 the tag has no name",
      "1 `b` is not expected here",
      "2 the tag `raw` takes no arguments",
      "3 `d` is not expected here",
    ],
  ],
  ["{{ a b }}\n{% raw %}{{ c d }}", ["1 `b` is not expected here", "2 the block `raw` is not closed with `endraw`"]],
  [
    "{{ a b }}{% if c %}\n{% comment %}{{ c d }}",
    ["1 `b` is not expected here", "2 the tag `comment` is not closed with `endcomment`"],
  ],
  [
    "{{!-- {{ a b }} --}}{{-- {{ $a }}\n--}}\n{{ c d }}",
    [
      "1 `{{!-- {{ a b }} --}}` is code of Handlebars; write a comment between `{% comment %}` and `{% endcomment %}`",
      "1 `{{-- {{ $a }} --}}` is code of Blade; write a comment between `{% comment %}` and `{% endcomment %}`",
      "3 `d` is not expected here",
    ],
  ],
  [
    "{{#each a}}\n{{ b c }}{{/each}}{{/if}}",
    [
      "1 `{{#each a}}` is code of Handlebars; write `{% for item in a %}`, and `item.name`",
      "2 `c` is not expected here",
    ],
  ],
  [
    "{{ a|length > 0 }}{% if a|length > 3 %}{% endif %}\n{% for k, v in a %}{% endfor %}",
    [
      "1 there is no filter `length`; write `size`",
      "1 `>` is not expected here; write `{% if %}`, `{% else %}` and `{% endif %}`",
      "1 a condition cannot contain filters; use `assign` first; write `size`",
      "2 `for` takes one variable; write `pair in items`; `pair[0]` is the key",
    ],
  ],
  [
    "{{ a | upper('x') | lower }}",
    ["1 there is no filter `upper`; write `upcase`", "1 there is no filter `lower`; write `downcase`"],
  ],
])(
  "all mistakes are listed together, in the order of lines, without those that follow from others: %j",
  (source, expected) => {
    expect(linesOf(source).toSorted()).toEqual(expected.toSorted());
    expect(problemsOf(source).map(({ line }) => line)).toEqual(
      expected.map((text) => Number.parseInt(text)).toSorted(),
    );
  },
);

it.each(["{{--5}}", "{{-5-}}", "{{- -5 -}}", "{% comment %}{{-- a }}{% endcomment %}--}}"])(
  "code that only looks like a comment of a different engine is parsed: %s",
  (source) => {
    expect(problemsOf(source)).toEqual([]);
  },
);

it("twenty mistakes are listed in the files of a template together", () => {
  const limit = mistakeLimit();
  const count = (source: string) => parseLiquid("a.liquid", source, { limit }).problems.length;

  expect([count("{{ a b }}".repeat(12)), count("{{ a b }}".repeat(12)), count("{{ a b }}")]).toEqual([12, 8, 0]);
});

it("a file with twenty mistakes is still read, so that its HTML can be checked", () => {
  expect(parseLiquid("a.liquid", "{{ a b }}".repeat(30)).parsed?.unparsed?.changesNames).toBe(true);
  expect(parseLiquid("a.liquid", `${"{{ a b }}".repeat(19)}{{ c }`).parsed).toBe(null);
});

it.each(["{% NAME %}", "{{ a | NAME }}", "{{#each NAME}}", "{{ a NAME }}", "{% for %}{% end NAME"])(
  "a message about %s is short and printable, however long the name is",
  (source) => {
    const [problem] = problemsOf(source.replace("NAME", "a\u202e".repeat(20_000)));

    expect(problem?.reason.length).toBeLessThan(600);
    expect(problem?.reason).not.toContain("\u202e");
  },
);

it("blocks that are nested too deeply end the list of mistakes", () => {
  const source = `{{ a b }}${"{% if a %}".repeat(101)}{{ c d }}`;

  expect(linesOf(source)).toEqual(["1 `b` is not expected here", "1 blocks are nested more than 100 levels deep"]);
});

const pieces =
  "{{ }} {% %} {% if a %} {% endif %} {% for a in b %} {% endfor %} {% raw %} {% endraw %} {% comment %} {% endcomment %} {% nope %} {% endnope %} {{#each a}} {{/each}} {{!-- --}} {{-- {% liquid ' \" { } | ( ) a ~ \n".split(
    " ",
  );

/** Returns numbers from 0 to `below` that look random and are the same in each run. */
function* numbers(seed: number, below: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield Math.floor((state / 2 ** 32) * below);
  }
}

it("parsing lists at most twenty mistakes of random code, in order, and never throws", () => {
  for (let seed = 1; seed <= 3_000; seed++) {
    const random = numbers(seed, pieces.length);
    const source = Array.from({ length: 1 + (seed % 60) }, () => pieces[random.next().value as number]).join(
      seed % 2 ? "" : " ",
    );

    const lines = problemsOf(source).map(({ line }) => line);

    expect(lines.length, source).toBeLessThanOrEqual(20);
    expect(lines, source).toEqual(lines.toSorted((a, b) => a - b));
    expect(Math.max(0, ...lines), source).toBeLessThanOrEqual(source.split("\n").length);
  }
});

it.each([
  ["unclosed outputs", "{{ a "],
  ["closed outputs in unclosed ones", "{{ a {{ b }}"],
  ["comments without an end", "{{!-- a }}"],
  ["unknown tags", "{% nope %}"],
  ["unknown ends", "{% endnope %}"],
  ["misplaced ends", "{% if a %}{% for b in c %}{% endif %}"],
  ["foreign blocks", "{{#a}}"],
  ["ends of foreign blocks", "{{/a}}"],
  ["wrong conditions", "{% if ( %}{% endif %}"],
  ["brackets", "{{ a | b((((((((("],
  ["spaces", "{{ a is      "],
  ["quotes in unclosed strings", `{{ } "${'\\"'.repeat(9_950)} }}`],
])("200,000 characters of mistakes are parsed in time proportional to their length: %s", (_what, piece) => {
  const source = piece.repeat(200_000 / piece.length);
  const start = performance.now();

  const { problems } = parseLiquid("a.liquid", source);

  expect(problems.length).toBeLessThanOrEqual(21);
  expect(performance.now() - start).toBeLessThan(1_000);
});
