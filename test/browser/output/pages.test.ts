// Where things are on the pages: read back from real PDFs by the positions of their text.
import { env, exports } from "cloudflare:workers";
import { getDocumentProxy } from "unpdf";
import { describe, expect, it } from "vitest";
import { newTenant, post, templateContent, type TenantOptions } from "../../fixtures/tenant.ts";

/** Points from the left and from the top of the page, at the base line. */
type Word = { text: string; left: number; top: number; sizePt: number };
type Page = { width: number; height: number; words: Word[]; text: string };

async function pagesOf(options: TenantOptions, data: object = {}): Promise<Page[]> {
  const tenant = await newTenant(env, { fields: [], ...options });
  const answer = await post(exports.default, tenant, { templateId: tenant.templateId, data });
  const { data: record } = await answer.json<{ data: { pdfUrl: string } }>();
  const pdf = await getDocumentProxy(new Uint8Array(await (await exports.default.fetch(record.pdfUrl)).arrayBuffer()));
  return Promise.all(Array.from({ length: pdf.numPages }, (_, index) => pageOf(pdf, index + 1)));
}

async function pageOf(pdf: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<Page> {
  const page = await pdf.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const words = items.flatMap((item) => {
    if (!("str" in item) || item.str.trim() === "") return [];
    const [, , , sizePt, left, bottom] = item.transform as number[];
    return [{ text: item.str, left: left ?? 0, top: height - (bottom ?? 0), sizePt: Math.abs(sizePt ?? 0) }];
  });
  return { width, height, words, text: words.map(({ text }) => text).join(" ") };
}

const wordOn = (page: Page | undefined, text: string): Word | undefined =>
  page?.words.find((word) => word.text.includes(text));

/** Exactly as high as what the margins leave of an A4 page. */
const full = "<div style='height:calc(var(--page-height) - var(--margin-top) - var(--margin-bottom))'>full</div>";

describe("a document has no blank last page", () => {
  it.each([
    ["content exactly as high as the page", full],
    ["a line break behind it", `${full}<br>`],
    ["line breaks, space and a comment behind it", `${full}\n<br><br/>\n<!-- end -->\n`],
    ["an empty paragraph with margins behind it", `${full}<p style="margin:40px 0"></p>`],
    [
      "a last paragraph whose margin does not fit",
      "<div style='height:1000px'></div><p style='margin:0 0 90px'>full</p>",
    ],
    ["a page break after the last element", "<p style='break-after:page'>full</p>"],
    ["a page break of the older kind", "<p>full</p><div style='page-break-after:always'></div>"],
  ])("after %s", async (_what, page) => {
    const pages = await pagesOf({ page });

    expect(pages.map(({ text }) => text)).toEqual(["full"]);
  });

  it.each(["", " \n", "{% if false %}x{% endif %}", "<!-- nothing -->\n<!-- at all -->", "<!-- open"])(
    "for a last page file that comes to %j",
    async (last) => {
      expect(await pagesOf({ page: ["<p>full</p>", last] })).toHaveLength(1);
    },
  );

  it("and keeps a line break that parts two lines", async () => {
    const [page] = await pagesOf({ page: "<p>one</p>two<br>three" });

    const [two, three] = [wordOn(page, "two"), wordOn(page, "three")];
    expect(three?.top).toBeGreaterThan(two?.top ?? Infinity);
  });
});

describe("header and footer", () => {
  const running = {
    css: ".edge{font-size:20px;line-height:90px;height:90px;text-transform:uppercase}",
    header: "<div class='edge first-page'>first {{ name }}</div><div class='edge later-pages'>later {{ name }}</div>",
    footer: "<div class='edge'>Page <span class='pageNumber'></span> of <span class='totalPages'></span></div>",
  };
  const page = "{% for i in (1..10) %}<p style='margin:0;height:250px'>body {{ i }}</p>{% endfor %}";
  const paged = () => pagesOf({ page, fields: templateContent({}).manifest.fields, content: running }, { name: "Ada" });

  it("have the data, a variant for the first page, and the page's number of the total", async () => {
    const pages = await paged();

    const edges = pages.map(({ text }) => text.replace(/body \d+ ?/g, "").trim());
    expect(edges.map((text) => text.split(/\s+/).toSorted().join(" "))).toEqual([
      "1 3 ADA FIRST OF PAGE",
      "2 3 ADA LATER OF PAGE",
      "3 3 ADA LATER OF PAGE",
    ]);
  });

  it("are set in the page's own styles", async () => {
    const [first] = await paged();

    expect(wordOn(first, "FIRST")?.sizePt).toBeCloseTo(15, 1);
    expect(wordOn(first, "PAGE")?.sizePt).toBeCloseTo(15, 1);
  });

  it("keep their room: the body begins below the one and ends above the other", async () => {
    for (const { words, height } of await paged()) {
      const tops = words.filter(({ text }) => text.startsWith("body")).map(({ top }) => top);
      // 24 + 90 + 12 px of header, and the same of footer.
      expect(Math.min(...tops)).toBeGreaterThan(126 * 0.75);
      expect(Math.max(...tops)).toBeLessThan(height - 126 * 0.75);
    }
  });
});

describe("content that flows over pages", () => {
  it("repeats the head and the foot of a table on each", async () => {
    const rows = "{% for i in (1..90) %}<tr><td>row{{ i }}.</td></tr>{% endfor %}";
    const table = `<table><thead><tr><th>HEAD</th></tr></thead><tfoot><tr><td>FOOT</td></tr></tfoot>${rows}</table>`;

    const pages = await pagesOf({ page: table });

    expect(pages.length).toBeGreaterThan(1);
    for (const { text } of pages) expect(text).toMatch(/^HEAD row\d.*FOOT$/);
    expect(pages.flatMap(({ text }) => text.match(/row\d+\./g) ?? [])).toHaveLength(90);
  });

  it("keeps a block whole that asks for it", async () => {
    const block = "<div style='break-inside:avoid'><p>one</p><p>two</p><p>three</p></div>";

    const pages = await pagesOf({ page: `<div style="height:950px">before</div>${block}` });

    expect(pages.map(({ text }) => text)).toEqual(["before", "one two three"]);
  });

  it("leaves no line of a paragraph alone", async () => {
    // Room for four of six lines, then for five: the page break moves up until two lines are together.
    const lines = "<p style='margin:0;line-height:20px;orphans:2;widows:2'>l1<br>l2<br>l3<br>l4<br>l5<br>l6</p>";
    const split = async (room: number) => {
      const [first, second] = await pagesOf({ page: `<div style="height:${1026 - room}px"></div>${lines}` });
      return [first?.words.length, second?.words.length];
    };

    expect(await split(105)).toEqual([4, 2]);
    expect(await split(25)).toEqual([0, 6]);
  });

  it("takes named pages of another size and orientation, and its own margins on the first", async () => {
    const css =
      "@page wide{size:297mm 210mm;margin:10mm} .page-2{page:wide} @page :first{margin:0} p{margin:0;line-height:20px}";

    const pages = await pagesOf({ page: ["<p>one</p>", "<p>two</p>", "<p>three</p>"], content: { css } });

    expect(pages.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual([
      [595, 842],
      [842, 595],
      [595, 842],
    ]);
    expect(pages.map(({ words }) => Math.round(words[0]?.left ?? -1))).toEqual([0, 28, 36]);
  });
});
