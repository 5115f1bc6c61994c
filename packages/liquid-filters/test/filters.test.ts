import { expect, it } from "vitest";
import { problemOf, textOf as exactTextOf } from "./engine.ts";

/** Renders the source, with line breaks as spaces. */
const textOf = (source: string, data: Record<string, unknown> = {}) => exactTextOf(source, data).replaceAll(/\s/g, " ");

const reasonOf = (source: string, data: Record<string, unknown> = {}) => problemOf(source, data).reason;

it.each(["qr_code", "barcode: 'datamatrix'"])("%s is charged to the budget of the document", (filter) => {
  const source = `{% for n in (1..100000) %}{% assign code = v | ${filter} %}{% endfor %}`;

  expect(reasonOf(source, { v: "x".repeat(500) })).toMatch(/does too much work/);
});

it("a document may have a thousand barcodes", () => {
  expect(textOf("{% for n in (1..1000) %}{% assign code = n | barcode %}{% endfor %}done")).toBe("done");
});

it("markdown returns markup that shows the tags in the value as text", () => {
  expect(textOf("{{ v | markdown }}", { v: "**a** <b>" }).trim()).toBe("<p><strong>a</strong> &lt;b&gt;</p>");
});

it.each(["''", "missing", "nil"])("markdown draws nothing for %s", (value) => {
  expect(textOf(`{{ ${value} | markdown }}`)).toBe("");
});

it("markdown refuses a text whose conversion would keep the Worker busy for too long, although the budget allows it", () => {
  expect(reasonOf("{{ v | markdown }}", { v: "*a **b** `c` [x](y) ".repeat(5_500) })).toBe(
    "this tag alone does too much work; give it less data at a time",
  );
});

it("markdown is charged to the budget of the document even if its result is not printed", () => {
  const source = "{% for n in (1..1000) %}{% assign t = v | markdown %}{% endfor %}";

  expect(reasonOf(source, { v: "words and words ".repeat(500) })).toMatch(/does too much work/);
});

it("markdown counts towards the limit on the document's output", () => {
  const source = "{% assign html = v | markdown %}{% for n in (1..100) %}{{ html }}{% endfor %}";

  expect(reasonOf(source, { v: "a|b\n-|-\n".concat("x\n".repeat(2_000)) })).toMatch(/exceeds 2,000,000/);
});

it("qr_code draws an SVG that the output does not escape", () => {
  expect(textOf("{{ 'https://example.com' | qr_code }}")).toMatch(/^<svg [^>]*viewBox=.*<\/svg>\s*$/);
});

it("qr_code draws a different code for a different value", () => {
  expect(textOf("{{ 'a' | qr_code }}")).not.toBe(textOf("{{ 'b' | qr_code }}"));
});

it("qr_code keeps the value out of the markup", () => {
  const text = textOf("{{ v | qr_code }}", { v: "</svg><script>alert(1)</script>" });

  expect(text).not.toContain("script");
});

it("qr_code refuses a value that is too long, with a reason of one sentence", () => {
  expect(reasonOf("{{ v | qr_code }}", { v: "x".repeat(7_000) })).toBe(
    `qr_code cannot encode \`${"x".repeat(60)}…\`: Data too long; a code of level M holds at most 2,331 bytes`,
  );
});

it.each(["''", "missing"])("qr_code draws nothing for %s", (value) => {
  expect(textOf(`{{ ${value} | qr_code }}`)).toBe("");
});

it.each([
  ["L", 2_953],
  ["M", 2_331],
  ["Q", 1_663],
  ["H", 1_273],
])("qr_code with the level %s holds at most %d bytes", (level, bytes) => {
  expect(textOf("{{ v | qr_code: level }}", { level, v: "x".repeat(bytes) })).toContain('viewBox="0 0 177 177"');
  expect(reasonOf("{{ v | qr_code: level }}", { level, v: "x".repeat(bytes + 1) })).toContain("Data too long");
});

it("qr_code refuses an unknown level", () => {
  expect(reasonOf("{{ 'a' | qr_code: 'high' }}")).toBe("the level of qr_code must be L, M, Q or H, got `high`");
});

it.each([
  ["code128", "JD0146"],
  ["ean13", "4006381333931"],
  ["datamatrix", "JD0146"],
])("barcode draws %s", (symbology, v) => {
  expect(textOf(`{{ v | barcode: '${symbology}' }}`, { v })).toMatch(/^<svg .*<\/svg>\s*$/);
});

it("barcode draws Code 128 by default", () => {
  expect(textOf("{{ 'JD0146' | barcode }}")).toBe(textOf("{{ 'JD0146' | barcode: 'code128' }}"));
});

it.each([
  ["code128", "A", "none"],
  ["gs1-128", "(91)A", "none"],
  ["itf", "12", "none"],
  ["pdf417", "A", "xMidYMid meet"],
])("barcode has the given height, and stretches only linear barcodes: %s", (kind, v, ratio) => {
  const svg = textOf("{{ v | barcode: kind, 30 }}", { kind, v });

  expect(svg).toMatch(/^<svg style="display:block;width:100%;height:30mm;/);
  expect(svg).toContain(`preserveAspectRatio="${ratio}"`);
});

it("barcode fills its box if no height is given", () => {
  expect(textOf("{{ 'A' | barcode }}")).toContain('height:100%;shape-rendering:crispEdges" preserveAspectRatio="xMidY');
});

it.each(["azteccode", "constructor"])("barcode refuses the symbology %s", (symbology) => {
  expect(reasonOf(`{{ 'A' | barcode: '${symbology}' }}`)).toBe(
    `barcode does not support \`${symbology}\`, only code128, ean13, gs1-128, itf, itf14, datamatrix, pdf417`,
  );
});

it.each([
  ["ean13", "12", "EAN-13 must be 12 or 13 digits"],
  ["itf", "123", "ITF must be an even number of digits"],
  ["itf14", "15400141288760", "Incorrect ITF-14 check digit provided"],
  ["itf14", "154", "ITF-14 must be 13 or 14 digits"],
  [
    "gs1-128",
    "(01)09521234543210",
    "AI 01: Bad checksum; it must be GS1 application identifiers and their values, as in (01)09521234543213(10)ABC",
  ],
])("barcode states why %s cannot hold %s", (kind, v, reason) => {
  expect(reasonOf("{{ v | barcode: kind }}", { kind, v })).toBe(`barcode cannot encode \`${v}\`: ${reason}`);
});

it("barcode names the capacity of PDF417 if a text is too long", () => {
  expect(reasonOf("{{ v | barcode: 'pdf417' }}", { v: "é".repeat(1_000) })).toMatch(
    /^barcode cannot encode `é{60}…`: The data is too long; it holds at most about 1,800 letters, 2,700 digits or/,
  );
});

it.each(["'tall'", "0.9", "1000.1"])("barcode refuses the height %s", (height) => {
  expect(reasonOf(`{{ 'A' | barcode: 'code128', ${height} }}`)).toBe(
    "the height of a barcode must be a number of mm from 1 to 1000",
  );
});

it("t is refused in a template without messages", () => {
  expect(reasonOf("{{ 'a' | t }}")).toBe("the filter `t` needs messages, but the template has no `locales` folder");
});

it.each([
  ["0", "t"],
  ["0", "markdown"],
  ["0 to 1", "qr_code"],
  ["0 to 2", "barcode"],
])("the number of a filter's arguments is %s: %s", (count, filter) => {
  expect(reasonOf(`{{ 1 | ${filter}: 1, 2, 3 }}`)).toBe(`the filter \`${filter}\` takes ${count} arguments, got 3`);
});
