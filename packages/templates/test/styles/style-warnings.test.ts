import { expect, it } from "vitest";
import { measured } from "colophon-test-kit/cpu-time";
import { styleWarnings } from "../../src/styles/style-warnings.ts";

type Input = { css?: string; page?: string; header?: string };

function warningsOf({ css = "", page = "", header }: Input) {
  const pages = [{ name: "1.liquid", source: page }];
  return styleWarnings({ sheets: [{ file: "style.css", css }], pages, header: header ?? null, footer: null });
}

const messagesOf = (input: Input) => warningsOf(input).map(({ message }) => message);

const onlyPage =
  "the only counter is `page`, or `part-page` within a part; write other numbers and titles in Liquid, as the text of the link";
const pageNumbers =
  "Chromium does not print `target-counter()`; write `target-counter(attr(href), page)`, and only in `content` in style.css";
const leaders =
  "Chromium does not print `leader()`; write `leader(dotted)` or another single pattern, and only in `content` in style.css";
const onlyCss =
  "is not CSS; style.css contains only CSS; a `<style>` element of a page file can contain Liquid, such as `{{ name }}`";
const titles =
  "put running titles into header.liquid or footer.liquid, where `page.section` is the latest `h1`, and `page.values` others";
const footnotes = "for footnotes, see the recipe `Footnotes` in docs/cookbook.md";
const instead = (similar?: string) => (similar ? `; did you mean \`${similar}\`?` : "");
const unsupported = (shown: string, similar?: string) => `Chromium does not support ${shown}${instead(similar)}`;
const invalid = (property: string, part: string, similar?: string) =>
  `Chromium ignores \`${property}\`, because \`${part}\` is not valid there${instead(similar)}`;
const noFont = (name: string, similar?: string) =>
  `neither the template nor the service has the font \`${name}\`${instead(similar) || "; declare it with `@font-face` and a file in assets/"}`;
const noPageSelector = (selector: string) =>
  `Chromium ignores \`@page ${selector}\`; it supports \`@page name\`, \`@page :first\`, \`@page :left\`, \`@page :right\` and \`@page name:first\`, one in each rule`;
const notForPage = (name: string) =>
  `Chromium 130 and older ignore \`${name}\` in \`@page\`, which takes only \`size\`, \`margin\` and \`page-orientation\`; style \`.page\`, or the element of one page, instead`;

const clone = "-webkit-box-decoration-break:clone;box-decoration-break:clone";

const message =
  "Chromium 129 and older do not support the property `box-decoration-break`, and with a prefix only on inline boxes";

it.each<[what: string, input: Input]>([
  ["a class", { css: `.box{border:1px solid;${clone}}`, page: '<div class="box">x</div>' }],
  ["a block and an inline element", { css: `.box{${clone}}`, page: '<p class="box">x</p><b class="a box">y</b>' }],
  ["a class that no element has", { css: `.box{${clone}}` }],
  ["the standard property alone", { css: "div{box-decoration-break:clone}" }],
  ["the prefixed property alone", { css: "div{-webkit-box-decoration-break:clone}" }],
  ["an inline element and a block", { css: `mark,p{${clone}}` }],
  ["every element in one", { css: `span *{${clone}}` }],
  ["a nested rule", { css: `.a{&:first-child{${clone}}}`, page: "<section class='a'>x</section>" }],
  ["a rule in a page file", { page: `<style>li{${clone}}</style><ul><li>x</li></ul>` }],
  ["an attribute", { page: `<div style="${clone}">x</div>` }],
])("box-decoration-break is not supported on blocks: %s", (_what, input) => {
  expect(messagesOf(input)).toEqual([message]);
});

