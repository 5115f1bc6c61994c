// The samples in `templates/` that `npm start` pushes, rendered over the API with their sample data, with no data in their
// lists, and with much data. Texts are read from the PDF with pdf.js.
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type RunningService } from "./service.ts";

type Data = Record<string, unknown>;
type DocumentRecord = { pdfUrl: string; pageCount: number; height: number; warnings: string[] };
type Rendered = {
  record: DocumentRecord;
  bytes: Uint8Array;
  /** The text of each page, with white space as single spaces. */
  pages: string[];
};

const titles = {
  invoice: "Invoice",
  prices: "Price list",
  receipt: "Receipt",
  ticket: "Event ticket",
  resume: "Resume",
  contract: "Contract",
  statement: "Statement of account",
  card: "Social card",
  catalogue: "Catalogue",
  letter: "Arabic letter",
};
type Sample = keyof typeof titles;

let service: RunningService;
let templates: { id: string; title: string }[];

beforeAll(async () => {
  service = await startService();
  ({ templates } = (await call("/templates?limit=100")) as { templates: typeof templates });
});

afterAll(() => service.stop());

/** Returns the `data` of a successful response. */
async function call(path: string, body?: object): Promise<unknown> {
  const response = await fetch(service.baseUrl + path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${service.demoKey}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return (JSON.parse(text) as { data: unknown }).data;
}

/** Renders the sample with its sample data, in which `changes` replaces values. */
async function render(sample: Sample, changes: (data: Data) => Data = () => ({}), options: object = {}) {
  const templateId = templates.find(({ title }) => title === titles[sample])?.id;
  const { sampleData } = (await call(`/templates/${templateId}`)) as { sampleData: Data };
  const data = { ...sampleData, ...changes(sampleData) };
  const record = (await call("/documents", { templateId, data, ...options })) as DocumentRecord;
  const bytes = new Uint8Array(await (await fetch(record.pdfUrl)).arrayBuffer());
  expect(record.warnings).toEqual([]);
  return { record, bytes, pages: "format" in options ? [] : await pagesOf(bytes) } satisfies Rendered;
}

async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(pdf.slice()), { mergePages: false });
  return text.map((page) => page.replace(/\s+/g, " "));
}

/** Returns the page that the contents of the document name for the entry. */
function pageInContents(contents: string | undefined, entry: string): number {
  return Number(new RegExp(`${entry}[ .]*?(\\d+)(?!\\d)`).exec(contents ?? "")?.[1]);
}

const list = (count: number, item: (index: number) => unknown) => Array.from({ length: count }, (_, i) => item(i));

describe("the invoice", () => {
  const items = (count: number) =>
    list(count, (i) => ({ description: `Item-${i + 1}.`, quantity: 1, unitPrice: 10.01, vatRate: 21 }));

  it("carries its subtotal forward until the totals are printed", async () => {
    const { pages } = await render("invoice", () => ({ items: items(150), notes: "Thank you.\n".repeat(70) }));

    const amounts = (label: string) => pages.map((page) => new RegExp(`${label} €([\\d,.]+)`).exec(page)?.[1]);
    let sum = 0;
    const sums = pages.map((page) => (sum += 1001 * (page.match(/Item-\d+\./g)?.length ?? 0)));
    const expected = sums.map((cents) => (cents / 100).toLocaleString("en-GB", { minimumFractionDigits: 2 }));
    const totals = pages.findIndex((page) => page.includes("Subtotal"));
    expect(totals).toBeGreaterThan(1);
    expect(pages.length).toBeGreaterThan(totals + 1);
    expect(amounts("Carried forward")).toEqual(pages.map((_, i) => (i < totals ? expected[i] : undefined)));
    expect(amounts("Brought forward")).toEqual(pages.map((_, i) => (i <= totals ? expected[i - 1] : undefined)));
  });

  it("carries nothing forward on a single page", async () => {
    const { pages } = await render("invoice", () => ({ items: items(3) }));

    expect(pages).toHaveLength(1);
    expect(pages[0]).not.toContain("forward");
  });
});

describe("the price list", () => {
  it("shows the first and the last article of each page", async () => {
    const articles = list(300, (i) => ({ category: `C${i % 7}`, name: `A${i}.`, number: "n", price: 1 }));

    const [many, none] = await Promise.all([
      render("prices", () => ({ articles })),
      render("prices", () => ({ articles: [] })),
    ]);

    const found = many.pages.map((page) => page.replace(/A\d+\. – A\d+\./, "").match(/A\d+\./g) ?? []);
    expect(found.flat()).toHaveLength(300);
    for (const [index, page] of many.pages.entries())
      expect(page).toContain(`${found[index]?.[0]} – ${found[index]?.at(-1)}`);
    expect(none.pages).toHaveLength(1);
  });
});

