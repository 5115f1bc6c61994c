import { expect, it } from "vitest";
import { parseManifest } from "../../src/folder/manifest.ts";

function manifestOf(change: object = {}) {
  const { manifest, problems } = parseManifest({ title: "Letter", pageSize: "A4", fields: [], ...change });
  if (manifest) return manifest;
  throw new Error(JSON.stringify(problems));
}

function reasonsOf(json: unknown): string[] {
  return parseManifest(json).problems.map(({ reason }) => reason);
}

it.each([
  [12, 12],
  [12.6, 13],
  [0, 0],
  ["10mm", 38],
])("a margin given as %j is %i px wide", (given, px) => {
  const { margin } = manifestOf({ margin: { top: given } });

  expect(margin.top).toBe(px);
});

it("margins are 48 px by default", () => {
  const { margin } = manifestOf({ margin: { left: 10 } });

  expect(margin).toEqual({ top: 48, right: 48, bottom: 48, left: 10 });
});

it.each(["1em", true, null])("margins may not be %j, and the message states the allowed values", (given) => {
  const reasons = reasonsOf({ title: "Letter", pageSize: "A4", fields: [], margin: { top: given } });

  expect(reasons).toEqual([
    'margin.top: a margin must be a number of pixels or a length such as "18mm" (mm, cm, in, pt, px)',
  ]);
});

it.each(["12", "", "-1mm", "1e3px", -1])("margins may not be %j", (given) => {
  const { problems } = parseManifest({ title: "Letter", pageSize: "A4", fields: [], margin: { top: given } });

  expect(problems.map(({ path }) => path)).toEqual([["margin", "top"]]);
});

it("a page in landscape has its width and height swapped", () => {
  const { page, orientation } = manifestOf({ orientation: "landscape" });

  expect([page.width, page.height, orientation]).toEqual([1123, 794, "landscape"]);
});

it("a page has the page size Custom if the template gives only its width and height in pixels", () => {
  const { page, pageSize } = manifestOf({ pageSize: undefined, width: 384, height: 576 });

  expect(pageSize).toBe("Custom");
  expect(page).toEqual({ width: 384, height: 576, cssWidth: "384px", cssHeight: "576px" });
});

it("a page may be as high as its content", () => {
  const { page, pageSize } = manifestOf({ pageSize: "Custom", width: 302, height: "auto" });

  expect(pageSize).toBe("Custom");
  expect(page).toEqual({ width: 302, height: "auto", cssWidth: "302px", cssHeight: "auto" });
});

it("a page that is as wide as a paper and as high as its content has no paper size", () => {
  const { page, pageSize } = manifestOf({ pageSize: "A4", orientation: "landscape", height: "auto" });

  expect(pageSize).toBe("Custom");
  expect(page).toEqual({ width: 1123, height: "auto", cssWidth: "297mm", cssHeight: "auto" });
});

it.each(["Auto", 12, 5001, 100.5, null])("the page may not have the height %j; the message says why", (height) => {
  const reasons = reasonsOf({ title: "Letter", width: 302, height, fields: [] });

  expect(reasons).toEqual(['height: must be a whole number of pixels from 16 to 5000, or "auto"']);
});

it("a page may not have margins above the maximum height", () => {
  const margin = { top: 9_600, bottom: 9_600 };

  const reasons = reasonsOf({ title: "x", width: 302, height: "auto", fields: [], margin });

  expect(reasons).toEqual(["margin: the margins leave no room on the page"]);
});

it.each([
  ["both a paper size and pixels", { width: 384, height: 576 }],
  ["a paper size and a width", { width: 384 }],
  ["neither a paper size nor pixels", { pageSize: undefined }],
  ["Custom without pixels", { pageSize: "Custom" }],
])("a page may not be given as %s", (_what, change) => {
  const reasons = reasonsOf({ title: "Letter", pageSize: "A4", fields: [], ...change });

  expect(reasons).toEqual([expect.stringContaining("give either `pageSize` (a paper size) or both")]);
});

it("a field is optional, has no description and has its key as its label by default, at every depth", () => {
  const inner = { key: "price", type: "number" };

  const { fields } = manifestOf({ fields: [{ key: "items", type: "list", fields: [inner] }] });

  const defaults = { required: false, description: "" };
  expect(fields).toEqual([
    { key: "items", label: "items", type: "list", ...defaults, fields: [{ ...inner, label: "price", ...defaults }] },
  ]);
});

it("fields may have the same key at different levels", () => {
  const name = { key: "name", type: "string" };

  const { fields } = manifestOf({ fields: [name, { key: "seller", type: "object", fields: [name] }] });

  expect(fields).toHaveLength(2);
});

it.each(["default", "example"])("fields have no %s when it is given as null", (property) => {
  const { fields } = manifestOf({ fields: [{ key: "f", type: "string", required: true, [property]: null }] });

  expect(JSON.stringify(fields)).not.toContain(property);
});

it.each([false, 0, ""])("fields may have the default %j", (value) => {
  const type = { boolean: "boolean", number: "number", string: "string" }[typeof value as "boolean"];

  const { fields } = manifestOf({ fields: [{ key: "f", type, default: value }] });

  expect(fields[0]?.default).toBe(value);
});

it("the settings of the viewer are stored as the template states them", () => {
  const viewer = { printScaling: "none", duplex: "flipShortEdge" };

  expect(manifestOf({ viewer }).viewer).toEqual(viewer);
  expect(manifestOf().viewer).toBeUndefined();
});

it.each([{ duplex: "both" }, { printScaling: 1 }, { displayTitle: "yes" }, { zoom: 1 }, []])(
  "the settings of the viewer may not be %j",
  (viewer) => {
    expect(reasonsOf({ title: "Letter", pageSize: "A4", fields: [], viewer })).toEqual([
      expect.stringMatching(/^viewer/),
    ]);
  },
);
