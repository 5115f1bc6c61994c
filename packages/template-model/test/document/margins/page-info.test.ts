import { expect, it } from "vitest";
import { pageInfo, probePages, type SectionStart } from "../../../src/document/margins/page-info.ts";

/** Returns each page as `number/total section sectionNumber/sectionTotal`. */
function pagesOf(pageCount: number, sections: SectionStart[]): string[] {
  return pageInfo(pageCount, { sections }).map(
    ({ number, total, section, sectionNumber, sectionTotal }) =>
      `${number}/${total} ${section} ${sectionNumber}/${sectionTotal}`,
  );
}

it("a page belongs to the section that starts or continues on it", () => {
  const sections = [
    { title: "A", page: 0 },
    { title: "B", page: 2 },
  ];

  expect(pagesOf(5, sections)).toEqual(["1/5 A 1/2", "2/5 A 2/2", "3/5 B 1/3", "4/5 B 2/3", "5/5 B 3/3"]);
});

it("a page has an empty section before the first section", () => {
  expect(pagesOf(3, [{ title: "A", page: 2 }])).toEqual(["1/3  1/2", "2/3  2/2", "3/3 A 1/1"]);
  expect(pagesOf(2, [])).toEqual(["1/2  1/2", "2/2  2/2"]);
});

it("a page belongs to the first of several sections that start on it", () => {
  const sections = [
    { title: "A", page: 0 },
    { title: "B", page: 1 },
    { title: "C", page: 1 },
    { title: "D", page: 1 },
  ];

  expect(pagesOf(4, sections)).toEqual(["1/4 A 1/1", "2/4 B 1/1", "3/4 D 1/2", "4/4 D 2/2"]);
});

it("a page counts separately in two sections with the same title", () => {
  const sections = [
    { title: "Notes", page: 0 },
    { title: "Notes", page: 1 },
  ];

  expect(pagesOf(3, sections)).toEqual(["1/3 Notes 1/1", "2/3 Notes 1/2", "3/3 Notes 2/2"]);
});

it("a page belongs to the section that starts on the latest page, if sections are not in the order of their pages", () => {
  const sections = [
    { title: "B", page: 2 },
    { title: "A", page: 0 },
  ];

  expect(pagesOf(4, sections)).toEqual(["1/4 A 1/2", "2/4 A 2/2", "3/4 B 1/2", "4/4 B 2/2"]);
});
it("a page has at most 500 whole characters of its section's title", () => {
  const [page] = pageInfo(1, { sections: [{ title: `${"x".repeat(499)}😀`, page: 0 }] });

  expect(page?.section).toBe("x".repeat(499));
});

it("pages are numbered from 1 in each part, and before the first part", () => {
  const numbers = (parts: number[]) =>
    pageInfo(5, { parts: parts.map((page) => ({ page })) }).map((page) => `${page.partNumber}/${page.partTotal}`);

  expect(numbers([])).toEqual(["1/5", "2/5", "3/5", "4/5", "5/5"]);
  expect(numbers([2])).toEqual(["1/2", "2/2", "1/3", "2/3", "3/3"]);
  expect(numbers([0, 3, 3])).toEqual(["1/3", "2/3", "3/3", "1/1", "1/1"]);
});

const set = (value: string, page: number) => ({ key: "entry", value, page });
/** Returns each page as `first|last|start`. */
const valuesOf = (pageCount: number, values: ReturnType<typeof set>[]) =>
  pageInfo(pageCount, { values }).map(({ values: { entry } }) => `${entry?.first}|${entry?.last}|${entry?.start}`);

it("a page value has the first and the last value that the page sets, and the last value that earlier pages set", () => {
  const values = [set("a", 0), set("b", 0), set("c", 0), set("d", 1)];

  expect(valuesOf(2, values)).toEqual(["a|c|null", "d|d|c"]);
});

it("a page value is null before it is first set, and does not change on pages that do not set it", () => {
  expect(valuesOf(4, [set("a", 1), set("b", 3)])).toEqual(["null|null|null", "a|a|null", "a|a|a", "b|b|a"]);
});

it("a page value is separate from page values with other names", () => {
  const [page] = pageInfo(1, { values: [set("a", 0), { key: "carried", value: "1", page: 0 }] });

  expect(page?.values).toEqual({
    carried: { first: "1", last: "1", start: null },
    entry: { first: "a", last: "a", start: null },
  });
});

it("a page value has at most 200 whole characters", () => {
  const value = `${"x".repeat(199)}\u{1f600}`;

  expect(pageInfo(1, { values: [set(value, 0)] })[0]?.values["entry"]?.first).toBe("x".repeat(199));
});

it("the probe pages include every kind of page that a style can distinguish", () => {
  const same = { total: 4, section: "Terms", sectionTotal: 2, partTotal: 2, values: {} };
  expect(probePages("Terms", [])).toEqual([
    { number: 1, ...same, sectionNumber: 1, partNumber: 1 },
    { number: 2, ...same, sectionNumber: 2, partNumber: 2 },
    { number: 3, ...same, sectionNumber: 1, partNumber: 1 },
    { number: 4, ...same, sectionNumber: 2, partNumber: 2 },
  ]);
});
