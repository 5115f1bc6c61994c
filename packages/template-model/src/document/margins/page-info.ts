// The information about a page that a header or footer can read as `page` in Liquid: the page's number, its section, and the values that
// elements set on it.
import { valueAttribute } from "colophon-page/prepared-page";

/**
 * The properties of `page`. The numbers count from 1: `number` among all pages of the document, and `sectionNumber` and `partNumber`
 * among those of the section and of the part. `section` is the section's title, or empty before the first section. `values` are by name.
 */
export type PageInfo = {
  number: number;
  total: number;
  section: string;
  sectionNumber: number;
  sectionTotal: number;
  partNumber: number;
  partTotal: number;
  values: Record<string, PageValue>;
};

/**
 * Like `string(name, first)` etc. in CSS: the first and the last value on the page, and the value in force when the page begins. On a page
 * that sets no value, all three are the same. They are null before the first value.
 */
export type PageValue = { first: SetValue; last: SetValue; start: SetValue };
type SetValue = string | null;

/** A section of the document. `page` is the page on which it starts, counted from 0. */
export type SectionStart = { title: string; page: number };

/** A part of the document, which has its own page numbers. `page` is the page on which it starts, counted from 0. */
export type PartStart = { page: number };

/** An element that sets a value. `page` is the page on which it starts, counted from 0. */
export type ValueStart = { key: string; value: string; page: number };

/** Longer values are truncated, because each one is repeated on every page until the next. */
const maxChars = { title: 500, value: 200 };

type Starts = { sections?: SectionStart[]; parts?: PartStart[]; values?: ValueStart[] };

/**
 * Returns the information about each page. All starts are in document order. A page belongs to the first section
 * that starts on it, or else to the section that continues from the previous page. The pages before the first section are
 * counted like a section. The same holds for parts.
 */
export function pageInfo(pageCount: number, { sections = [], parts = [], values = [] }: Starts): PageInfo[] {
  const ofSections = countedPages(pageCount, sections);
  const ofParts = countedPages(pageCount, parts);
  const named = [...new Set(values.map(({ key }) => key))].map((name) => {
    const ofName = values.filter(({ key }) => key === name);
    return { name, pages: onEachPage(pageCount, ofName).map(pageValue) };
  });
  return ofSections.map(({ owner, number, total }, index) => ({
    number: index + 1,
    total: pageCount,
    section: owner ? cut(owner.title, maxChars.title) : "",
    sectionNumber: number,
    sectionTotal: total,
    partNumber: ofParts[index]?.number ?? 0,
    partTotal: ofParts[index]?.total ?? 0,
    values: Object.fromEntries(named.map(({ name, pages }) => [name, pages[index] ?? unset])),
  }));
}

/** Returns, for each page, what it belongs to, its number among the pages of the same owner, and how many these are. */
function countedPages<Start extends { page: number }>(pageCount: number, starts: Start[]) {
  const owners = onEachPage(pageCount, starts).map(({ first }) => first);
  const totals = new Map<Start | null, number>();
  const numbered = owners.map((owner) => {
    const number = (totals.get(owner) ?? 0) + 1;
    totals.set(owner, number);
    return { owner, number };
  });
  return numbered.map(({ owner, number }) => ({ owner, number, total: totals.get(owner) ?? 0 }));
}

/**
 * Returns the information about four pages of an imaginary document: a first page, a later even and a later odd page, and a
 * last page. A new section starts on the third page. They replace the real pages, which are not known yet, for measuring the
 * heights of headers and footers. `section` is about as long as a section title, and `values` are set where the sections start.
 */
export function probePages(section: string, values: Omit<ValueStart, "page">[]): PageInfo[] {
  const starts = [0, 2];
  return pageInfo(4, {
    sections: starts.map((page) => ({ title: section, page })),
    parts: starts.map((page) => ({ page })),
    values: starts.flatMap((page) => values.map((value) => ({ ...value, page }))),
  });
}

type OnPage<Start> = { first: Start | null; last: Start | null; start: Start | null };

/**
 * Returns, for each page, the first and the last item that starts on it, or else the item that continues from the previous page.
 */
function onEachPage<Start extends { page: number }>(pageCount: number, starts: Start[]): OnPage<Start>[] {
  const firstOnPage = new Map<number, Start>();
  const lastOnPage = new Map<number, Start>();
  for (const each of starts) {
    if (!firstOnPage.has(each.page)) firstOnPage.set(each.page, each);
    lastOnPage.set(each.page, each);
  }
  let start: Start | null = null;
  return Array.from({ length: pageCount }, (_, page) => {
    const onPage = { first: firstOnPage.get(page) ?? start, last: lastOnPage.get(page) ?? start, start };
    start = onPage.last;
    return onPage;
  });
}

const unset: PageValue = { first: null, last: null, start: null };

function pageValue({ first, last, start }: OnPage<ValueStart>): PageValue {
  const textOf = (set: ValueStart | null) => (set ? cut(set.value, maxChars.value) : null);
  return { first: textOf(first), last: textOf(last), start: textOf(start) };
}

/** Truncates the string without splitting a surrogate pair. */
function cut(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, "");
}

/** Each page stores the values of all names. */
export const maxValueNames = 10;
export const tooManyValueNames = `the header and the footer read more than ${maxValueNames} names of \`page.values\``;

export function isValueName(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name);
}

/** Returns the names in the attributes of Liquid sources. */
export function namesSetIn(sources: readonly string[]): string[] {
  const attributes = new RegExp(`${valueAttribute}([a-z][a-z0-9_]*)`, "gi");
  return sources.flatMap((source) => Array.from(source.matchAll(attributes), ([, name = ""]) => name.toLowerCase()));
}

/** Returns the first value of each name in the markup, because filters may need a number, and headers need space for text. */
export function exampleValues(markups: readonly string[], names: readonly string[]): Omit<ValueStart, "page">[] {
  return names.flatMap((key) => {
    const attribute = new RegExp(`\\s${valueAttribute}${key}\\s*=\\s*["']?([^"'>]*)`, "i");
    const firstMatch = markups.map((markup) => attribute.exec(markup)).find((match) => match !== null);
    return firstMatch ? [{ key, value: firstMatch[1] ?? "" }] : [];
  });
}
