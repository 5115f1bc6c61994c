import { expect, it } from "vitest";
import { findingsOf as findingsOfFiles, orderManifest, type Template } from "./corpus/base.ts";

function findingsOf(template: Template, conformance = ["pdf/ua-1"]): string[] {
  const files = typeof template === "string" ? { "pages/1.liquid": template } : template;
  const found = findingsOfFiles({
    "template.json": JSON.stringify({ ...orderManifest, conformance }, null, 1),
    ...files,
  });
  return found.map(
    ({ severity, file, line, message }) => `${severity} ${file}:${line} ${message.replace(/[;,] .*/, "")}`,
  );
}

const image = "<img src=\"{{ 'photo.gif' | asset }}\">";
const noAlt = "`<img>` has no `alt`";
const noSvgText = "`<svg>` has no description";
const noHeads = "the table has no `<th>`";
const noLinkText = "the link has no text";
const rows = "<tr><td>a</td><td>b</td></tr>".repeat(2);

it.each<[template: string, found: string[]]>([
  [`<h1>T</h1>\n${image}`, [`error pages/1.liquid:2 ${noAlt}`]],
  [`{% if isPaid %}\n${image}{% endif %}`, [`warning pages/1.liquid:2 ${noAlt}`]],
  ['<img src="{{ logo }}">', [`warning pages/1.liquid:1 ${noAlt}`]],
  ["<math><mi>x</mi></math>", ["error pages/1.liquid:1 `<math>` has no description"]],
  ["<svg width=9 height=9><rect width=9 height=9 /></svg>", [`error pages/1.liquid:1 ${noSvgText}`]],
  ["<select><option>a</option></select>", ["error pages/1.liquid:1 the value of `<select>` has no tag"]],
  ["{{ number | qr_code }}", ["error pages/1.liquid:1 the barcode has no description"]],
  ["{{ notes | qr_code }}", ["warning pages/1.liquid:1 the barcode has no description"]],
  ["<h1>T</h1>\n<h3>A</h3>", ["error pages/1.liquid:2 `<h3>` follows a heading of level 1"]],
  ["<h2>A</h2>", ["error pages/1.liquid:1 `<h2>` is the first heading"]],
  ["<h2>{{ notes }}</h2>", ["warning pages/1.liquid:1 `<h2>` is the first heading"]],
  ["<h1>T</h1>{% for item in items %}\n<h3>A</h3>{% endfor %}", []],
  ["<h1>T</h1>{% if isPaid %}<h2>A</h2>{% endif %}<h3>B</h3>", []],
  [
    "{% if isPaid %}<h1>A</h1>{% else %}<h1>B</h1>{% endif %}\n<h3>C</h3>",
    ["error pages/1.liquid:2 `<h3>` follows a heading of level 1"],
  ],
  ["<h1>T</h1>{{ notes | markdown }}<h3>A</h3>", []],
  ["{% capture top %}<h1>T</h1>{% endcapture %}{{ top }}<h2>A</h2>", []],
  ["{% capture top %}<h2>A</h2>{% endcapture %}<h1>T</h1>{{ top }}", []],
  ["<h1>T</h1><h2>A</h2>{% if isPaid %}<h1>B</h1>{% endif %}<h3>C</h3>", []],
  [`<table>${rows}</table>`, [`warning pages/1.liquid:1 ${noHeads}`]],
  [
    "<table>{% for item in items %}<tr><td>a</td><td>b</td></tr>{% endfor %}</table>",
    [`warning pages/1.liquid:1 ${noHeads}`],
  ],
  ["<p>x</p>\n<a href=#x> <b></b></a>", [`warning pages/1.liquid:2 ${noLinkText}`]],
])("a push of a template that asks for PDF/UA checks %j", (template, found) => {
  expect(findingsOf(template)).toEqual(found);
});

it.each([
  ["a description", image.replace(">", ' alt="A lamp">')],
  ["an empty description", image.replace(">", ' alt="">')],
  ["a description from Liquid", image.replace(">", ' alt="{{ number }}">')],
  ["a description in a branch", image.replace(">", ' {% if isPaid %}alt="a"{% endif %}>')],
  ["a hidden element", `<div aria-hidden="true"><p>x</p>${image}<select><option>a</option></select></div>`],
  ["a described group", `<div role="img" aria-label="A code">{{ number | qr_code }}<svg></svg></div>`],
  ["a closed element", `<h1>T</h1><details><summary>s</summary><h5>x</h5>${image}</details>`],
  ["a heading after a hidden one", "<h1>T</h1><h2>A</h2><div hidden><h1>B</h1></div><h3>C</h3>"],
  ["a described formula", '<math alttext="x"><mi>x</mi></math>'],
  ["a titled drawing", "<svg><title>A square</title><rect width=9 height=9 /></svg>"],
  ["a table that arranges", `<table role="presentation">${rows}</table>`],
  ["a table of one row", "<table><tr><td>a</td><td>b</td></tr></table>"],
  ["a list of one column", "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>"],
  ["a table with heads", `<table><tr><th>A</th><th>B</th></tr>${rows}</table>`],
  ["a link with a picture", `<a href=#x>${image.replace(">", ' alt="A lamp">')}</a>`],
  ["a link with an output", "<a href=#x>{{ number }}</a>"],
  ["a link with a label", '<a href=#x aria-label="a"></a>'],
  ["headings that go up several levels", "<h1>T</h1><h2>A</h2><h3>B</h3><h2>C</h2><h1>D</h1>"],
])("a push of a template that asks for PDF/UA accepts %s", (_what, template) => {
  expect(findingsOf(template)).toEqual([]);
});

