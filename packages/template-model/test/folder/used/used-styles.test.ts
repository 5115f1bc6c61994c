import { expect, it } from "vitest";
import { dataUri, png } from "colophon-test-kit/images";
import { styleAssets } from "../../../src/folder/used/used-styles.ts";
import { inlineStyleAssets } from "../../../src/styles/reference-styles.ts";

const logoUri = "data:image/svg+xml;base64,QUJD";
const uris = new Map([
  ["logo.svg", logoUri],
  ["my logo.png", "data:image/png;base64,QUJE"],
]);
const names = new Set(uris.keys());

function cssOf(css: string): string {
  const { assets, problems } = styleAssets(css, names);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return inlineStyleAssets(css, assets, uris);
}

const problemsOf = (css: string) => styleAssets(css, names).problems;

it.each(["url(logo.svg)", "url('logo.svg')", 'url("logo.svg")', "url( ./logo.svg )", "url(assets/logo.svg)"])(
  "styles contain the asset in place of %s",
  (url) => {
    expect(cssOf(`a{background:${url}}`)).toBe(`a{background:url("${logoUri}")}`);
  },
);

it.each([
  ["escaped letters of `url`", "u\\72l(logo.svg)"],
  ["escaped letters of the name", "url(\\6cogo.svg)"],
  ["line ends around the name", "url(\n\tlogo.svg\n)"],
  ["a percent escape in the name", "url(%6Cogo.svg)"],
  ["a query", 'url("logo.svg?v=3")'],
  ["the way from a folder beside assets/", "url(../assets/logo.svg)"],
  ["the way from a deeper folder, and a query", "url('../../logo.svg?v=2')"],
  ["an empty query", "url(./assets/logo.svg?)"],
  ["a query with a number sign", "url(logo.svg?%23a)"],
])("the asset replaces a URL with %s in styles", (_what, url) => {
  expect(cssOf(`a{background:${url}}`)).toBe(`a{background:url("${logoUri}")}`);
});

it.each([
  ["a{background:image-set('logo.svg' 1x)}", `a{background:image-set("${logoUri}" 1x)}`],
  ["a{background:-webkit-image-set('logo.svg' 1x)}", `a{background:-webkit-image-set("${logoUri}" 1x)}`],
  [
    'a{background:image-set("logo.svg" type("image/svg+xml"))}',
    `a{background:image-set("${logoUri}" type("image/svg+xml"))}`,
  ],
  ['@font-face{src:src("logo.svg")}', `@font-face{src:src("${logoUri}")}`],
  ['a{background:url("my logo.png")}', 'a{background:url("data:image/png;base64,QUJE")}'],
  ["a{--logo:url(logo.svg)}", `a{--logo:url("${logoUri}")}`],
  ["a{b:url(logo.svg),url(logo.svg)}", `a{b:url("${logoUri}"),url("${logoUri}")}`],
  ["@media print{a{b:url(logo.svg)}}", `@media print{a{b:url("${logoUri}")}}`],
])("the asset replaces its URL in %s", (css, expected) => {
  expect(cssOf(css)).toBe(expected);
});

it.each(["?v=3", "?#iefix", "#iefix", "?8d4a4e6f", "?#iefix&v=4.7.0", "?v=4.7.0#Icons", ""])(
  "styles contain the font whose name is followed by %j",
  (end) => {
    const css = (url: string) => `@font-face{src:url("${url}") format("woff2")}`;

    expect(styleAssets(css(`icons.woff2${end}`), new Set(["icons.woff2"]))).toEqual({
      assets: [{ start: 19, end: 32 + end.length, name: "icons.woff2" }],
      problems: [],
    });
  },
);

it("styles can use a file whose name contains a question mark or a number sign", () => {
  const { assets, problems } = styleAssets(
    "a{b:url('a?b.svg'),url(a%3Fb.svg),url('c#d.svg')}",
    new Set(["a?b.svg", "c#d.svg"]),
  );

  expect(problems).toEqual([]);
  expect(assets.map(({ name }) => name)).toEqual(["a?b.svg", "a?b.svg", "c#d.svg"]);
});

it.each([`url(${dataUri("png", png(1, 1))})`, "url(#gradient)"])("styles keep %s unchanged", (url) => {
  expect(cssOf(`a{fill:${url}}`)).toBe(`a{fill:${url}}`);
});

it.each([
  "/* @import 'x.css'; url(x.png) */",
  "a{content:'url(x.png)'}",
  "a{content:\"@import 'x'\"}",
  "@namespace svg url(http://www.w3.org/2000/svg);",
  "@namespace 'http://www.w3.org/1999/xhtml';",
  "@font-face{src:local('Arial') format('woff2')}",
  "@font-face{src:url('../fonts/a.svg?v=4.7.0#a') format('svg'),url(a.svg#b)format(svg)}",
  "@font-face{src:url('../fonts/a.eot');src:url(a.eot?#iefix) format('embedded-opentype')}",
  "a[href='x.png']{color:red}",
  "",
  "a{}\r\nb{}",
])("styles may contain %j, which is not a reference to a file", (css) => {
  expect(cssOf(css)).toBe(css);
});

const onlyAssets = "style.css can use only files in assets/";
const remote = (url: string) => `\`${url}\` is not loaded by documents; put the file into assets/`;

