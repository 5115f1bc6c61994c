// Tests that bookmarks have the printed texts of their headings, whatever styles do to them.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { rendered } from "../fixtures/rendered.ts";

/** Returns the bookmarks of a document with these styles and this markup. Their texts are printed. */
async function bookmarks(css: string, page: string): Promise<string[]> {
  const { bytes } = await rendered({ page, content: { css } });
  type Item = { title: string; items: Item[] };
  const all = (items: Item[]): string[] => items.flatMap(({ title, items: inner }) => [title, ...all(inner)]);
  return all((await (await getDocumentProxy(bytes)).getOutline()) ?? []);
}

const numbers = "body { counter-reset: c } h2 { counter-increment: c; counter-reset: s } h3 { counter-increment: s }";

it.each<[what: string, css: string, markup: string, titles: string[]]>([
  ["upper case", "h2 { text-transform: uppercase }", "<h2>Late fees</h2>", ["LATE FEES"]],
  ["upper case in a language", "h2 { text-transform: uppercase }", '<h2 lang="tr">bilgi</h2>', ["BİLGİ"]],
  ["a part in upper case", "b { text-transform: uppercase }", "<h2>Late <b>fees</b></h2>", ["Late FEES"]],
  ["lower case", "h2 { text-transform: lowercase }", "<h2>Late FEES</h2>", ["late fees"]],
  ["capitals", "h2 { text-transform: capitalize }", "<h2>fees, don't pay élan</h2>", ["Fees, Don't Pay Élan"]],
  ["a hidden heading", ".off { visibility: hidden }", '<h2 class="off">Ghost</h2><h2>Seen</h2>', ["Seen"]],
  ["a hidden part", ".off { visibility: hidden }", '<h2>A <b class="off">ghost</b>B</h2>', ["A B"]],
  ["a part of a hidden heading", "h2 { visibility: hidden } b { visibility: visible }", "<h2>A <b>B</b></h2>", ["B"]],
  ["a part without a box", "b { display: none }", "<h2>A <b>ghost</b>B</h2>", ["A B"]],
  ["a transparent heading", ".off { opacity: 0 }", '<div class="off"><h2>Ghost</h2></div><h2>Seen</h2>', ["Seen"]],
  [
    "a part for screen readers",
    ".sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0) }",
    '<h2>A<span class="sr"> section</span></h2>',
    ["A"],
  ],
  ["a clip path", ".sr { display: inline-block; clip-path: inset(50%) }", '<h2>A<span class="sr">x</span></h2>', ["A"]],
  ["a part beside the page", ".sr { position: absolute; left: -9999px }", '<h2>A<span class="sr">x</span></h2>', ["A"]],
  ["a part without a size", ".sr { font-size: 0 }", '<h2>A<span class="sr">x</span></h2>', ["A"]],
  ["ruby", "", "<h2><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>支店</h2>", ["東京支店"]],
  ["soft hyphens", "", "<h2>Donau&shy;dampf&shy;schiff</h2>", ["Donaudampfschiff"]],
  ["a text before it", "h2::before { content: 'Part ' }", "<h2>A</h2>", ["Part A"]],
  ["texts around a part", "b::before { content: '«' } b::after { content: '»' }", "<h2>A <b>b</b> c</h2>", ["A «b» c"]],
  ["a generated text", "h2::before { content: 'part '; text-transform: uppercase }", "<h2>A</h2>", ["PART A"]],
  ["an attribute", "h2::after { content: ' (' attr(data-n) ')' }", '<h2 data-n="7">A</h2>', ["A (7)"]],
  ["escapes", "h2::before { content: '\\201C\\'\\22 ' }", "<h2>A</h2>", ["“'\"A"]],
  ["a heading with nothing else", "h2::before { content: 'Annex' }", "<h2></h2>", ["Annex"]],
  ["an alternative text", "h2::before { content: '→ ' / 'arrow' }", "<h2>A</h2>", ["→ A"]],
  ["a number", `${numbers} h2::before { content: counter(c) '. ' }`, "<h2>A</h2><h2>B</h2>", ["1. A", "2. B"]],
  [
    "numbers of two levels",
    `${numbers} h3::before { content: counter(c) '.' counter(s) ' ' }`,
    "<h2>A</h2><h3>a</h3><h3>b</h3><h2>B</h2><h3>c</h3>",
    ["A", "1.1 a", "1.2 b", "B", "2.1 c"],
  ],
  ["Roman", `${numbers} h2::before { content: counter(c, upper-roman) ' ' }`, "<h2>A</h2><h2>B</h2>", ["I A", "II B"]],
  ["abc", `${numbers} h2::before { content: counter(c, lower-latin) ') ' }`, "<h2>A</h2><h2>B</h2>", ["a) A", "b) B"]],
  [
    "nested numbers",
    "section { counter-reset: n } h2 { counter-increment: n } h2::before { content: counters(n, '.') ' ' }",
    "<section><h2>A</h2><section><h2>B</h2><h2>C</h2></section><h2>D</h2></section>",
    ["1 A", "1.1 B", "1.2 C", "2 D"],
  ],
  [
    "a number that its pseudo-element counts",
    "h2::before { counter-increment: c; content: counter(c) ' ' }",
    "<h2>A</h2><h2>B</h2>",
    ["1 A", "1 B"],
  ],
  [
    "a number that hidden headings count, but not those without a box",
    `${numbers} h2::before { content: counter(c) ' ' }`,
    '<h2 style="visibility:hidden">x</h2><h2 style="display:none">y</h2><h2>A</h2>',
    ["2 A"],
  ],
  [
    "a number that is set",
    `${numbers} h2::before { content: counter(c) ' ' }`,
    '<h2 style="counter-set: c 7">A</h2><h2>B</h2>',
    ["7 A", "8 B"],
  ],
])("a bookmark has the printed text of its heading: %s", async (_what, css, markup, titles) => {
  expect(await bookmarks(css, markup)).toEqual(titles);
});