it.each<[what: string, input: Input]>([
  ["an element", { css: `mark{${clone}}` }],
  ["elements", { css: `p > span, a:hover{${clone}}` }],
  ["a class", { css: `.hl{${clone}}`, page: "<p>x <mark class=\"big hl\">y</mark> <b class='hl'>z</b></p>" }],
  ["an id", { css: `#hl{${clone}}`, page: '<p>x <span id="hl">y</span></p>' }],
  ["a class with a state", { css: `p .hl:first-child{${clone}}`, page: '<p><i class="hl">y</i></p>' }],
  ["a display", { css: `.hl{display:inline;${clone}}`, page: '<div class="hl">y</div>' }],
  ["a nested rule", { css: `.a{&:first-child{${clone}}}`, page: "<em class='a'>x</em>" }],
  ["an attribute", { page: `<p><code style="${clone}">x</code></p>` }],
  ["a test of support", { css: `@supports (box-decoration-break:clone){.box{${clone}}}` }],
  ["a class in a header", { css: `.hl{${clone}}`, header: '<b class="hl">x</b>' }],
])("box-decoration-break is supported on inline boxes with a prefix: %s", (_what, input) => {
  expect(messagesOf(input)).toEqual([]);
});

it.each([
  ["a{colr:red}", unsupported("the property `colr`", "color")],
  ["a{c\\6flr:red}", unsupported("the property `colr`", "color")],
  ["a{constructor:1}", unsupported("the property `constructor`")],
  ["a{string-set:title content()}", `Chromium does not support the property \`string-set\`; ${titles}`],
  ["a{bookmark-level:1}", "headings automatically become bookmarks"],
  ["a{footnote-display:block}", `Chromium does not support the property \`footnote-display\`; ${footnotes}`],
  [
    "a{-ah-keep-together:a}",
    "Chromium does not support the property `-ah-keep-together`; it is specific to Antenna House",
  ],
  ["a{-moz-appearance:none}", "Chromium does not support the property `-moz-appearance`; write `appearance`"],
  ["a{text-box:trim-both}", "Chromium 132 and older do not support the property `text-box`"],
  ["a{print-color-adjust:exact}", "`print-color-adjust`; add `-webkit-print-color-adjust`"],
  ["a{color:}", "Chromium ignores `color`, because it has no value"],
  ["a{color red}", "Chromium ignores `color red`, because it is not a declaration of the form `name: value`"],
  ["a{// x\ntop:0}", "CSS has no `//` comments, so Chromium ignores the text that follows; write `/* ... */`"],
  ["a{float:footnote}", `${invalid("float", "footnote")}; ${footnotes}`],
  ["a{color:rebeccapurpl}", invalid("color", "rebeccapurpl", "rebeccapurple")],
  ["a{width:stretch}", "Chromium 137 and older do not support `width: stretch`; write `-webkit-fill-available`"],
  ["a{width:10 px}", invalid("width", "10")],
  ["a{color:linear-gradient(red,blue)}", invalid("color", "linear-gradient()")],
  ["a{transform:rotate(45)}", invalid("transform", "45")],
  ["a{aspect-ratio:16/}", "Chromium ignores `aspect-ratio`, because `16/` is not a complete value"],
  ["a{position:running(x)}", `Chromium does not print \`running()\`; ${titles}`],
  ["a{content:target-text(attr(href))}", `Chromium does not print \`target-text()\`; ${onlyPage}`],
  ["a{content:target-counter(attr(href),page,nonsense)}", pageNumbers],
  [
    "a{content:'x' target-counter(attr(href), chapter, upper-roman) target-counter(attr(href), page)}",
    `Chromium does not print \`target-counter(attr(href), chapter, upper-roman)\`; ${onlyPage}`,
  ],
  ["a{content:target-counters(attr(href),section,'.')}", `Chromium does not print \`target-counters()\`; ${onlyPage}`],
  ["a{width:leader(dotted)}", leaders],
  ["a{color:lighten(red,9%)}", invalid("color", "lighten()")],
  ["a{background:liner-gradient(red,blue)}", invalid("background", "liner-gradient()", "linear-gradient")],
  ["a{color:contrast-color(red)}", "Chromium 146 and older do not support `contrast-color()`"],
  ["a{width:attr(x px)}", "Chromium 132 and older do not support `attr()` outside `content`"],
  ["a{width:--half(1px)}", "Chromium 138 and older do not support `--half()`"],
  ["@footnote{a:b}", `Chromium does not support \`@footnote\`; ${footnotes}`],
  ["@page{@top-center{content:string(x)}}", "`@top-center`; put its content into header.liquid"],
  ["@page{@left-middle{a:b}}", "put its content into header.liquid or footer.liquid"],
  ["@mdia print{a{colr:red}}", unsupported("`@mdia`", "@media")],
  ["@function --a(){result:1}", "Chromium 138 and older do not support `@function`"],
  ["@constructor{}", unsupported("`@constructor`")],
  ["@page :nth(2){margin:0}", noPageSelector(":nth(2)")],
  [
    "@page :blank{margin:0}",
    `${noPageSelector(":blank")}; blank pages show the elements of header.liquid with the class`,
  ],
  ["a{font-family:Brand,-apple-system,sans-serif}", noFont("Brand")],
  ["@page{background:red}", notForPage("background")],
  ["@page{size:a6 portrait}", "`a6` is not valid there; write the width and the height of the page"],
  ["@font-face{font-dsplay:swap}", unsupported("the descriptor `font-dsplay` of `@font-face`", "font-display")],
  [
    "@font-face{font-variation-settings:'a' 1}",
    "139 and older do not support the descriptor `font-variation-settings`",
  ],
  ["@media print{color:red;a{top:0}}", "Chromium ignores `color:red` and the rule that follows"],
  ["@keyframes a{to{top:0}}", "`@keyframes` has no effect, because documents are static"],
  ["a{-webkit-animation:b 1s}", "the property `-webkit-animation` has no effect, because documents are static"],
  ["a:hoverr{}", unsupported("`:hoverr`", ":hover")],
  ["a:nth-chld(2){}", unsupported("`:nth-chld()`", ":nth-child")],
  ["a::placeholder,a::-moz-placeholder{}", unsupported("`::-moz-placeholder`")],
  ["styles.css", "Chromium ignores `styles.css` and the rule that follows, because the text belongs to no rule"],
  ["{#asset a.css @encoding=utf8}", `Chromium ignores \`#asset a.css @encoding=utf8\`, because it ${onlyCss}`],
  ["$font p{color:red}", `Chromium ignores \`$font p\`, because it ${onlyCss}`],
  ["a{font-family:$font}", `${invalid("font-family", "$")}; ${onlyCss.replace("is not CSS; ", "")}`],
  ["@page{size:$width $height}", `${invalid("size", "$")}; ${onlyCss.replace("is not CSS; ", "")}`],
  ["// x\na{}", "CSS has no `//` comments, so Chromium ignores the text that follows; write `/* ... */`"],
  ["a{border:1px solid #ccc\n  padding: 8px}", invalid("border", "padding")],
  ["a{};b{}", "a `;` before a rule makes Chromium ignore the rule; remove it"],
  ["a{font-family:Brand}", noFont("Brand")],
  ["a{font-family:Helvetca}", noFont("Helvetca", "Helvetica")],
  ["@font-face{font-family:'My Font';src:url(x)}a{font-family:My Fnt}", noFont("My Fnt", "My Font")],
])("CSS like %j causes a warning if a Chromium ignores it", (css, part) => {
  expect(messagesOf({ css })).toEqual([expect.stringContaining(part)]);
});

