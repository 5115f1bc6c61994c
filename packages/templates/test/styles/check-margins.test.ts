import { expect, it } from "vitest";
import { measured } from "colophon-test-kit/cpu-time";
import { styleWarnings } from "../../src/styles/style-warnings.ts";

type Input = { css?: string; page?: string; header?: string; footer?: string; part?: string };

function warningsOf({ css = "", page = "<p>x</p>", header, footer, part }: Input) {
  return styleWarnings({
    sheets: [{ file: "style.css", css }],
    pages: [{ name: "1.liquid", source: page }],
    parts: part === undefined ? [] : [{ file: "parts/line.liquid", source: part }],
    header: header ?? null,
    footer: footer ?? null,
  }).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

const number = '`<span class="pageNumber"></span>` or `{{ page.number }}`';
const total = '`<span class="totalPages"></span>` or `{{ page.total }}`';
const pageIs0 = `\`counter(page)\` prints 0; write ${number} in header.liquid or footer.liquid`;
const pagesIs0 = `\`counter(pages)\` prints 0; write ${total} in header.liquid or footer.liquid`;

it.each<[css: string, messages: string[]]>([
  ['.n::after{content:counter(page) " / " counter(pages)}', [pageIs0, pagesIs0]],
  [".n::after{content:'Page ' counter(page)}", [pageIs0]],
  ["p::before{content:counter(page, lower-roman)}", [pageIs0]],
  ["p::before{content:COUNTER( PAGE )}", [pageIs0]],
  ["p::before{content:counters(pages, '.')}", [pagesIs0]],
  [".n::after{content:counter(page)}@page{counter-increment:page}@page :first{counter-reset:page 2}", [pageIs0]],
  ["@media print{.n::after{content:counter(page)}}", [pageIs0]],
])("a counter of pages in %s causes a warning, because it prints 0", (css, messages) => {
  const found = warningsOf({ css }).filter((warning) => !warning.includes("in `@page`"));

  expect(found).toEqual(messages.map((message) => expect.stringContaining(message)));
});

it("a counter of pages in the styles of a header causes a warning", () => {
  const found = warningsOf({ header: "<style>\np::after{content:counter(page)}</style><p></p>" });

  expect(found).toEqual([expect.stringContaining(`header.liquid:2 ${pageIs0}`)]);
});

it.each([
  "h1{counter-increment:page}h1::before{content:counter(page)}",
  "body{counter-reset:page 0 pages 3}.n::after{content:counter(page) counter(pages)}",
  "ol{counter-reset:page}li{counter-increment:page}li::marker{content:counters(page,'.')}",
  "p{counter-set:page 3}p::after{content:counter(page)}",
  "p::after{content:counter(chapter) counter(page-number) counter(pagess)}",
  "p::after{content:'counter(page)' attr(page)}",
  "/* counter(page) */p{color:red}",
  "a::after{content:target-counter(attr(href), page)}",
  "p{--page:counter(page)}",
  "@supports (content:counter(page)){p::after{content:counter(page)}}",
])("a counter in %s causes no warning", (css) => {
  expect(warningsOf({ css })).toEqual([]);
});

it.each<[what: string, style: string]>([
  ["an attribute", "<p style='counter-reset:page 4'></p>"],
  ["a page file", "<style>b{counter-increment:page}</style>"],
])("a counter of pages that %s sets causes no warning", (_what, page) => {
  expect(warningsOf({ css: "p::after{content:counter(page)}", page })).toEqual([]);
});

it.each([
  ["@bottom-center{content:counter(page)}", `footer.liquid; write ${number}`],
  ["@bottom-right{content:'Page ' counter(page) ' of ' counter(pages)}", `; write ${number}; write ${total}`],
  ["@top-left{content:counter(page, upper-roman)}", `header.liquid; write ${number}`],
  [
    "@bottom{content:counter(page)}",
    `Chromium does not support \`@bottom\`; put its content into footer.liquid; write ${number}`,
  ],
  ["@bottom-left{content:COUNTER(PAGES)}", `footer.liquid; write ${total}`],
  ["@bottom-left{content:counter(page) counter(page)}", `footer.liquid; write ${number}`],
])("the advice about the margin box %s names a way to print its numbers", (box, end) => {
  expect(warningsOf({ css: `@page{${box}}` }).map((warning) => warning.slice(-end.length))).toEqual([end]);
});

it("the advice about a margin box without numbers names only its file", () => {
  expect(warningsOf({ css: "@page{@bottom-center{content:'x' counter(chapter)}}" })).toEqual([
    expect.stringMatching(/put its content into footer\.liquid$/),
  ]);
});

it.each([
  ['<p>Page <span class="page"></span></p>', `footer.liquid:2 \`<span class="page">\` prints nothing; write ${number}`],
  ['<p>of <span class="topage"> </span></p>', `<span class="topage">\` prints nothing; write ${total}`],
  ["<table><tr><td class='section'></td></tr></table>", "prints nothing; write `{{ page.section }}`"],
  ['<div id="a" class="x frompage"></div>', "prints nothing; write `1`"],
  ["<span class=title></span>", "prints nothing; write the text itself, or a field"],
  ['{% if page.number > 1 %}<b class="date"></b>{% endif %}', "prints nothing; write a field, such as"],
])("the empty element of other programs in %j causes a warning", (footer, message) => {
  expect(warningsOf({ footer: `\n${footer}` })).toEqual([expect.stringContaining(message)]);
});

it.each([
  ['<p>Page <span class="page"></span></p>', number],
  ['<p>of <b class="x topage"></b></p>', total],
  ['<span class="pageNumber"></span>', number],
  ["<span\n  class=totalPages></span>", total],
  ["<i class='sitepages'></i>", total],
  ['<small class="frompage"></small>', "write `1`"],
])("the empty element of other programs in the page file %j causes a warning", (page, instead) => {
  expect(warningsOf({ page })).toEqual([
    expect.stringMatching(
      /^pages\/1\.liquid:1 `<\w+ class="\w+">` prints nothing; write .* in header\.liquid or footer\.liquid$/,
    ),
  ]);
  expect(warningsOf({ page })[0]).toContain(instead);
});

it("an empty element of other programs causes a warning in a part that the header renders", () => {
  const found = warningsOf({ header: '{% render "line" %}', part: '<i class="topage"></i>' });

  expect(found).toEqual([expect.stringContaining("parts/line.liquid:1")]);
});

it.each<Input>([
  { page: '<div class="page"></div><span class="title"></span><b class="date"></b><td class="section"></td>' },
  { page: '<span class="page"></span>', css: ".page::after{content:'1'}" },
  { footer: '<span class="pageNumber" style="color:red"></span>' },
  { footer: '<span class="pageNumber"></span> / <span class="totalPages"></span>' },
  { footer: '<span class="page">{{ page.number }}</span>' },
  { footer: '<span class="page">3</span><td class="section"><b>x</b></td>' },
  { footer: '<span class="date"></span>', css: ".date::before{content:'2026'}" },
  { footer: '<div class="title"></div>', css: ".title{height:1px;background:red}" },
  { footer: '<div class="section" style="border-top:1px solid"></div>' },
  { footer: '<span class="pages"></span><span class="my-page"></span><hr class="page">' },
  { footer: "<!-- <span class='page'></span> -->{% comment %}<span class='page'></span>{% endcomment %}" },
  { page: '{% render "line" %}', part: '<div class="topage"></div>', footer: "<p>x</p>" },
  { footer: '<img class="title" src="x"><span id="page"></span>' },
])("the elements of %j cause no warning", (input) => {
  expect(warningsOf(input)).toEqual([]);
});

const reference = (selector: string) => `${selector}::after{content:target-counter(attr(href), page)}`;
const empty = "style.css:1 `target-counter()` prints nothing in headers and footers";

it.each<[css: string, header: string]>([
  [reference(".see"), '<a class="see" href="#fees">Fees</a>'],
  [reference("a"), '<a href="#fees">Fees</a>'],
  [reference("nav .see, .head a.see"), '<div class="head"><a class="see" href="{{ link }}">Fees</a></div>'],
  [reference("#fees-link"), '<a id="fees-link" href="#fees">Fees</a>'],
  [reference(".page-header > p > a:first-child"), '<div class="page-header"><p><a href="#fees">Fees</a></p></div>'],
  [".r::after{content:'p. ' target-counter(attr(data-ref), page)}", '<b class="r" data-ref="#fees"></b>'],
])("a page reference in %j causes a warning beside a header with %j", (css, header) => {
  expect(warningsOf({ css, header })).toEqual([empty]);
});

it.each<[css: string, header: string]>([
  [reference(".see"), '<a href="#fees">Fees</a>'],
  [reference(".toc a"), '<a href="#fees">Fees</a>'],
  [reference("a"), '<a href="https://example.com">Example</a>'],
  [reference("a"), "<p>Fees</p>"],
  [reference("a.see"), '<b class="see" data-ref="#x"></b>'],
  [reference("li"), '<a href="#x"></a>'],
  [reference("#toc a"), '<a class="toc" href="#fees">Fees</a>'],
  [".r::after{content:target-counter(attr(data-ref), page)}", '<a class="r" href="#fees"></a>'],
  [".see::after{content:leader('.')}", '<a class="see" href="#fees">Fees</a>'],
  [".see::after{content:attr(href)}", '<a class="see" href="#fees">Fees</a>'],
  [reference(".seen"), '<a class="see" href="#fees">Fees</a>'],
])("a page reference in %j causes no warning beside a header with %j", (css, header) => {
  expect(warningsOf({ css, header, page: '<a class="see" href="#fees">Fees</a>' })).toEqual([]);
});

const toc = ".toc a::after{content:leader(dotted) target-counter(attr(href), page)}";
const counted = (written: string) => `page references count all pages, so they differ from \`${written}\``;

it.each([
  ["<p>{% if page.number > 2 %}{{ page.number | minus: 2 }}{% endif %}</p>", "page.number | minus: 2"],
  ["<p>{{page.number|minus:1}}</p>", "page.number|minus:1"],
  ["{% assign n = page.number | minus: 3 %}<p>{{ n | roman }}</p>", "page.number | minus: 3"],
  ["<p>{{ page.number | minus: 2 | at_least: 1 }}</p>", "page.number | minus: 2"],
  ["{{- page.number | minus: 10 -}}", "page.number | minus: 10"],
  ["{% if page.number > 4 %}<p>p. {{ page.number  |  minus: 4 }}</p>{% endif %}", "page.number  |  minus: 4"],
])("the footer %j causes a warning beside a table of contents that counts all pages", (footer, written) => {
  expect(warningsOf({ css: toc, footer })).toEqual([
    `footer.liquid:1 ${counted(written)}; begin the numbered part with \`data-part\`, write \`{{ page.partNumber }}\`, and \`part-page\` instead of \`page\` in \`target-counter()\``,
  ]);
});

it.each<Input>([
  { css: "", footer: "{{ page.number | minus: 2 }}" },
  { css: "a::after{content:leader('.')}", footer: "{{ page.number | minus: 2 }}" },
  { css: toc, footer: "{{ page.number }}" },
  { css: toc, footer: "{{ page.partNumber }} {{ page.number | plus: 1 }}" },
  { css: toc, footer: "{{ page.total | minus: 2 }}" },
  { css: toc, footer: "{{ page.number }}, from page {{ page.number | minus: 1 }}" },
  { css: toc, header: '<b class="pageNumber"></b>', footer: "from page {{ page.number | minus: 1 }}" },
  { css: toc, footer: "{% assign left = page.number | modulo: 2 %}{{ left }}" },
  { css: toc, page: "{{ page.number | minus: 2 }}" },
  { css: toc, footer: "{{ page.sectionNumber | minus: 1 }}{{ my_page.number_minus }}" },
])("the numbers of %j cause no warning", (input) => {
  expect(warningsOf(input)).toEqual([]);
});

it.each<[what: string, input: Input]>([
  ["elements", { footer: '<i class="page"></i>'.repeat(10_000), css: ".x .page{top:0}".repeat(10_000) }],
  ["unclosed comments", { footer: "<!--".repeat(50_000) }],
  ["unclosed tags", { footer: '<i class="page" '.repeat(12_000) }],
  ["classes without a rule", { footer: '<i class="page"></i>', css: `/*${".page".repeat(40_000)}*/` }],
  ["rules of pages", { css: `p::after{content:counter(page)}${"@page".repeat(40_000)}{}` }],
  ["references", { footer: "{{ page.number | minus: 2 }}".repeat(7_000), css: toc }],
])("headers and footers with two hundred kilobytes of %s are checked within a few seconds", (_what, input) => {
  const { cpuMs } = measured(() => warningsOf(input));

  expect(cpuMs).toBeLessThan(5_000);
});
