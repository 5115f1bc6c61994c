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
])("styles contain the asset in place of a URL with %s", (_what, url) => {
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
])("styles contain the asset in %s", (css, expected) => {
  expect(cssOf(css)).toBe(expected);
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
  "a[href='x.png']{color:red}",
  "",
  "a{}\r\nb{}",
])("styles may contain %j, which names no file", (css) => {
  expect(cssOf(css)).toBe(css);
});

it.each(["nope.svg", "constructor", "https://example.com/a.png", "//example.com/a.png"])(
  "styles may not refer to %s, which the template does not contain",
  (target) => {
    const problems = problemsOf(`a {\n\n  background: url(${target});\n}`);

    expect(problems).toEqual([
      { line: 3, reason: `there is no file assets/${target}; style.css can use only files in assets/` },
    ]);
  },
);
it.each(["@import 'a.css';", "@IMPORT url(logo.svg);", "@\\69mport 'a.css';"])("styles may not contain %s", (rule) => {
  const [problem] = problemsOf(`a{}\n${rule}`);

  expect(problem).toMatchObject({ line: 2, reason: expect.stringContaining("@import") });
});

it.each(["</style>", "</STYLE >", "</style\n>"])("styles may not contain %j, which ends their element", (end) => {
  const [problem] = problemsOf(`a{}\nb{}\n/* ${end} */`);

  expect(problem).toMatchObject({ line: 3 });
});

it("styles may not contain a `data:` URI of an image that a document could not show", () => {
  const problems = problemsOf(`\na{b:url(${dataUri("png", png(30_000, 30_000))})}`);

  expect(problems).toEqual([{ line: 2, reason: expect.stringMatching(/`data:` URI.*30000 x 30000 pixels/) }]);
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
