import { describe, expect, it } from "vitest";
import {
  customGeometry,
  lengthPx,
  marginsFit,
  overrideGeometry,
  pageSizeNames,
  paperGeometry,
} from "../../../src/core/rendering/page-geometry.ts";

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

describe("paperGeometry", () => {
  it("supports exactly the page sizes of the API", () => {
    expect(pageSizeNames).toEqual(sizesPx.map(([name]) => name));
  });

  it.each(sizesPx)("makes %s %i x %i px in portrait", (name, width, height) => {
    const page = paperGeometry(name, "portrait");

    expect([page.width, page.height]).toEqual([width, height]);
  });

  it.each(sizesPx)("swaps the sides of %s in landscape", (name, width, height) => {
    const page = paperGeometry(name, "landscape");

    expect([page.width, page.height]).toEqual([height, width]);
  });

  it("keeps the exact paper lengths in millimetres", () => {
    const page = paperGeometry("A4", "landscape");

    expect([page.cssWidth, page.cssHeight]).toEqual(["297mm", "210mm"]);
  });
});

describe("overrideGeometry", () => {
  const a4 = paperGeometry("A4", "portrait");

  it("returns the template's page when neither length is given", () => {
    const page = overrideGeometry(a4, {});

    expect(page).toEqual(a4);
  });

  it("keeps the template's length for the side that is not given", () => {
    const page = overrideGeometry(a4, { width: 400 });

    expect(page).toEqual({ width: 400, cssWidth: "400px", height: 1123, cssHeight: "297mm" });
  });

  it("overrides both lengths", () => {
    const page = overrideGeometry(a4, { width: 400, height: 300 });

    expect(page).toEqual(customGeometry(400, 300));
  });
});

describe("lengthPx", () => {
  it.each([
    ["12px", 12],
    ["1in", 96],
    ["2.54cm", 96],
    ["25.4mm", 96],
    ["72pt", 96],
    ["0mm", 0],
  ])("converts %s to pixels", (text, px) => {
    expect(lengthPx(text)).toBeCloseTo(px, 9);
  });

  it.each(["", "12", "mm", "-1mm", "1 mm", "1em", "1e3px", "12px;", "1px\n", "1.px"])("returns null for %j", (text) => {
    expect(lengthPx(text)).toBeNull();
  });
});

describe("marginsFit", () => {
  const margin = { top: 10, right: 20, bottom: 30, left: 40 };

  it("accepts margins that leave one pixel in each direction", () => {
    expect(marginsFit(customGeometry(61, 41), margin)).toBe(true);
  });

  it("refuses margins that fill the width of the page", () => {
    expect(marginsFit(customGeometry(60, 41), margin)).toBe(false);
  });

  it("refuses margins that fill the height of the page", () => {
    expect(marginsFit(customGeometry(61, 40), margin)).toBe(false);
  });
});