it.each([
  "@page{margin:-0.25cm}",
  "@page{margin:1cm -5mm 0}",
  "@page :first{margin-top:-1in}",
  "@page wide{margin-left:-.5px}",
  "@page{margin-top:1cm;margin-bottom:-10%}",
  "@media print{@page{margin:0 0 -1e1px}}",
])("the page margin in %s causes a warning, because it puts content outside the paper", (css) => {
  expect(messagesOf({ css })).toEqual([
    expect.stringMatching(/^a negative `margin(-[a-z]+)?` of `@page` puts content outside/),
  ]);
});

it.each([
  "@page{margin:-0.0cm}",
  "@page{margin:0}",
  "@page{margin:1cm 2cm 0 0.5e-1cm}",
  "a{margin:-1cm}",
  "@page{margin:-1cm;margin:1cm}",
  "@page{margin:calc(2cm - 5mm)}",
  "@page{margin:var(--a-1)}",
  "@supports (margin:-1cm){@page{margin:-1cm}}",
  "a{margin-top:-0.25cm;text-indent:-1em}",
  "@page{size:A4;margin:10mm /* -5mm */}",
])("the margin in %s causes no warning", (css) => {
  expect(messagesOf({ css })).toEqual([]);
});

it.each([
  "a{color:red;--x:1;--colr:{a:b};-webkit-line-clamp:2;word-wrap:normal;grid-gap:0;zoom:1}",
  "a{-ms-flex:1;-moz-flex:1;flex:1;hyphens:auto;hyphenate-limit-chars:6}",
  "@supports (colr:red){a{colr:red}@footnote{b:c}} @supports not (top:0){a:foo{b:c}}",
  "a{top:0;;}b{}",
  "a{*zoom:1;_height:1px;filter:progid:X.gradient(a=1);width:10px\\9;-moz-user-select:auto;user-select:auto}",
  "a{-webkit-print-color-adjust:exact;color-adjust:exact;print-color-adjust:exact}",
  "<!-- a{top:0} -->",
  "a{&:hover{top:0}b:hover{top:0}@media print{top:0;c{top:0}}}",
  "@media print{@page{margin:0}@layer a{b{top:0}}}@layer a,b;@namespace svg url(x);",
  "@counter-style x{system:cyclic;symbols:'x';suffix:' '}@property --x{syntax:'*';inherits:false}",
  "@font-feature-values F{@styleset{nice:12}@swash{a:1}}@font-palette-values --a{base-palette:1}",
  "/* a{colr:red} */a::after{content:'colr:red;@footnote{}'}",
  "a::after{content:leader('.') TARGET-COUNTER( attr( href url ) , page , lower-roman )}",
  ":root{--toc:target-counter(attr(href),page)}a::after{content:var(--toc)}",
  "a{content:attr(x) counter(a) counters(a,'.');width:calc(min(1px,var(--x)) + env(a));color:rgb(0 0 0/.5)}",
  "a{color:REBECCAPURPLE;background:CanvasText;fill:none;border-color:currentcolor;width:min-content;float:inherit}",
  "a{page:wide;list-style-type:thumbs;will-change:foo;position-anchor:--a;overflow-wrap:break-word}",
  "a{position:-webkit-sticky;position:sticky;width:-moz-fit-content;width:fit-content;background:-moz-linear-gradient(red,blue);background:red}",
  "a{background:url('data:,') , image-set('a' 1x),-webkit-gradient(linear,0 0,0 9,from(red),color-stop(.5,red),to(blue))}",
  "a{color:oklch(from var(--a) l c h / 50%);background:color-mix(in oklab,red 20%,blue);text-wrap:pretty}",
  "a{color:MenuText;grid-gap:normal;word-wrap:anywhere;x:2;word-spacing:50%;width:min(env(a),1px);font:caption;quotes:'«' '»'}",
  "a{grid-template-columns:repeat(2,minmax(0,1fr)) fit-content(1px);--x:lighten(red)}",
  "@page{size:A4 landscape;margin:1cm 2cm;margin-top:0}",
  "@page:first{margin:0}@page wide{size:297mm 210mm}@page Wide:LEFT{page-orientation:rotate-left}",
  "@page{size:JIS-B5!important;size:auto;size:calc(1cm*2) 3cm}",
  "@font-face{font-family:X;src:url(x) format('woff2') tech(variations),local(Y);unicode-range:U+20-7F;size-adjust:90%}",
  "a:is(b,:not(c)):nth-child(2n+1 of .x):first-of-type::before,::-webkit-anything,a[href=':x']:before{}",
  "::marker,::part(x),::slotted(a),:host(.a),:root:has(> a):lang(de),input:checked+b~c>d{}",
  ".a\\:b,svg|a{}",
  "a::-moz-focus-inner{}b:-ms-input-placeholder{}",
  "::-webkit-scrollbar-button:horizontal:start{}",
  "a{font-family:'Open Sans',Arial}b{font-family:OPEN SANS}c{font:1px system-ui,Arial}",
  "a{font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',sans-serif}b{font:-apple-system-body}",
  "@font-face{font-family:'My Font';src:url(x)}a{font-family:my font,Arial}",
  "a{font-family:inherit;font:inherit;font:caption;font-family:var(--nothing);font:var(--x)}",
])("CSS like %j causes no warning", (css) => {
  expect(messagesOf({ css })).toEqual([]);
});