describe("the receipt", () => {
  it("is one page that is as high as its items need", async () => {
    const [none, sample, many] = await Promise.all([
      render("receipt", () => ({ items: [], payments: [] })),
      render("receipt"),
      render("receipt", () => ({ items: list(300, (i) => ({ name: `Item ${i}`, price: 1.1, vatRate: 23 })) })),
    ]);

    expect([none, sample, many].map(({ record }) => record.pageCount)).toEqual([1, 1, 1]);
    expect(sample.record.height).toBeGreaterThan(none.record.height);
    expect(many.record.height).toBeGreaterThan(sample.record.height + 290 * 15);
    expect(many.pages[0]).toContain("Total €330.00");
  });

  it("prints change, and VAT by rate", async () => {
    const { pages } = await render("receipt");

    expect(pages[0]).toContain("Total €62.90");
    expect(pages[0]).toContain("Change 7.10");
    expect(pages[0]).toContain("13.5% 26.26 3.54 29.80");
  });
});

describe("the event ticket", () => {
  it("makes a page of the ticket's size for each ticket", async () => {
    const tickets = list(60, (i) => ({ code: `C-${i}`, category: "Stalls", row: "B", seat: `${i + 1}` }));

    const { record, pages } = await render("ticket", () => ({ tickets }));

    expect(record).toMatchObject({ pageCount: 60, width: 672, height: 264 });
    expect(pages[41]).toContain("Row B, seat 42");
  });

  it("shows the time in its own time zone", async () => {
    const { pages } = await render("ticket", ({ event }) => ({
      event: { ...(event as Data), startsAt: "2027-07-12T20:30:00Z" },
    }));

    expect(pages[0]).toContain("21:30");
  });
});

describe("the languages of the event ticket", () => {
  it.each([
    ["en-IE", "Row F, seat 15", "2 people", "Valid only on 12 March 2027."],
    ["de-AT", "Reihe F, Platz 15", "2 Personen", "Nur gültig am 12. März 2027."],
    ["ja", "F列 15番", "2名", "2027年3月12日のみ有効です。"],
  ])("include that of %s", async (locale, ...texts) => {
    const { pages } = await render("ticket", () => ({}), { locale });

    for (const text of texts) expect(pages[1]).toContain(text);
  });

  it("have a form for one person", async () => {
    const tickets = [{ code: "C-1", category: "Stalls", admits: 1, seat: "14" }];

    const { pages } = await render("ticket", () => ({ tickets }), { locale: "de" });

    expect(pages[0]).toContain("1 Person");
    expect(pages[0]).not.toContain("Personen");
    expect(pages[0]).toContain("Platz 14");
  });
});

describe("the resume", () => {
  it("leaves out what there is no data for", async () => {
    const { record, pages } = await render("resume", () => ({
      ...{ positions: [], education: [], skills: [], languages: [], publications: [] },
      ...{ headline: null, contact: null, summary: null },
    }));

    expect(record.pageCount).toBe(1);
    expect(pages[0]?.trim()).toBe("Odalys Fenwright");
  });

  it("repeats the name with the page number on later pages only", async () => {
    const { record, pages } = await render("resume");

    expect(record.pageCount).toBe(2);
    expect(pages[0]).not.toContain("Page");
    expect(pages[1]).toContain("Page 2 of 2");
  });
});

describe("the contract", () => {
  it("names the pages of its clauses, signatures and schedules in the contents", async () => {
    const { pages } = await render("contract", ({ clauses }) => ({
      clauses: [...(clauses as []), ...(clauses as [])],
    }));

    const entries = ["8 Liability and insurance", "12 Services", "Signatures", "Schedule 2: Programme"];
    const start = pages.findIndex((page) => page.includes("Background"));
    const contents = pages.slice(0, start).join(" ");
    for (const entry of entries) {
      const found = pages.findIndex((page, index) => index >= start && page.includes(entry)) + 1;
      expect(pageInContents(contents, entry), entry).toBe(found);
    }
  });

  it("keeps each signature block on one page", async () => {
    const parties = list(9, (i) => ({
      name: `Party-${i}x`,
      role: "a party",
      address: "Road",
      signatory: `Signer-${i}x`,
    }));

    const { pages } = await render("contract", () => ({ parties }));

    for (let i = 0; i < parties.length; i++) {
      const page = pages.find((text) => text.includes(`For Party-${i}x`));
      expect(page).toContain(`Signer-${i}x`);
    }
  });

  it("has a watermark on every page of a draft", async () => {
    const { pages } = await render("contract", () => ({ isDraft: true }));

    expect(pages.every((page) => page.includes("DRAFT"))).toBe(true);
  });
});

