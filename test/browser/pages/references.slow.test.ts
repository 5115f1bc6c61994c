// Tests page references: the numbers in a table of contents are the pages of its headings. Also tests the number of prints.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { chapters, numbersOf, printed, tableOfContents, tocStyles, words } from "../fixtures/reference-documents.ts";

const newPage = 'style="break-before:page"';
const headings = (all: ReturnType<typeof chapters>, paragraph = "") =>
  all.map(({ id, name }) => `<h1 id="${id}" ${newPage}>${name}</h1>${paragraph}`).join("");

it("a table of contents shows the pages of the headings, after two prints", async () => {
  const all = chapters(12);

  const document = await printed(tocStyles, tableOfContents(all) + headings(all, `<p>${words(900)}</p>`));

  const numbers = numbersOf(document, all, 1);
  expect(numbers.map(({ shown }) => shown)).toEqual(all.map((_, index) => 2 + index * 2));
  expect(numbers.filter(({ shown, found }) => shown !== found)).toEqual([]);
  expect(document).toMatchObject({ prints: 2, warnings: [] });
});

it("a table of contents shows the right pages even if the numbers make it a page longer", async () => {
  const all = chapters(100);
  // An entry with one digit takes one line, and with two digits two lines.
  const title = (name: string) => `<span style="display:inline-block;width:calc(100% - 14px)">${name}</span>`;

  const document = await printed(tocStyles, tableOfContents(all, title) + headings(all));

  const tocPages = document.pageCount - all.length;
  const numbers = numbersOf(document, all, tocPages);
  expect(numbers.filter(({ shown, found }) => shown !== found)).toEqual([]);
  expect(tocPages).toBe(5);
  expect(document).toMatchObject({ prints: 3, warnings: [] });
});

it("a table of contents hides its leaders from screen readers", async () => {
  const all = chapters(1);

  const { bytes } = await printed(tocStyles, tableOfContents(all) + headings(all));

  const page = await (await getDocumentProxy(bytes.slice())).getPage(1);
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  let isTagged = false;
  let tagged = "";
  for (const item of items as { type?: string; id?: string; str?: string }[]) {
    if (item.type) isTagged = item.type === "beginMarkedContentProps" && item.id !== undefined;
    else if (isTagged) tagged += item.str;
  }
  expect(tagged).toContain("Zq0x");
  expect(tagged).not.toContain("..");
});

it.each([
  ["target-counter(attr(href), page)", "8"],
  ["target-counter(attr(href url), page, upper-roman)", "VIII"],
  ["target-counter(attr(href), page, lower-roman)", "viii"],
  ["target-counter(attr(href), page, lower-alpha)", "h"],
  ["target-counter(attr(href), page, upper-alpha)", "H"],
])("a page reference in running text is written by %s as %s", async (reference, number) => {
  const text = `<p>As we have seen <a class="see" href="#there">there</a> and here.</p>${`<p ${newPage}>x</p>`.repeat(6)}`;

  const { pages } = await printed(
    `.see::after{content:" (page " ${reference} ")"}`,
    `${text}<h1 id="there" ${newPage}>There</h1>`,
  );

  expect(pages[0]).toContain(`As we have seen there (page ${number}) and here.`);
});

it("a page reference is printed with the text around it beside references that documents cannot print", async () => {
  const css =
    'a::after{content:" (" target-text(attr(href)) ", chapter " target-counter(attr(href), chapter) ", page " target-counter(attr(href), page) ")"}';

  const { pages } = await printed(css, `<p><a href="#t">Fees</a></p><h1 id="t" ${newPage}>Fees</h1>`);

  expect(pages[0]).toBe("Fees (, chapter , page 2)");
});

it("a page reference with the counter `part-page` shows the number within the target's part, as viewers label the page", async () => {
  const entries = ["start", "preface", "one", "two"].map((id) => `<p><a href="#${id}">${id} </a></p>`).join("");
  const front = `<section data-part="lower-roman" ${newPage}>${entries}<h1 id="preface" ${newPage}>Preface</h1></section>`;
  const chapters = `<section data-part ${newPage}><h1 id="one">One</h1><p ${newPage}>x</p><h1 id="two" ${newPage}>Two</h1></section>`;
  const css = 'a::after{content:target-counter(attr(href),part-page) "/" target-counter(attr(href),page)}';

  const { pages, bytes, prints } = await printed(css, `<p id="start">Cover</p>${front}${chapters}`);

  expect(pages[1]).toBe("start 1/1 preface ii/3 one 1/4 two 3/6");
  expect(await (await getDocumentProxy(bytes.slice())).getPageLabels()).toEqual(["1", "i", "ii", "1", "2", "3"]);
  expect(prints).toBe(2);
});