it("an unavailable font causes a warning if it precedes the first available font", () => {
  const css = "a{font-family:'Foo Bar',  Baz Qux , serif, Nope}";

  expect(messagesOf({ css })).toEqual([noFont("Foo Bar"), noFont("Baz Qux")]);
});

it.each([
  ["input::before", "input::before{content:'.'}"],
  ["textarea.note:after", "form > textarea.note:after{content:leader(dotted);display:block}"],
  ["IMG[alt]::after", "p IMG[alt]::after{content:attr(alt)}"],
  ["select::after", "a,label+select::after{content:''}"],
  ["input.text::before", "input.text{&::before{content:'x'}}"],
])("generated content of %s causes a warning, because it prints nothing", (shown, css) => {
  expect(messagesOf({ css })).toEqual([expect.stringContaining(`\`${shown}\` prints nothing, because`)]);
});

it.each([
  "input[type=checkbox]::before,input:checked::before{content:'x'}",
  "input::before{content:none}textarea::after{color:red}",
  "img>b::before,p:has(> img)::before,.img::before,my-input::before,hr::before,inputs::before{content:'x'}",
])("generated content of %s causes no warning", (css) => {
  expect(messagesOf({ css })).toEqual([]);
});

it("a font may be declared in a different file", () => {
  expect(messagesOf({ css: "a{font-family:X}", page: "<style>@font-face{font-family:X;src:url(x)}</style>" })).toEqual(
    [],
  );
});

