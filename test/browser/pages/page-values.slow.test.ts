// Tests the page values of long documents against the text of their pages: amounts that are carried forward, and the first and
// the last entry of each page.
import { expect, it } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { pagesOf } from "../fixtures/printed-pages.ts";

/** Returns a function that returns numbers from 0 to 1, which are the same for the same seed. */
function random(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const statement = `{% assign sum = 0 %}<style>{{ css }}</style>
<div class="columns"><table><thead><tr><th>Text</th><th>Amount</th></tr></thead>
{% for row in rows %}{% assign sum = sum | plus: row.amount | round: 2 %}
<tr data-page-value-carried="{{ sum }}"><td>#{{ forloop.index }}# {{ row.text }}</td><td>{{ row.amount | number: 2 }}</td></tr>
{% endfor %}</table></div>`;
const header = "Brought={{ page.values.carried.start | number: 2 }}=";
const footer = "Carried={{ page.values.carried.last | number: 2 }}=";

const layouts = [
  "tr { break-inside: avoid }",
  "td { vertical-align: middle; padding: 6px }",
  ".columns { columns: 2 }",
  "td { break-inside: avoid } table { border-collapse: collapse } .columns { border: 1px solid; position: relative }",
  "tr { break-inside: avoid } .columns { columns: 2; column-fill: auto } a::after { content: attr(href) }",
];

it.each([
  ["tagged", 0, ""],
  ["long", 5, "{% for i in (1..10000) %}<i hidden></i>{% endfor %}"],
])(
  "the sum of 300 rows is carried forward on all pages of five %s statements",
  async (_, first, more) => {
    const rowFields = [field("text", "string"), field("amount", "number")];
    const fields = [field("css", "string"), field("rows", "list", { fields: rowFields })];
    const template = { fields, page: statement + more, content: { header, footer } };
    const wrong: string[] = [];

    for (let seed = first; seed < first + 5; seed++) {
      const next = random(seed);
      const rows = Array.from({ length: 300 }, () => ({
        text: "words of a posting ".repeat(1 + Math.floor(next() ** 3 * 20)),
        amount: Math.round(next() * 200_000 - 80_000) / 100,
      }));
      const pages = await pagesOf(template, { rows, css: layouts[seed % layouts.length] });

      let brought = "";
      let cents = 0;
      let count = 0;
      for (const [index, { text }] of pages.entries()) {
        for (const _ of text.matchAll(/#\d+#/g)) cents += Math.round((rows[count++]?.amount ?? 0) * 100);
        const carried = (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
        if (!text.includes(`Brought=${brought}=`) || !text.includes(`Carried=${carried}=`))
          wrong.push(`${seed}, page ${index + 1}: ${text.slice(-60)}, but ${brought} and ${carried}`);
        brought = carried;
      }
      expect(count).toBe(300);
      expect(pages.length).toBeGreaterThan(5);
    }

    expect(wrong).toEqual([]);
  },
  60_000,
);

it.each([
  ["in two columns", ".entries { columns: 2 } .entry { break-inside: avoid }"],
  ["in paragraphs that continue on the next page", ".entry { margin: 0; text-indent: 1em; text-align: justify }"],
])(
  "the header shows the first and the last of 2,000 entries of a dictionary %s",
  { timeout: 60_000 },
  async (_what, css) => {
    const next = random(7);
    const words = Array.from({ length: 2_000 }, (_, index) => `w${index}`);
    const page = `<style>${css}</style><div class="entries">{% for entry in entries %}
    <p class="entry"><b data-page-value-entry="{{ entry.word }}">@{{ entry.word }}@</b> {{ entry.text }}</p>{% endfor %}</div>`;
    const content = { header: "Entries={{ page.values.entry.first }}-{{ page.values.entry.last }}=" };
    const entryFields = [field("word", "string"), field("text", "string")];
    const fields = [field("entries", "list", { fields: entryFields })];

    const entries = words.map((word) => ({ word, text: "an explanation of it, ".repeat(1 + Math.floor(next() * 12)) }));
    const pages = await pagesOf({ fields, page, content }, { entries });

    const heads = pages.map(({ text }) => /Entries=(.*)=/.exec(text)?.[1]);
    const found = pages.map(({ text }) => Array.from(text.matchAll(/@(w\d+)@/g), ([, word]) => word));
    expect(pages.length).toBeGreaterThan(30);
    expect(found.flat()).toEqual(words);
    expect(heads).toEqual(found.map((onPage) => `${onPage[0]}-${onPage.at(-1)}`));
  },
);