describe("the statement", () => {
  it("says that there are no entries", async () => {
    const { record, pages } = await render("statement", () => ({ entries: [] }));

    expect(record.pageCount).toBe(1);
    expect(pages[0]).toContain("There are no entries in this period.");
    expect(pages[0]).toContain("Closing balance £8,214.37");
  });

  it("repeats the table's head on every page, and prints subtotals for each month", async () => {
    const entries = list(300, (i) => ({
      date: `2026-0${(i % 3) + 1}-15`,
      description: `Entry ${i}`,
      amount: i % 2 ? 10.1 : -0.2,
    }));

    const { pages } = await render("statement", () => ({ entries, openingBalance: 0 }));

    const withEntries = pages.filter((page) => /Entry \d/.test(page));
    expect(withEntries.length).toBeGreaterThan(5);
    expect(withEntries.every((page) => page.includes("Date Description Money out Money in Balance"))).toBe(true);
    const text = pages.join(" ");
    expect(text).toContain("Total for January 2026 10.00 505.00 495.00");
    expect(text).toContain("Total for March 2026 10.00 505.00 1,485.00");
    expect(text).toContain("Other 300 1,485.00");
  });

  it("keeps a month's name with its first entry, and its subtotals with its last", async () => {
    const entries = list(180, (i) => ({
      date: `${2022 + Math.floor(i / 36)}-${String((Math.floor(i / 3) % 12) + 1).padStart(2, "0")}-01`,
      description: `Entry ${i}`,
      amount: 1,
    }));

    const { pages } = await render("statement", () => ({ entries }));

    // Three entries of a month do not fill a page, so months begin at many different heights.
    const text = pages.join(" ");
    expect(text.match(/Total for \w+ 20\d\d/g)).toHaveLength(60);
    for (const page of pages) {
      expect(page).not.toMatch(/(?<!Total for )\b\w+ 20\d\d ?(Saltmarsh Mutual|Bramble Row Bakery)/);
      expect(page).not.toContain("Money in Balance Total for");
    }
  });
});

describe("the social card", () => {
  it.each([1, 300])("has its size with a title of %i characters", async (length) => {
    const title = "Title ".repeat(60).slice(0, length);

    const { bytes } = await render("card", () => ({ title }), { format: "png", deviceScaleFactor: 1 });

    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([1200, 630]);
  });
});

describe("the catalogue", () => {
  it("names the pages of sections and products on the cover and in the index", async () => {
    const products = (first: number) =>
      list(60, (i) => ({ number: `A-${first + i}`, name: `Thing ${first + i}`, price: 5 }));
    const sections = list(5, (i) => ({ name: `Part-${i}x`, products: products(i * 60) }));

    const { pages } = await render("catalogue", () => ({ sections }));

    const pageOf = (text: string) => pages.findIndex((page, index) => index > 0 && page.includes(text)) + 1;
    const index = pages.slice(pageOf("Index") - 1).join(" ");
    expect(pageInContents(pages[0], "Part-4x")).toBe(pageOf("Part-4x"));
    expect(pageInContents(index, "Thing 299, A-299")).toBe(pageOf("Thing 299"));
  });

  it("prints an empty catalogue without failing", async () => {
    const { pages } = await render("catalogue", () => ({ sections: [], ordering: null }));

    expect(pages[0]).toContain("Slow evenings");
  });
});

describe("the Arabic letter", () => {
  it("is one page without a table, and repeats the head of a long table", async () => {
    const costs = list(90, (i) => ({ name: `C-${i}`, amount: 10.5 }));
    const [none, many] = await Promise.all([
      render("letter", () => ({ costs: [], enclosures: [], signatory: null, closing: null })),
      render("letter", () => ({ costs })),
    ]);

    expect(none.record.pageCount).toBe(1);
    const withCosts = many.pages.filter((page) => /C-\d/.test(page));
    expect(withCosts.length).toBeGreaterThan(2);
    for (const page of withCosts) expect(page.slice(0, page.indexOf("C-"))).toMatch(/\p{Script=Arabic}{2}/u);
  });

  it("has the digits of its locale", async () => {
    const [arabic, western] = await Promise.all([
      render("letter"),
      render("letter", () => ({}), { locale: "ar-EG-u-nu-latn" }),
    ]);

    expect(arabic.pages[1]).not.toContain("7,010.50");
    expect(western.pages[1]).toContain("7,010.50");
  });

  it("runs from right to left", async () => {
    const { bytes } = await render("letter");

    const page = await (await getDocumentProxy(bytes.slice())).getPage(1);
    const { items } = await page.getTextContent();
    const reference = items.find((item) => "str" in item && item.str.includes("DM-2026/118"));
    const latinName = items.find((item) => "str" in item && item.str.includes("Dar al-Manara"));
    const leftOf = (item: typeof reference) => (item && "transform" in item ? Number(item.transform[4]) : Number.NaN);
    expect(leftOf(reference)).toBeLessThan(595 / 4);
    expect(leftOf(latinName)).toBeGreaterThan(595 / 2);
  });
});