it("no font causes a warning if the name of a declared font contains Liquid", () => {
  const page = "<style>@font-face{font-family:{{ brand }};src:url(x)}</style>";

  expect(messagesOf({ css: "a{font-family:X}", page })).toEqual([]);
});

it("a warning about styles in a Liquid file has the file and line", () => {
  const page = '<p>\n<style media="print">\na { colr: red }\n</style>\n<b\n  style="top: 0;\n  botom: 0">';

  expect(warningsOf({ page, header: "\n<i STYLE='lft: 0'>" })).toEqual([
    { file: "pages/1.liquid", line: 3, message: unsupported("the property `colr`", "color") },
    { file: "pages/1.liquid", line: 7, message: unsupported("the property `botom`", "bottom") },
    { file: "header.liquid", line: 2, message: unsupported("the property `lft`", "left") },
  ]);
});

it.each([
  ["between tags", '{% if a %}<b style="{% if b %}colr:red{% endif %};{% if c %} botom:0;{% endif %}">{% endif %}'],
  ["in a rule after a tag", "<style>{% if a %}b{colr:red}{% endif %}</style>"],
  ["after an output", '<b style="{{ a }}:1; botom:0">'],
  ["in raw text", "{% raw %}<b style='botom:0'>{% endraw %}"],
  ["after a tag in the same element", '<b {% if a %}class="x>y"{% endif %} style="botom:0">'],
])("ignored styles in a Liquid file cause a warning %s", (_where, page) => {
  expect(messagesOf({ page })).toHaveLength(1);
});

it.each([
  '<b style="color:{{ a }};{{ b }}:1;co{{ c }}lr:red;{{ d }}">',
  '<b style="color:{% if a %}red{% else %}blue{% endif %}">',
  '<b style="{% echo a %}: 1; {% cycle "top", "left" %}: 0">',
  "<style>.a{font-family:{% if a %}Foo{% else %}Bar{% endif %}}.x-{{ i }}:foo{top:0}{{ more }}</style>",
  "<style>{{ more }} @font-face{font-family:X;src:url(x)}</style>",
  "<style>a{color:rgb({{ a }}{% if b %}){% endif %}}</style>",
  "{% comment %}<b style='colr:red'>{% comment %}{% endcomment %}<b style='colr:red'>{% endcomment %}",
])("the styles of %j cause no warning", (page) => {
  expect(messagesOf({ page })).toEqual([]);
});

