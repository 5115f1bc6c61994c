// Tests the tags of documents that conform to PDF/UA-1 and the levels A of PDF/A, as an independent reader sees them.
import { env } from "cloudflare:workers";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { openFinishedPdf } from "colophon-pdf/open-finished-pdf";
import { isDictionary, sourceOf } from "colophon-pdf/values";
import type { RenderJob } from "colophon-render/render-job";
import { job, testPool } from "../fixtures/pool.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Tag = {
  role?: string;
  alt?: string;
  bbox?: number[];
  lang?: string;
  type?: string;
  id?: string;
  children?: Tag[];
};

const pool = testPool(env.BROWSER);
const conformance = ["pdf/ua-1"] as const;

async function rendered(markup: string, rest: Partial<RenderJob> = {}) {
  const rendering = job(markup, { conformance, ...rest });
  return { outcome: await pool.render(rendering), file: () => pool.files.get(rendering.fileKey) ?? new Uint8Array() };
}

async function opened(markup: string, rest: Partial<RenderJob> = {}): Promise<Pdf> {
  const { outcome, file } = await rendered(markup, rest);
  expect(outcome).toMatchObject({ status: "rendered", warnings: [] });
  return getDocumentProxy(file());
}

/** Returns the problems with which a document is refused. */
async function problemsOf(markup: string): Promise<unknown> {
  const { outcome } = await rendered(markup);
  return outcome.status === "impossible" ? outcome.problems : outcome.status;
}

/**
 * Returns the tags of a page with the texts in them, such as `H1("Title")`. Tags without a meaning and empty texts, which differ between
 * versions of Chromium, are left out.
 */
async function tagsOf(pdf: Pdf, pageNumber = 1): Promise<string> {
  const page = await pdf.getPage(pageNumber);
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const texts = new Map<string, string>();
  const open: string[] = [];
  for (const item of items) {
    if ("str" in item) texts.set(open.at(-1) ?? "", (texts.get(open.at(-1) ?? "") ?? "") + item.str);
    else if (item.type === "endMarkedContent") open.pop();
    else open.push(item.id ?? "");
  }
  const print = ({ role = "", alt, lang, type, id, children = [] }: Tag): string => {
    const text = (texts.get(id ?? "") ?? "").trim();
    if (type === "content") return text && JSON.stringify(text);
    if (type !== undefined) return type;
    const inside = children.map(print).filter(Boolean).join(" ");
    if (/^(?:Root|Document|NonStruct|Div)$/.test(role)) return inside;
    const about = [lang, alt].filter((value) => value !== undefined).join(" ");
    return `${role}${about && `[${about}]`}${inside && `(${inside})`}`;
  };
  return print((await page.getStructTree()) as Tag);
}

const picture =
  '<img alt="A square" width="20" height="20" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==">';

