// Tests that a template's only page file is the body: rules for `body` and positions relative to the page work as in an ordinary print.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { templateContent } from "colophon-test-kit/template-content";
import { differences, ordinaryPrinter, type OrdinaryPrinter } from "../fixtures/ordinary-print.ts";
import { pagesOf, readPages, wordOn } from "../fixtures/printed-pages.ts";
import { rendered, requested } from "../fixtures/rendered.ts";

let printer: OrdinaryPrinter;
beforeAll(async () => {
  printer = await ordinaryPrinter();
});
afterAll(() => printer.close());

const lines = Array.from({ length: 40 }, (_, index) => `<p>line${index}.</p>`).join("");
const column = "display:flex;flex-direction:column";
const parts = "<header>head</header><main>main</main><footer>foot</footer>";
const signature = '<h1>Oath</h1><p class="s">sign</p>';
const positioned = (places: string) => `.s{position:absolute;margin:0;${places}}`;

it.each<[what: string, css: string, body: string]>([
  ["an absolute box above the foot", positioned("bottom:30mm;right:20mm"), signature],
  ["an absolute box in the middle", positioned("top:50%;left:50%"), signature],
  ["an absolute box at all edges", `${positioned("inset:0;display:flex;align-items:end")}`, signature],
  [
    "an absolute box inside a positioned one",
    `.r{position:relative;height:300px}${positioned("bottom:1em")}`,
    `<div class="r">${signature}</div>`,
  ],
  ["an absolute box before a page break", `${positioned("bottom:0")}h2{break-before:page}`, `${signature}<h2>two</h2>`],
  [
    "an absolute box after a page break",
    `${positioned("bottom:0")}h2{break-before:page}`,
    `<h2>one</h2><h2>two</h2>${signature}`,
  ],
  ["an absolute box below the page", positioned("bottom:-40mm"), signature],
  ["an absolute box inside a positioned body", `body{position:relative}${positioned("bottom:0")}`, signature],
  ["a fixed box", `.s{position:fixed;bottom:0}`, signature],
  ["a body with flexible boxes", "body{display:flex;justify-content:space-between}", "<p>left</p><p>right</p>"],
  ["a body with a grid", "body{display:grid;grid-template-columns:1fr 2fr;gap:10mm}", "<p>a</p><p>b</p><p>c</p>"],
  ["a body with columns", "body{columns:2;column-gap:20mm}", lines],
  ["children of the body", "body > header{margin-left:50mm} body > :last-child{padding-left:9mm}", parts],
  ["an element that follows the head", "head + body > p:nth-child(2){text-indent:30mm}", "<p>one</p><p>two</p>"],
  [
    "a body with attributes",
    ".x{padding-left:30mm}body.x > p{margin-top:9mm}",
    '<body class="x" style="margin:5mm"><p>one</p></body>',
  ],
  ["a narrow body", "body{width:120mm;margin:10mm auto;padding:5mm;border:1px solid;text-align:right}", "<p>one</p>"],
  ["a footer below a flexible space", `html,body{height:100%}body{${column}}footer{margin-top:auto}`, parts],
  ["a footer below a flexible part", `body{min-height:100vh;${column}}main{flex:1}`, parts],
  [
    "a footer in the last row",
    "html{height:100%}body{min-height:100%;display:grid;grid-template-rows:auto 1fr auto}",
    parts,
  ],
  [
    "a footer in a wrapper",
    "html,body{height:100%}.w{min-height:100%;position:relative}footer{position:absolute;bottom:0}",
    `<div class="w">${parts}</div>`,
  ],
  [
    "a footer in a body with padding",
    `html,body{height:100%}body{padding:20mm;box-sizing:border-box;${column}}footer{margin-top:auto}`,
    parts,
  ],
  ["a footer on a sheet without margins", `@page{margin:0}body{height:297mm;${column}}footer{margin-top:auto}`, parts],
  [
    "content with its own pages",
    "body{counter-reset:n}.page{padding:9mm;border:1px solid;height:80mm}.page-1{color:red;margin:5mm}",
    '<div class="page page-1">one</div><div class="page">two</div>',
  ],
  [
    "a footer relative to html",
    "html{position:relative;min-height:100%}body{margin-bottom:60px}footer{position:absolute;bottom:0}",
    parts,
  ],
  [
    "content with its own header",
    ".page-header{border:1px solid;padding:5mm;margin:1mm}",
    '<div class="page-header">head</div><div class="page-footer">foot</div>',
  ],
  ["a low body", "body{height:400px;display:flex;align-items:flex-end}", "<p>one</p>"],
])("%s is where an ordinary print puts it, without a warning", async (_what, css, body) => {
  const { bytes, warnings } = await rendered({ page: body, content: { css } });

  expect(differences(await readPages(bytes), await printer.print(css, body))).toEqual([]);
  expect(warnings).toEqual([]);
});

