// Tests how real prints are assembled: the bookmarks, the tag tree, and the links in finished files.
import { env } from "cloudflare:workers";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import type { RenderJob } from "colophon-render/render-job";
import { job, testPool } from "../fixtures/pool.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

const pool = testPool(env.BROWSER);

async function opened(markup: string, rest: Partial<RenderJob> = {}, warnings: unknown[] = []): Promise<Pdf> {
  const rendering = job(markup, rest);
  expect(await pool.render(rendering)).toMatchObject({ status: "rendered", warnings });
  return getDocumentProxy(pool.files.get(rendering.fileKey) ?? new Uint8Array());
}

/** Returns the index of the page to which each bookmark leads. */
async function bookmarkedPages(pdf: Pdf): Promise<[string, number][]> {
  return Promise.all(
    (await pdf.getOutline()).map(async ({ title, dest }) => {
      const [page] = (typeof dest === "string" ? await pdf.getDestination(dest) : dest) ?? [];
      return [title, await pdf.getPageIndex(page as Parameters<Pdf["getPageIndex"]>[0])] as [string, number];
    }),
  );
}

/** Returns the index of the target page of each inner link on a page. */
async function linkedPages(pdf: Pdf, page: number): Promise<number[]> {
  const links = await (await pdf.getPage(page)).getAnnotations();
  const targets = await Promise.all(links.map(async ({ dest }) => (await pdf.getDestination(String(dest)))?.[0]));
  return Promise.all(targets.map((target) => pdf.getPageIndex(target as Parameters<Pdf["getPageIndex"]>[0])));
}

type Tag = { role?: string; children?: Tag[] };

/** Returns the roles in the tag tree of a page, such as `Root(H1(Span))`. */
async function tagsOf(pdf: Pdf, page: number): Promise<string> {
  const print = ({ role, children = [] }: Tag): string => {
    const inner = children.filter((child) => child.role !== undefined).map(print);
    return inner.length > 0 ? `${role}(${inner.join(" ")})` : (role ?? "");
  };
  return print((await (await pdf.getPage(page)).getStructTree()) as Tag);
}

it("each heading has one bookmark, even if headings move to the next page", async () => {
  const paragraph = "<p>Some words of a contract that go on and on and on and on and on and on. </p>";
  const titles = Array.from({ length: 61 }, (_, index) => `${index + 1}. Restrictions & Obligations`);
  const sections = titles.map(
    (title, index) =>
      `<section style="break-inside: avoid"><h2>${title.replace("&", "&amp;")}</h2>${paragraph.repeat(8 + (index % 5) * 3)}</section>`,
  );

  const pdf = await opened(sections.join(""));

  const bookmarks = await bookmarkedPages(pdf);
  expect(bookmarks.map(([title]) => title)).toEqual(titles);
  const { text } = await extractText(pdf, { mergePages: false });
  expect(bookmarks.filter(([title, page]) => !text[page]?.includes(title))).toEqual([]);
});

it("bookmarks and links to headings with unusual, repeated and missing ids have working targets", async () => {
  const ids = ["", 'id="a b%c é/(x)"', 'id="twice"', 'id="twice"'];
  const headings = ids.map((id, index) => `<h1 ${id} style="break-before: page">Heading ${index}</h1>`);

  const pdf = await opened(`<p><a href="#twice">1</a> <a href="#a b%c é/(x)">2</a></p>${headings.join("")}`);

  expect(await bookmarkedPages(pdf)).toEqual([
    ["Heading 0", 1],
    ["Heading 1", 2],
    ["Heading 2", 3],
    ["Heading 3", 4],
  ]);
  expect(await linkedPages(pdf, 1)).toEqual([3, 2]);
});

it("bookmarks and links to headings with long ids have names of at most 127 bytes", async () => {
  const ids = ["оплата".repeat(9), `${"оплата".repeat(9)}-2`];
  const links = ids.map((id) => `<a href="#${id}">x</a>`).join(" ");
  const headings = ids.map((id) => `<h1 id="${id}" style="break-before: page; overflow-wrap: anywhere">${id}</h1>`);

  const pdf = await opened(`<p>${links}</p>${headings.join("")}`);

  const names = Object.keys(await pdf.getDestinations());
  expect(names.filter((name) => name.length > 127)).toEqual([]);
  expect(await bookmarkedPages(pdf)).toEqual(ids.map((id, index) => [id, index + 1]));
  expect(await linkedPages(pdf, 1)).toEqual([1, 2]);
});

