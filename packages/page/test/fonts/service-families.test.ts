import { expect, it } from "vitest";
import { familyList, servedFamilies, servedFont, withServiceFamilies } from "../../src/fonts/service-families.ts";

/** Returns a whole list as the browser writes it. */
const list = (kind: "sans" | "serif" | "mono" | "scripts" | "math") => familyList(kind).replaceAll(",", ", ");

it.each([
  ["serif", list("serif")],
  ["system-ui", list("sans")],
  ["emoji", list("scripts")],
  ["Cambria Math", `Cambria Math, ${list("math")}`],
  ['"serif"', `"serif", ${list("serif")}`],
  ['"Times New Roman"', `"Times New Roman", ${list("serif")}`],
  ["Noto Serif Hebrew", `Noto Serif Hebrew, ${list("serif")}`],
  ["Times   New Roman", `Times New Roman, ${list("serif")}`],
  ["Brand", `Brand, ${list("sans")}`],
  ['Brand, "Georgia", serif', `Brand, "Georgia", ${list("serif")}`],
  ["system-ui, Brand", '"Colophon Sans", Brand, "Colophon Scripts", "Colophon Math", colophon-missing'],
  ['"a,b\\"c", メイリオ', `"a,b\\"c", メイリオ, ${list("sans")}`],
  ["var(--f)", `var(--f),${familyList("sans")}`],
  ["var(--f, Georgia)", 'var(--f, Georgia,"Colophon Serif"),"Colophon Scripts","Colophon Math",colophon-missing'],
  ["initial", familyList("sans")],
  ["revert", "revert-layer"],
])("a list of families: %s becomes %s", (value, expected) => {
  expect(servedFamilies(value, new Set())).toBe(expected);
});

it.each([
  ["sans", "sans-serif cursive fantasy ui-sans-serif ui-rounded BlinkMacSystemFont -apple-system"],
  ["sans", "-webkit-body -webkit-standard"],
  ["serif", "ui-serif fangsong"],
  ["mono", "ui-monospace"],
  ["math", "math MATH"],
  ["scripts", "-webkit-pictograph"],
] as const)("a list of families has %s fonts in place of each of %s", (kind, families) => {
  const served = families.split(" ").map((family) => servedFamilies(family, new Set()));

  expect(new Set(served)).toEqual(new Set([list(kind)]));
});

it.each(["serif", "Brand, Georgia", "emoji", "math", "Arial, monospace"])(
  "a list of families that was already mapped is not changed (%s)",
  (value) => {
    const mapped = servedFamilies(value, new Set());

    expect(servedFamilies(mapped, new Set())).toBe(mapped);
  },
);

it.each([
  ["caption", `medium ${familyList("sans")}`],
  ["bold 12px/1.5 var(--f)", `bold 12px/1.5 var(--f),${familyList("sans")}`],
  ["var(--size) Georgia", 'var(--size) Georgia,"Colophon Serif","Colophon Scripts","Colophon Math",colophon-missing'],
])("a value of `font` that the browser cannot divide ends with the service's families (%s)", (value, expected) => {
  expect(servedFont(value, new Set())).toBe(expected);
});

it.each([
  ["Georgia, serif", `Georgia,"Colophon Serif", ${familyList("serif")}`],
  ["bold 14px / 1.5 Consolas", 'bold 14px / 1.5 Consolas,"Colophon Mono"'],
  ["calc(1px + 2em)", "calc(1px + 2em)"],
  ["red", "red"],
])("a custom property: %s becomes %s", (value, expected) => {
  expect(withServiceFamilies(value, new Set())).toBe(expected);
});

it("a custom property of more than 2,000 characters is left unchanged", () => {
  const value = `${"a,".repeat(1_000)}serif`;

  expect(withServiceFamilies(value, new Set())).toBe(value);
});

it("the families that a machine may have installed are collected", () => {
  const named = new Set<string>();

  withServiceFamilies('bold 12px Brand, "Other Font", serif, var(--f, Inter)', named);

  expect([...named]).toEqual(["Brand", "Other Font", "Inter"]);
});
