import { expect, it } from "vitest";
import { customGeometry } from "colophon-page/page-geometry";
import { styleWarnings } from "../../src/styles/style-warnings.ts";

function messagesOf(css: string, sources: string[] = ["", ""], height: number | "auto" = 400): string[] {
  const pages = sources.map((source, index) => ({ name: `${index + 1}.liquid`, source }));
  const manifest = { page: customGeometry(600, height) };
  return styleWarnings({ sheets: [{ file: "style.css", css }], pages, manifest, header: null, footer: null }).map(
    ({ message }) => message,
  );
}

const layout = (shown: string) =>
  `\`${shown}\` for \`body\` does not reach the content, because each page file is a \`div.page\` in \`body\`; write \`.page\``;
const child = (shown: string, instead: string) =>
  `\`${shown}\` selects none of the content, because each page file is a \`div.page\` in \`body\`; write \`${instead}\``;

it.each([
  ["body{display:flex}", layout("display: flex")],
  ["html > body{margin:0;display:inline-grid}", layout("display: inline-grid")],
  ["body.a,p{columns:2}", layout("columns: 2")],
  ["@media print{body{column-width:9em}}", layout("column-width: 9em")],
  ["body > header{color:red}", child("body > header", ".page > header")],
  ["html > body>p:first-child b{color:red}", child("body>p:first-child", ".page >p:first-child")],
  ["body.a,body.b>p{color:red}", child("body.b>p", ".page >p")],
  ["body > *{color:red}", child("body > *", ".page > *")],
  ["body{& > footer{color:red}}", child("body > footer", ".page > footer")],
])("a push of several page files warns about `%s`", (css, message) => {
  expect(messagesOf(css)).toEqual([message]);
  expect(messagesOf(css, [""], "auto")).toEqual([message]);
  expect(messagesOf(css, [""])).toEqual([]);
});

it("a push of several page files warns about the layout in the `style` attribute of a body", () => {
  expect(messagesOf("", ['<body style="display:flex">x</body>', ""])).toEqual([layout("display: flex")]);
});

it.each([
  "body{margin:0;font-size:9px;background:red;counter-reset:a}",
  "body{display:block;columns:auto}",
  ".page{display:flex}",
  "body .page{display:grid}",
  "body > .page > header{color:red}",
  "body > .page-2{columns:2}",
  "body > div.page{color:red}",
  "body header{color:red}",
  "tbody > tr{display:flex}",
  ".body > p,#body > p{display:flex}",
  "card-body{display:flex}",
])("a push of several page files does not warn about `%s`", (css) => {
  expect(messagesOf(css)).toEqual([]);
});