it("ignored styles cause warnings in parts and in shared style sheets", () => {
  const sheets = [
    { file: "shared/styles/a.css", css: "\na{colr:red}" },
    { file: "style.css", css: "" },
  ];
  const parts = [{ file: "parts/a.liquid", source: "\n\n<p style='botom:0'>" }];
  const found = styleWarnings({ sheets, pages: [], parts, header: null, footer: null });

  expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual(["shared/styles/a.css:2", "parts/a.liquid:3"]);
});

it("styles in a Liquid file cannot use page references", () => {
  const page = "<style>a::after{content:leader(dotted) target-counter(attr(href),page)}</style>";

  expect(messagesOf({ page })).toEqual([leaders, pageNumbers]);
});

it("an unmatched bracket in the styles of a Liquid file causes a warning", () => {
  const page = "<style>\na{color:rgb(0,0,0;top:0}\nb{top:0}</style>";

  const message = "`}` closes nothing";
  expect(warningsOf({ page })).toEqual([{ file: "pages/1.liquid", line: 2, message }]);
});

it("the warnings about styles are in the order of the lines", () => {
  const css = "a{\nfont-family:Foo;\ncolr:red}\nb:foo{\nbotom:0}";

  expect(warningsOf({ css }).map(({ line }) => line)).toEqual([2, 3, 4, 5]);
});

it("the warnings about styles escape characters that would change the terminal's output", () => {
  expect(messagesOf({ css: "a{\\1b x\\202e y:1}" })).toEqual([unsupported("the property `\\u001bx\\u202ey`")]);
});

it("the warnings about styles end with the thousandth mistake", () => {
  const names = Array.from({ length: 1_030 }, (_, index) => `colr${index}:red;`);

  expect(warningsOf({ css: `a{${names.join("")}}` })).toHaveLength(1_000);
});

it("equal warnings about a file become one warning with the first line and the number of the others", () => {
  const flood = ".a{transition:color 1s}".repeat(60);

  const found = warningsOf({
    css: `.c{color:red}\n${flood}\n.b{colr:red}`,
    page: "<p style='transition:color 1s'>x</p>",
  });

  expect(found.map(({ file, line, message: text }) => `${file}:${line} ${text}`)).toEqual([
    expect.stringMatching(/^style\.css:2 .*transition.* \(and 59 more\)$/),
    expect.stringMatching(/^style\.css:3 .*colr/),
    expect.stringMatching(/^pages\/1\.liquid:1 .*transition(?!.*more)/),
  ]);
});

it.each([
  ["text that is no declaration", `a{${"b c;".repeat(50_000)}}`],
  ["unknown properties", `a{${"abcdefgh:b;".repeat(20_000)}}`],
  ["unknown selectors", `a${":b".repeat(100_000)}{}`],
  ["values of many parts", `a{transition:${"all 1s ease,".repeat(80)}/}`.repeat(200)],
  ["font families", `a{font-family:${"a,".repeat(100_000)}b}`],
  ["open blocks", "@x{".repeat(60_000)],
])("the warnings about two hundred kilobytes of %s are found within a few seconds", (_what, css) => {
  const { cpuMs } = measured(() => warningsOf({ css }));

  expect(cpuMs).toBeLessThan(5_000);
});

it.each([
  ["SVG", '<svg><text font-family="Foo, Arial">x</text></svg>'],
  ["a group in SVG", "<svg><g font-family=\"'Foo'\"><text>x</text></g></svg>"],
  ["`<font>`", '<font face="Foo">x</font>'],
])("a font that is missing is also found in an attribute of %s", (_what, page) => {
  expect(warningsOf({ page: `<p>x</p>\n${page}` })).toEqual([
    { file: "pages/1.liquid", line: 2, message: noFont("Foo") },
  ]);
});

it("an attribute names a font without a message if the font exists, depends on data, or is an attribute of a different element", () => {
  const svg = `<svg><text font-family="Times New Roman, serif">x</text><text font-family="{{ font }}">x</text></svg>`;
  const others = `<p face="Foo" font-family="Foo">x</p><font face="Brand, Foo">x</font>`;

  expect(messagesOf({ css: '@font-face{font-family:Brand;src:url("a.woff2")}', page: svg + others })).toEqual([]);
});