it("lists, links, pictures and languages have the tags that screen readers expect", async () => {
  const pdf = await opened(
    `<h1>T</h1><ul><li>one<ol><li>two</li></ol></li></ul><dl><dt>term</dt><dd>meaning</dd></dl>
     <p lang="de">Zur <a href="https://a.example/">Seite</a> ${picture}</p>`,
  );

  // Chromium 127 does not tag the markers of lists.
  expect((await tagsOf(pdf)).replace(/Lbl (?=LBody\("one)|Lbl\("1\."\) /g, "")).toBe(
    'H1("T") L(LI(LBody("one" L(LI(LBody("two")))))) L(LI(Lbl("term") LBody("meaning"))) ' +
      'P[de]("Zur" Link("Seite" object) Figure[A square])',
  );
});

it("the head of a table is tagged once, and all its rows have the same number of columns", async () => {
  const rows = Array.from({ length: 60 }, (_, index) => `<tr><td>row ${index}</td></tr>`).join("");
  const pdf = await opened(`<h1>T</h1><table><thead><tr><th>A</th><th>B</th></tr></thead>${rows}</table>`);

  const { text } = await extractText(pdf, { mergePages: false });
  expect(text[1]).toMatch(/^A B/);
  expect(await tagsOf(pdf)).toMatch(/Table\(THead\(TR\(TH\("A"\) TH\("B"\)\)\) TBody\(TR\(TD\("row 0"\) TD\) /);
  expect(await tagsOf(pdf, 2)).toMatch(/Table\(THead\(TR\(TH TH\)\) TBody\(TR\(TD TD\) .* TR\(TD\("row 59"\) TD\)\)\)/);
});

it("empty cells stay in their columns, and a caption is the table's", async () => {
  const pdf = await opened(
    `<h1>T</h1><table><caption>C</caption><tr><th>A<th>B<th>C<tr><td>1<td> <td>3<tr><td colspan=2><td>x
     <tr><td rowspan=2><td>y<td><img alt=""><tr><td>k<td>l</table>`,
  );

  const rows = ['TD("1") TD TD("3")', 'TD TD("x")', 'TD TD("y") TD', 'TD("k") TD("l")'];
  const head = 'TR(TH("A") TH("B") TH("C"))';
  expect(await tagsOf(pdf)).toBe(`H1("T") Table(Caption("C") ${[head, ...rows.map((row) => `TR(${row})`)].join(" ")})`);
});

it("a cell can span all rows that follow", async () => {
  const pdf = await opened("<h1>T</h1><table><tr><th rowspan=0>a<td>b<tr><td>c<tr><td>d<td>e</table>");

  expect(await tagsOf(pdf)).toBe('H1("T") Table(TR(TH("a") TD("b") TD) TR(TD("c") TD) TR(TD("d") TD("e")))');
});

it("the header of a group of rows is for its cells, beside the headers of their columns", async () => {
  const group = (name: string) => `<tbody><tr><th scope="rowgroup" colspan="2">${name}<tr><td>1<td>2<tr><td>3<td>4`;
  const { file } = await rendered(`<h1>T</h1><table><thead><tr><th>a<th>b</thead>${group("c")}${group("d")}</table>`);
  const pdf = openFinishedPdf(file());

  const tags = Array.from({ length: pdf.size }, (_, number) => pdf.object(number)).filter(isDictionary);
  const headers = tags.flatMap((tag) => /\/Headers \[(.*?)\]/.exec(sourceOf(tag.get("A") ?? null))?.[1] ?? []);
  const [a, b, c, d] = [1, 2, 3, 4].map((number) => `(node0000000${number})`);
  expect(headers).toEqual([c, d].flatMap((group) => [a, b, a, b].map((column) => `${column} ${group}`)));
});

it("texts that styles add are tagged with their elements, and decoration is not", async () => {
  const pdf = await opened(
    `<style>
       h2 { counter-increment: chapter }
       h2::before { content: "Chapter " counter(chapter) ": " }
       .price *::after { content: " EUR"; text-transform: lowercase }
       .aside { position: relative } .aside::before { content: "Aside"; position: absolute; left: 300px }
       .decorated::before { content: "+" / "" }
       .legal { list-style: none } .legal > li::before { content: counters(list-item, ".") " " }
     </style>
     <h1>T</h1><h2>One</h2><p class="price"><b>12</b></p><div class="aside">text</div>
     <p>She said <q>yes</q></p><p class="decorated"><span aria-hidden="true">*</span>plain</p>
     <ol class="legal"><li>one<ol class="legal"><li>two</ol></ol>
     <ol style="list-style-type: lower-roman"><li>one<li>two</ol>`,
  );

  expect((await tagsOf(pdf)).replaceAll('" "', "")).toBe(
    'H1("T") H2("Chapter1:One") P("12eur") "Asidetext" P("She said“yes”") P("plain") ' +
      'L(LI(LBody("1one" L(LI(LBody("1.1two")))))) L(LI(Lbl("i.") LBody("one")) LI(Lbl("ii.") LBody("two")))',
  );
});

it("formulas with a description and captions of figures have their tags", async () => {
  const pdf = await opened(
    `<h1>T</h1><p><math aria-label="3 squared"><msup><mn>3</mn><mn>2</mn></msup></math></p>
     <figure>${picture}<figcaption>Caption</figcaption></figure>`,
  );

  expect(await tagsOf(pdf)).toMatch(/Formula\[3 squared\].* Figure\[A square\] Caption\("Caption"\)/);
});

it("a long description of a formula is complete, and a warning names a picture whose description Chromium cuts", async () => {
  const [long, longer] = ["x".repeat(10_000), "x".repeat(10_001)];
  const markup = `<h1>T</h1><p><math alttext="${longer}"><mn>3</mn></math>
    ${picture.replace("A square", long)}</p><p class="cut">${picture.replace("A square", longer)}</p>`;

  const { outcome, file } = await rendered(markup);

  const warning =
    'Page 1: `<img>` in `<p class="cut">` has a description of 10001 characters. A PDF contains only the first 10000.';
  expect(outcome).toMatchObject({ status: "rendered", warnings: [warning] });
  const tags = await tagsOf(await getDocumentProxy(file()));
  expect(Array.from(tags.matchAll(/x{99,}/g), ([{ length }]) => length)).toEqual([10_001, 10_000, 10_000]);
});

it("a drawing has one tag with its description and its whole box", async () => {
  const circle = "<circle cx='9' cy='9' r='5'/>";
  const file = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${circle}<text y="15">t</text></svg>`)}`;
  const drawn = (attributes: string) => `<svg width=40 height=20 ${attributes}>${circle}<text y=15>t</text></svg>`;
  const pdf = await opened(
    `<h1>T</h1><img src="${file}" alt="File">
     ${drawn('role=img aria-label="Inline"')}<div role="img" aria-label="Around">${drawn("")}</div>
     <table role="presentation"><tr><td>${drawn('role=img aria-label="In a cell"')}</table>`,
  );

  const figuresIn = (tag: Tag): unknown[] => {
    const [left = 0, bottom = 0, right = 0, top = 0] = tag.bbox ?? [];
    return tag.role === "Figure" ? [[tag.alt, right - left, top - bottom]] : (tag.children ?? []).flatMap(figuresIn);
  };
  expect(figuresIn((await (await pdf.getPage(1)).getStructTree()) as Tag)).toEqual(
    ["File", "Inline", "Around", "In a cell"].map((alt) => [alt, 30, 15]),
  );
});

it("a drawn value is read aloud", async () => {
  const pdf = await opened(
    '<h1>T</h1><p>Disk <meter value=".6" title="Used">3 of 5</meter> <meter value=".5"></meter></p>',
  );

  expect(await tagsOf(pdf)).toBe('H1("T") P("Disk" Figure[Used 3 of 5] Figure[0.5])');
});

it("a described formula is read aloud in words, whether it is MathML or text", async () => {
  const pdf = await opened(
    '<h1>T</h1><p>Is <math alttext="a half"><mfrac><mn>1</mn><mn>2</mn></mfrac></math> or <span role="math" aria-label="x squared">x<sup>2</sup></span>?</p>',
  );

  expect((await tagsOf(pdf)).replace(/\]\(.*?\)(?= )/g, "]")).toBe(
    'H1("T") P("Is" Formula[a half] "or" Figure[x squared] "?")',
  );
});

it("a placeholder that is shown is the label of its field", async () => {
  const { file } = await rendered(
    '<h1>T</h1><p><input placeholder="Your name"><input placeholder="a" value="b"><input placeholder="c" aria-label="Label">',
  );
  const pdf = openFinishedPdf(file());

  const tags = Array.from({ length: pdf.size }, (_, number) => pdf.object(number)).filter(isDictionary);
  const labels = tags.flatMap((tag) => /\/Desc \((.*?)\)/.exec(sourceOf(tag.get("A") ?? null))?.[1] ?? []);
  // Chromium 127 does not tag fields.
  expect(labels.join() || "Your name,Label").toBe("Your name,Label");
});

it("languages that are malformed are corrected or left out", async () => {
  const pdf = await opened('<h1>T</h1><p lang="de_AT">a</p><p lang="d e">b</p><p lang="de-">c</p>');

  expect(await tagsOf(pdf)).toBe('H1("T") P[de-AT]("a") P("b") P("c")');
});

it("a box on every page is tagged once, and borders and shadows are not tagged", async () => {
  const pdf = await opened(
    `<div style="position: fixed; bottom: 0; border: 1px solid">Every page</div><h1 style="box-shadow: 0 0 9px">T</h1>
     <p style="break-before: page; background: linear-gradient(red, blue)">x</p>`,
  );

  expect([await tagsOf(pdf), await tagsOf(pdf, 2)]).toEqual(['"Every page" H1("T")', 'P("x")']);
});

it("filtered text conforms if it is decoration", async () => {
  const filtered = (attributes: string) => `<p ${attributes} style="filter: blur(1px)">a</p>`;
  const drawing = '<svg style="filter: blur(1px)" aria-hidden=true width=9 height=9><text y=9>b</text></svg>';

  expect(await problemsOf(`<h1>T</h1>${filtered("aria-hidden=true")}${drawing}`)).toBe("rendered");
});

it("text that a mask paints in several steps conforms", async () => {
  const mask = "mask-image: linear-gradient(black, transparent)";

  expect(await problemsOf(`<h1>T</h1><p style="${mask}">masked <b>text</b></p>`)).toBe("rendered");
});

const second = 'style="break-before: page"';

it.each<[what: string, markup: string, clause: string, message: RegExp, element?: string]>([
  [
    "a heading that leaves out a level",
    `<h1>a</h1><h3 id=b ${second}>b  c</h3>`,
    "7.4.2",
    /^`<h3 id="b">` \(“b c”\) follows a heading of level 1/,
    '<h3 id="b"> (“b c”)',
  ],
  [
    "a first heading below level 1",
    `<p>a</p><h2 ${second}>${"b ".repeat(30)}</h2>`,
    "7.4.2",
    /^`<h2>` \(“b b .*…”\) is the first heading/,
    `<h2> (“${"b ".repeat(20)}…”)`,
  ],
  [
    "an element with a name of 100,000 characters",
    `<p>a</p><x-${"a".repeat(100_000)} role=heading style="break-before: page; display: block">${"a".repeat(39)}\u{1f600}</x>`,
    "7.4.2",
    /^.{100,200} is the first heading/,
    `<x-${"a".repeat(78)}> (“${"a".repeat(39)}\ufffd…”)`,
  ],
  [
    "a picture without a description",
    `<h1>T</h1><div class=a ${second}><svg width=9 height=9><rect width=9 height=9 /></svg></div>`,
    "7.3",
    /^`<svg>` in `<div class="a">` has no/,
    '<svg> in <div class="a">',
  ],
  [
    "a control whose value has no tag",
    `<h1>T</h1><p ${second}><select><option>One</select>`,
    "7.1",
    /^`<select>` has a value/,
    "<select>",
  ],
  [
    "a control that is not tagged",
    `<h1>T</h1><p ${second}><input type=FILE>`,
    "7.1",
    /^`<input>` has a value/,
    "<input>",
  ],
  [
    "a formula without a description",
    `<h1>T</h1><p ${second}><math><mi>x</mi></math>`,
    "7.7",
    /^`<math>` has no description. Write it in `alttext`/,
    "<math>",
  ],
  [
    "a filtered text",
    `<h1>T</h1><p ${second}><b style="filter: blur(1px)">a</b>`,
    "7.1",
    /^`<b>` has `filter`, which makes its text a picture/,
    "<b>",
  ],
  [
    "upright text in a vertical line",
    `<h1>T</h1><p ${second}><span style="writing-mode: vertical-rl; display: block">a<b style="text-combine-upright: all">12</b></span>`,
    "7.1",
    /^`<b>` has `text-combine-upright`/,
    "<b>",
  ],
  ["nothing but a picture of the page", '<div style="filter: blur(1px)">a</div>', "7.1", /has no tags/],
  [
    "more than 10,000 elements",
    `<h1>T</h1>${"<p>a".repeat(10_000)}`,
    "7.1",
    /: it has 1000\d elements, and at most 10000 can be/,
  ],
  ["only hidden text", '<p style="opacity: 0">a</p>', "7.1", /^The document has no tags, because it shows nothing/],
])("a document with %s is refused with the element and its page", async (_, markup, clause, message, element) => {
  expect(await problemsOf(markup)).toContainEqual({
    clause,
    message: expect.stringMatching(message),
    ...(element && { page: 2, element }),
  });
});

it("the text of a link with the role of a reference is inside of the link", async () => {
  const pdf = await opened('<h1>T</h1><p>a<a href="https://a.example/" role="doc-noteref">1</a>b</p>');

  expect(await tagsOf(pdf)).toBe('H1("T") P("a" Link("1" object) "b")');
});

it("a document without tags names its drawing without a description", async () => {
  const problems = await problemsOf("<svg width=9 height=9><rect width=9 height=9 /></svg>");

  expect(problems).toContainEqual(expect.objectContaining({ clause: "7.3", page: 1, element: "<svg>" }));
});