it("links in headers and footers to places in the document are kept", async () => {
  const markup = '<a href="#end">end</a> <a href="#%C3%BCber%20uns">about</a> <a href="#missing">nowhere</a>';

  const page = '<p>x</p><p id="über uns" style="break-before: page">x</p><p id="end">x</p>';
  const marginContents = (["header", "footer"] as const).map((edge) => ({ edge, markup }));
  const pdf = await opened(page, { marginContents }, [expect.stringContaining("to `#missing` is lost")]);

  expect(await linkedPages(pdf, 1)).toEqual([1, 1, 1, 1]);
  expect(await linkedPages(pdf, 2)).toEqual([1, 1, 1, 1]);
});

it.each([
  ["Annual<br>report", "Annual report"],
  ["Fees<span style='display: none'>draft</span><style>i { color: red }</style>", "Fees"],
  ["<svg width='9' height='9'><title>Logo</title></svg>Fees", "Fees"],
  ["<span style='text-transform: uppercase'>Fees</span>", "FEES"],
  ["Fees \u0001\u007fa", "Fees a"],
  [`${"x".repeat(499)}\u{1f600}`, "x".repeat(499)],
])("the bookmark of %j is named as the heading is printed", async (heading, title) => {
  const pdf = await opened(`<h1 style="overflow-wrap: anywhere">${heading}</h1>`);

  expect((await bookmarkedPages(pdf)).map(([text]) => text)).toEqual([title]);
});

it("the destinations of headings and sections add no tags", async () => {
  const sections =
    "<div data-section>a</div><section data-section>b</section><p data-section><span data-section>c</span></p>";
  const marked = `<h1>One</h1><h2 id="a">Two</h2><h2 id="a">Three</h2>${sections}`;
  // These headings and sections have the same tags, but are not marked.
  const unmarked = marked
    .replaceAll(/<h(\d)( id="a")?>/g, '<div role="heading" aria-level="$1">')
    .replaceAll(/<\/h\d>/g, "</div>")
    .replaceAll(" data-section", "");

  const [tags, expected] = await Promise.all([marked, unmarked].map(async (markup) => tagsOf(await opened(markup), 1)));

  expect(tags).toContain("H1");
  expect(tags).toBe(expected);
});

it("elements that set page values add neither tags nor destinations", async () => {
  const marked =
    '<div data-page-value-n="1">a</div><p data-page-value-n="2" id="own"><span data-page-value-n="3">b</span></p><table><tr data-page-value-n="4"><td>c</td></tr></table>';
  const unmarked = marked.replaceAll(/ data-page-value-n="\d"/g, "");

  const [pdf, expected] = await Promise.all([marked, unmarked].map((markup) => opened(markup, { valueNames: ["n"] })));

  expect(await pdf?.getDestinations()).toEqual({});
  expect(pdf && (await tagsOf(pdf, 1))).toBe(expected && (await tagsOf(expected, 1)));
});

it("page values do not change the file if no header or footer reads them", async () => {
  const bytesOf = async (attribute: string) =>
    (await opened(`<p ${attribute}="1">a</p>`, { valueNames: ["m"] })).getData();

  expect(await bytesOf("data-page-value-n")).toEqual(await bytesOf("data-other"));
});

it("the pages of each part are labelled from 1 in the part's own style, and a document without parts has no labels", async () => {
  const front = '<section data-part="lower-roman"><p>i</p><p style="break-before:page">ii</p></section>';
  const chapters = '<section data-part style="break-before:page"><p>1</p></section>';

  const [pdf, plain] = [await opened(`${front}${chapters}`), await opened("<p>1</p>")];

  expect(await pdf.getPageLabels()).toEqual(["i", "ii", "1"]);
  expect(await plain.getPageLabels()).toBeNull();
});