it("a page reference with the counter `part-page` counts all pages of a document without parts, and page files in a PNG", async () => {
  const css = "a::after{content:target-counter(attr(href),part-page)}";
  const markup = `<a href="#t">at </a><h1 id="t" ${newPage}>x</h1>`;

  expect((await printed(css, markup)).pages[0]).toBe("at 2");
  expect(await printed(css, markup, { format: "png" })).toMatchObject({ warnings: [], prints: 0 });
});

it.each([
  ["an element that is not a link", '<b data-ref="#t"></b>', "b::before{content:target-counter(attr(data-ref),page)}"],
  ["a variable", '<a href="#t"></a>', "a{--page:target-counter(attr(href),page)}a::after{content:var(--page)}"],
  ["a nested rule", '<p><a href="#t"></a></p>', "p{& a::after{content:target-counter(attr(href),page)}}"],
  ["a marker", '<ul><li data-ref="#t"> item</li></ul>', "li::marker{content:target-counter(attr(data-ref),page)}"],
  [
    "an element in a form with hostile names",
    '<form name="style"><input name="setAttribute"><a href="#t"></a></form>',
    "a::after{content:target-counter(attr(href),page)}",
  ],
])("a page reference works in %s", async (_what, element, css) => {
  const { pages } = await printed(css, `<p>one</p>${element}<h1 id="t" ${newPage}>two</h1>`);

  expect(pages[0]).toContain("2");
});

it.each(["plain", "概述", "a b", "x(y)", "50%", "a/b", "a#b", "<q>", "__proto__", "colophon"])(
  "a page reference finds the element with the id %j",
  async (id) => {
    const escaped = id.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

    const { pages, warnings } = await printed(
      "a::after{content:target-counter(attr(href),page)}",
      `<a href="#${escaped}">at </a><a href="#${encodeURIComponent(id)}">and </a><h1 id="${escaped}" ${newPage}>x</h1>`,
    );

    expect(pages[0]).toContain("at 2and 2");
    expect(warnings).toEqual([]);
  },
);

it("a page reference is empty if its target does not exist or is not displayed", async () => {
  const { pages, warnings } = await printed(
    'a::after{content:"<" target-counter(attr(href),page) ">"}',
    '<a href="#missing"></a> <a href="#hidden"></a> <a href="#hidden"></a> <a href="https://example.com/#x"></a>' +
      '<p id="hidden" style="display:none">x</p>',
  );

  expect(pages[0]).toBe("<> <> <> <>");
  expect(warnings).toEqual([
    'The page reference to "#missing" is empty: no printed element has this id.',
    'The page reference to "#hidden" is empty: no printed element has this id.',
  ]);
});

it("a page reference causes a warning after four prints if its number moves its target each time", async () => {
  // "VIII" takes two lines and moves the target to page 9. "IX" takes one line and moves it back to page 8.
  const box = "margin:0;width:180px;font:100px/120px 'Open Sans';overflow-wrap:anywhere";
  const before = `<p style="break-after:page">x</p>`.repeat(7);
  const last = `<div style="height:700px"></div><p data-ref="#t" style="${box}">A</p>`;

  const { prints, warnings } = await printed(
    "p::after{content:target-counter(attr(data-ref),page,upper-roman)}",
    `${before}${last}<h2 id="t" style="margin:0;height:100px;break-inside:avoid">Target</h2>`,
  );

  expect(prints).toBe(4);
  expect(warnings).toEqual([expect.stringMatching(/^The page numbers of 1 page reference did not settle in 4 prints/)]);
});

it("a page reference in a PNG shows the number of the page file", async () => {
  const { warnings, prints } = await printed(
    tocStyles,
    '<p class="toc"><a href="#a">a</a><a href="#b">b</a></p><p id="a">',
    {
      format: "png",
    },
  );

  expect(warnings).toEqual(['The page reference to "#b" is empty: no printed element has this id.']);
  expect(prints).toBe(0);
});

it.each([
  ["its styles contain no page reference", "a{color:red}"],
  ["its page references apply to no element", ".toc a::after{content:target-counter(attr(href),page)}"],
  ["another rule replaces it", "a::after{content:target-counter(attr(href),page)}p a::after{content:'x'}"],
  ["it has only leaders", 'a::after{content:leader(".") "x"}'],
])("a document is printed once if %s", async (_what, css) => {
  const { prints, warnings } = await printed(css, '<p><a href="#x">x</a></p><p id="x">y</p>');

  expect(prints).toBe(1);
  expect(warnings).toEqual([]);
});

it("a document with more than 10,000 page references and leaders is refused", async () => {
  const references = '<a href="#t"></a>'.repeat(10_001);

  const refused = printed("a::after{content:target-counter(attr(href),page)}", `${references}<p id="t">x</p>`);

  await expect(refused).rejects.toThrow(/10001 page references and leaders; at most 10000 are allowed/);
});