it.each<[what: string, css: string, body?: string]>([
  ["of the paper", "body{height:297mm}"],
  ["of the window, below a margin", `body{height:100vh;margin:8mm}`],
  ["of the window, above padding", `body{min-height:100vh;padding:8mm}`],
  ["of all around a first block with a margin", "html,body{height:100%}", "<h1>one</h1>"],
  ["of the paper for html", "html{height:297mm}"],
])("a body with the height %s adds no page", async (_what, css, body = "<p>one</p>") => {
  expect((await pagesOf({ page: body, content: { css } })).map(({ text }) => text)).toEqual(["one"]);
});

it("a body with more than a page of columns continues on further pages, whatever its height", async () => {
  const content = { css: "html,body{height:100%;overflow:hidden}body{columns:2;column-fill:auto}" };

  const pages = await pagesOf({ page: lines + lines + lines, content });

  expect(pages.length).toBeGreaterThan(1);
  expect(pages.at(-1)?.text).toMatch(/line39\.$/);
});

it("a footer of a body with the height of the page follows more than a page of text", async () => {
  const content = { css: `html,body{height:100%}body{${column}}footer{margin-top:auto}` };

  const pages = await pagesOf({ page: `${lines}${lines}<footer>foot</footer>`, content });

  expect(pages.at(-1)?.text).toMatch(/line39\. foot$/);
});

it("a footer at the foot of the body is above a footer that grows on the first page", async () => {
  const footer = '{% if page.number == 1 %}<p style="height:200px;margin:0">grown</p>{% endif %}';
  const content = { css: `html,body{height:100%}body{${column}}footer{margin-top:auto}`, footer };

  const pages = await pagesOf({ page: parts, content });

  expect(pages.map(({ text }) => text)).toEqual(["head main foot grown"]);
  expect(wordOn(pages[0], "foot")?.top).toBeLessThan(wordOn(pages[0], "grown")?.top ?? 0);
});

it("styles for the page file do not affect headers", async () => {
  const header = "<p>HEAD</p>";
  const css = ".page{font-size:30px}.page > :last-child{color:red}body > div{padding-left:90mm}:nth-child(2){margin:0}";

  const [page] = await pagesOf({ page: "<p>one</p>", content: { css, header } });
  const [plain] = await pagesOf({ page: "<p>one</p>", content: { header } });

  expect(wordOn(page, "HEAD")).toEqual(wordOn(plain, "HEAD"));
  expect(wordOn(page, "one")?.sizePt).toBeCloseTo(22.5);
});

it("the space for a header follows the attributes of the body", async () => {
  const css = "body.doc{font-size:60px}#body .page-header{padding-bottom:100px}";
  const page = '<body class="doc" id="body"><p style="margin:0">one</p></body>';

  const [printed] = await pagesOf({ page, content: { css, header: "<p>HEAD</p>" } });

  const [head, one] = ["HEAD", "one"].map((word) => wordOn(printed, word));
  expect((one?.top ?? 0) - (head?.top ?? 0)).toBeGreaterThan(100);
});

const withError = { ...templateContent({ fields: [] }).manifest, overflow: "error" } as const;

it.each([
  ["above the page", positioned("bottom:300mm"), [signature]],
  ["above the page by less than the margins", positioned("bottom:1060px"), [signature]],
  ["below the page of its page file", positioned("bottom:-40mm"), [signature, "two"]],
])("a document whose template refuses losses fails if an absolute box is %s", async (_what, css, page) => {
  const response = await requested({ page, content: { css, manifest: withError } });

  expect(response.status).toBe(422);
  expect(await response.text()).toMatch(/Page [12]: .*<p class=..s..>/);
});

describe("in an image", () => {
  const picture = async (css: string, request: object = {}) => {
    const body = "<p>left</p><p>right</p>";
    const { bytes, warnings } = await rendered({ page: body, content: { css } }, { format: "png", ...request });
    return { bytes: Buffer.from(bytes).toString("base64"), warnings };
  };

  it.each(["display:flex;justify-content:space-between", "display:grid;align-content:end", "columns:2"])(
    "a rule for the body acts as one for its page file (%s)",
    async (style) => {
      const { bytes } = await picture(`body{${style}}`);

      expect(bytes).toBe((await picture(`.page{${style}}`)).bytes);
      expect(bytes).not.toBe((await picture("")).bytes);
    },
  );

  it("the body has the size and the margins of the page", async () => {
    const css = "html,body{height:100%;width:100px}body{margin:20mm;padding:9mm;max-width:50mm}";

    expect((await picture(css)).bytes).toBe((await picture("")).bytes);
  });

  it("an image of content with its own pages looks the same as with other names", async () => {
    const pictureOf = async (name: string) => {
      const page = `<div class="${name}">one</div><div class="${name}">two</div>`;
      const content = { css: `.${name}{padding:9mm;border:1px solid}` };
      return Buffer.from((await rendered({ page, content }, { format: "png" })).bytes).toString("base64");
    };

    expect(await pictureOf("page")).toBe(await pictureOf("sheet"));
  });

  it("a document warns about content that a requested height cuts off", async () => {
    const { warnings } = await picture("p{margin:0 0 200px}", { height: 200 });

    expect(warnings).toEqual([
      expect.stringMatching(/^Page 1: .* hides \d+ px of its content at its bottom edge: “right”/),
    ]);
  });
});
