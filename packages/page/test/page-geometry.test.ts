import { expect, it } from "vitest";
import {
  autoHeightProblem,
  autoPageHeight,
  customGeometry,
  lengthPx,
  marginsFit,
  overrideGeometry,
  pageSizeNames,
  paperGeometry,
} from "../src/page-geometry.ts";

const sizesPx = [
  ["A3", 1123, 1587],
  ["A4", 794, 1123],
  ["A5", 559, 794],
  ["A6", 397, 559],
  ["Letter", 816, 1056],
  ["Legal", 816, 1344],
  ["Tabloid", 1056, 1632],
  ["Ledger", 1632, 1056],
] as const;

it("paperGeometry supports exactly the page sizes of the API", () => {
  expect(pageSizeNames).toEqual(sizesPx.map(([name]) => name));
});

it.each(sizesPx)("paperGeometry makes %s %i x %i px, and rotates it in landscape", (name, width, height) => {
  expect(paperGeometry(name, "portrait")).toMatchObject({ width, height });
  expect(paperGeometry(name, "landscape")).toMatchObject({ width: height, height: width });
});

it("paperGeometry keeps the exact paper lengths in millimetres", () => {
  expect(paperGeometry("A4", "landscape")).toMatchObject({ cssWidth: "297mm", cssHeight: "210mm" });
});

const a4 = paperGeometry("A4", "portrait");
const width400 = { width: 400, cssWidth: "400px" };
const autoHeight = { height: "auto", cssHeight: "auto" };

it.each([
  [a4, {}, a4],
  [a4, { width: 400 }, { ...a4, ...width400 }],
  [a4, { width: 400, height: 300 }, customGeometry(400, 300)],
  [a4, { height: "auto" }, { ...a4, ...autoHeight }],
  [customGeometry(302, "auto"), { height: 300 }, customGeometry(302, 300)],
] as const)("overrideGeometry: %j with %j becomes %j", (page, override, expected) => {
  expect(overrideGeometry(page, override)).toEqual(expected);
});

it("the margins of a page whose height is auto fit if they are below the maximum height", () => {
  const margin = { top: 9_600, right: 1, bottom: 9_599, left: 1 };

  expect(marginsFit(customGeometry(16, "auto"), margin)).toBe(true);
  expect(marginsFit(customGeometry(16, "auto"), { ...margin, top: 9_601 })).toBe(false);
});

it.each([
  [19_200, null],
  [19_200.5, expect.stringMatching(/19201 px high.*at most 19200 px/)],
])("an automatic height of %d px has the problem %j", (heightPx, problem) => {
  expect(autoHeightProblem(heightPx)).toEqual(problem);
});

const contents = Array.from({ length: 400 }, (_, index) => 50 + index * 0.37);
const pointsOf = (heightPx: number) => Math.round(heightPx * 0.75);

it.each([
  [10, 30],
  [0, 1],
  [3, 48],
])("autoPageHeight differs from the content plus margins of %i and %i px by at most 2/3 of a pixel", (top, bottom) => {
  for (const contentPx of contents) {
    const { heightPx } = autoPageHeight(contentPx, { top, right: 0, bottom, left: 0 });

    const whitePx = pointsOf(heightPx) / 0.75 - (top + contentPx + bottom);
    expect(Math.abs(whitePx)).toBeLessThanOrEqual(bottom === 1 ? 1 : 0.67);
  }
});

it("autoPageHeight leaves at most a pixel below content without margins", () => {
  for (const contentPx of contents) {
    const { heightPx } = autoPageHeight(contentPx, { top: 0, right: 0, bottom: 0, left: 0 });

    const whitePx = pointsOf(heightPx) / 0.75 - contentPx;
    expect(whitePx).toBeGreaterThanOrEqual(-0.34);
    expect(whitePx).toBeLessThanOrEqual(1);
  }
});

it("autoPageHeight leaves room for the content when the layout rounds to whole pixels", () => {
  for (const contentPx of contents) {
    const { heightPx, bottomMarginPx } = autoPageHeight(contentPx, { top: 7, right: 0, bottom: 9, left: 0 });

    const roomPx = Math.ceil(heightPx) - 7 - bottomMarginPx;
    expect(roomPx).toBeGreaterThanOrEqual(contentPx - 1 / 64);
    expect(roomPx).toBeLessThan(contentPx + 1);
  }
});

it.each([
  ["12px", 12],
  ["1in", 96],
  ["2.54cm", 96],
  ["25.4mm", 96],
  ["72pt", 96],
  ["0mm", 0],
])("lengthPx converts %s to pixels", (text, px) => {
  expect(lengthPx(text)).toBeCloseTo(px, 9);
});

it.each(["", "12", "mm", "-1mm", "1 mm", "1em", "1e3px", "12px;", "1px\n", "1.px"])("lengthPx refuses %j", (text) => {
  expect(lengthPx(text)).toBeNull();
});

const margin = { top: 10, right: 20, bottom: 30, left: 40 };

it.each([
  [61, 41, true],
  [60, 41, false],
  [61, 40, false],
])("marginsFit needs one pixel between the margins in each direction (%i x %i px: %s)", (width, height, fits) => {
  expect(marginsFit(customGeometry(width, height), margin)).toBe(fits);
});