it.each<[what: string, css: string, markup: string, titles: string[]]>([
  ["plain text", "", "<h2>Late fees</h2>", ["Late fees"]],
  ["small capitals", "h2 { font-variant: small-caps }", "<h2>Late fees</h2>", ["Late fees"]],
  ["lines", "", "<h2>Late<br>fees</h2>", ["Late fees"]],
  ["blocks", "b { display: block }", "<h2><b>Late</b><b>fees</b></h2>", ["Late fees"]],
  ["spaces", "", "<h2> Late \n <b> fees </b></h2>", ["Late fees"]],
  ["a translucent heading", "h2 { opacity: .1 }", "<h2>Late fees</h2>", ["Late fees"]],
  ["a heading that clips its content", "h2 { overflow: hidden }", "<h2>Late fees</h2>", ["Late fees"]],
  ["a clipped corner", "h2 { clip-path: inset(5px) }", "<h2>Late fees</h2>", ["Late fees"]],
  ["a decoration without text", "h2::before { content: ''; border: 1px solid }", "<h2>Late fees</h2>", ["Late fees"]],
  ["a pseudo-element without a box", "h2::before { content: 'x'; display: none }", "<h2>Late fees</h2>", ["Late fees"]],
  ["a picture", "h2::before { content: url(data:image/svg+xml,x) }", "<h2>Late fees</h2>", ["Late fees"]],
  ["a hyphen", "", "<h2>Late&#8209;fees - now</h2>", ["Late‑fees - now"]],
  ["a heading in a table", "", "<table><tr><td><h2>Late fees</h2></table>", ["Late fees"]],
  ["a form", "", '<h2><form><input name="contains"><input name="closest">Late fees</form></h2>', ["Late fees"]],
])("a bookmark has the text in the markup of its heading: %s", async (_what, css, markup, titles) => {
  expect(await bookmarks(css, markup)).toEqual(titles);
});