it("a push follows headings over page files and the parts that they render", () => {
  const found = findingsOf({
    "pages/1.liquid": '{% render "top" %}\n<h2>A</h2>',
    "pages/2.liquid": '<h3>B</h3>{% render "deep" %}{% for item in items %}{% render "deep" %}{% endfor %}',
    "parts/top.liquid": "<h1>T</h1>",
    "parts/deep.liquid": `\n<h5>C</h5>${image}`,
  });

  expect(found).toEqual([
    "error parts/deep.liquid:2 `<h5>` follows a heading of level 3",
    `error parts/deep.liquid:2 ${noAlt}`,
  ]);
});

it("a push does not guess where a layout prints the headings of a page", () => {
  const found = findingsOf({
    "pages/1.liquid": `{% layout "letter" %}{% block body %}<h2>A</h2>\n<h4>B</h4>${image}{% endblock %}`,
    "parts/letter.liquid": `<h1>T</h1>{% block body %}{% endblock %}\n<h3>C</h3>${image}`,
  });

  expect(found).toEqual([
    `error parts/letter.liquid:2 ${noAlt}`,
    "warning pages/1.liquid:2 `<h4>` follows a heading of level 2",
    `warning pages/1.liquid:2 ${noAlt}`,
  ]);
});

it("headers and footers are decoration, which needs no description", () => {
  expect(findingsOf({ "header.liquid": `<h3>x</h3>${image}`, "footer.liquid": image })).toEqual([]);
});

it("mistakes against PDF/UA are warnings if the styles may hide what they are about", () => {
  expect(findingsOf({ "pages/1.liquid": image, "style.css": ".x { display: none }" })).toEqual([
    `warning pages/1.liquid:1 ${noAlt}`,
  ]);
});

it.each([[[]], [["pdf/a-2b"]], [["pdf/a-3u"]]])("templates that ask for %j need no tags", (conformance) => {
  expect(findingsOf(`<h3>x</h3>${image}<table>${rows}</table><a href=#x></a>`, conformance)).toEqual([]);
});

it.each([["pdf/a-2a"], ["pdf/a-3a"]])(
  "templates that ask for %s are checked like those that ask for PDF/UA",
  (level) => {
    expect(findingsOf(image, [level])).toEqual([`error pages/1.liquid:1 ${noAlt}`]);
  },
);

it("a push stops following parts that render parts thousands of times", () => {
  const parts = Array.from({ length: 12 }, (_, index) => index);
  const found = findingsOf({
    "pages/1.liquid": '{% unless number %}{% render "p0" %}{% endunless %}',
    ...Object.fromEntries(
      parts.map((index) => [
        `parts/p${index}.liquid`,
        index < 11 ? `{% render "p${index + 1}" %}`.repeat(9) : "<p>x</p>",
      ]),
    ),
  });

  expect(found).toEqual([expect.stringMatching(/only a part of the template was checked/)]);
});

const low = (line: number, place: string, ratio: string) => `warning ${place}:${line} the contrast of ${ratio}`;

it.each<[files: Record<string, string>, found: string[]]>([
  [{ "style.css": "\np {\n  color: #ccc }" }, [low(3, "style.css", "`#ccc` on `white` is 1.6:1")]],
  [{ "style.css": "p { color: #999; background: #fff }" }, [low(1, "style.css", "`#999` on `#fff` is 2.8:1")]],
  [
    { "pages/1.liquid": '<p>a</p>\n<p style="color: rgb(80 80 80); background-color: black">x</p>' },
    [low(2, "pages/1.liquid", "`rgb(80 80 80)` on `black` is 2.6:1")],
  ],
  [
    { "pages/1.liquid": "<style>\n/* x */ b { color: silver !important }</style><b>x</b>" },
    [low(2, "pages/1.liquid", "`silver` on `white` is 1.8:1")],
  ],
  [{ "style.css": "p { color: #767676 } i { color: {{ x }} } b { color: transparent } /* a { color: #eee } */" }, []],
  [{ "style.css": "p { color: white } div { background: black }" }, []],
  [{ "style.css": "p { color: white; background: url(logo.svg) }" }, []],
])("a push of a template that asks for PDF/UA compares colors in %j", (files, found) => {
  expect(findingsOf(files)).toEqual(found);
  expect(findingsOf(files, [])).toEqual([]);
});