it.each([
  ["nope.svg", `there is no file assets/nope.svg; ${onlyAssets}`],
  ["constructor", `there is no file assets/constructor; ${onlyAssets}`],
  ["../img/nope.svg", `there is no file assets/img/nope.svg; ${onlyAssets}, which has no folders`],
  ["nope.svg?v=2", `there is no file assets/nope.svg; ${onlyAssets}`],
  ["logo.svgz?logo.svg", `there is no file assets/logo.svgz; ${onlyAssets}`],
  [
    "../img/logo.svg?v=2",
    "there is no file assets/img/logo.svg; write `url(logo.svg)`, because assets/ has no folders",
  ],
  [
    "assets/img/logo.svg",
    "there is no file assets/img/logo.svg; write `url(logo.svg)`, because assets/ has no folders",
  ],
  ["logo.svg#icon", "styles can show only all of logo.svg; put the part into a separate file"],
  ["logo.svg?v=2#icon", "styles can show only all of logo.svg; put the part into a separate file"],
  ["https://example.com/a.png", remote("https://example.com/a.png")],
  ["//example.com/logo.svg", remote("//example.com/logo.svg")],
])("styles may not refer to %s, because it is not an asset of the template", (target, reason) => {
  const problems = problemsOf(`a {\n\n  background: url(${target});\n}`);

  expect(problems).toEqual([{ line: 3, reason }]);
});

const noImport =
  "`@import` is not supported; put the styles into style.css, or into a file that `styles` of template.json lists, and fonts into assets/";

it.each([
  "@import 'a.css';",
  "@IMPORT url(logo.svg);",
  "@\\69mport 'a.css';",
  '@import url("../styles/a5.css") screen;',
  "@import url(./a/b.css?v=2#x) layer(base) supports(display: grid);",
  "@import/* ; */'a.css' print",
  "@import url();",
  "@import 'https://fonts.googleapis.com/css2?family=Inter';",
  "@import;",
])("styles may not contain %s, and the whole rule causes one problem", (rule) => {
  expect(problemsOf(`a{}\n${rule}\nb{}`)).toEqual([{ line: 2, reason: noImport }]);
});

it("each `@import` causes one problem, and files in other rules are still found", () => {
  const found = problemsOf("@import url('../a.css');\n@import url(b.css);\nc{b:url(logo.svg) url(nope.svg)}");

  expect(found.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    `1 ${noImport}`,
    `2 ${noImport}`,
    `3 there is no file assets/nope.svg; ${onlyAssets}`,
  ]);
});

it.each(["</style>", "</STYLE >", "</style\n>"])("styles may not contain %j, which ends their element", (end) => {
  const [problem] = problemsOf(`a{}\nb{}\n/* ${end} */`);

  expect(problem).toMatchObject({ line: 3 });
});

it("styles may not contain the `data:` URI of an image that a document could not show", () => {
  const problems = problemsOf(`\na{b:url(${dataUri("png", png(30_000, 30_000))})}`);

  expect(problems).toEqual([{ line: 2, reason: expect.stringMatching(/`data:` URI.*30000 x 30000 pixels/) }]);
});

it.each([
  ["text/html,<b>x</b>", "not a PNG"],
  ["application/pdf;base64,JVBERi0=", "not a PNG"],
  ["image/png;base64,@@", "not well formed"],
  ["image/png,%3Csvg/%3E", "must begin with `data:image/svg+xml`"],
  ["image/svg+xml,%3Csvg/%3E", "lacks `xmlns="],
])("styles may not contain `data:%s` in place of an image", (uri, reason) => {
  expect(problemsOf(`\na{b:url("data:${uri}")}`)).toEqual([{ line: 2, reason: expect.stringContaining(reason) }]);
});

it.each([
  ...["font/woff2;base64,d09GMg==", "application/x-font-ttf;base64,AA", "application/vnd.ms-fontobject;base64,AA"],
  ...[
    "application/octet-stream;base64,AA",
    ";base64,AA",
    ",",
    "text/css,a%7B%7D",
    "image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=",
  ],
  ...[
    "image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E",
    "image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E#x",
  ],
])("styles may contain `data:%s`, which may be an image, a font or nothing on purpose", (uri) => {
  expect(problemsOf(`a{b:url("data:${uri}")}`)).toEqual([]);
});

it.each([
  ["a{b:url(x y)}", "`url(x y)` is not a valid `url()`; put the file's name in quotes"],
  ["a{content:'x\n}", "the quoted text is not closed on its line"],
  ["/* x", "the comment is never closed"],
  ["a{b:c", "`{` is never closed"],
  ["a{}}", "`}` closes nothing"],
  ["a{b:c(}", "`}` closes nothing"],
  ["a{b:url()}", "`url()` does not name a file"],
])("styles may not contain %j", (css, reason) => {
  expect(problemsOf(css)).toContainEqual({ line: 1, reason });
});

it.each(["(", "[", "{", "a{", "f(", "url(("])("styles are refused when %s is repeated a million times", (text) => {
  const problems = problemsOf(text.repeat(1_000_000 / text.length));

  expect(problems).toContainEqual({
    line: 1,
    reason: expect.stringMatching(/nested more than 100|not a valid `url\(\)`/),
  });
});
