import { describe, expect, it } from "vitest";
import { assetName, unknownAssets } from "../../../src/core/templates/asset-names.ts";

describe("assetName", () => {
  it.each([
    ["logo.svg", "logo.svg"],
    ["./logo.svg", "logo.svg"],
    ["assets/logo.svg", "logo.svg"],
    ["./assets/logo.svg", "logo.svg"],
    ["../logo.svg", "../logo.svg"],
    ["cafe\u0301.svg", "caf\u00e9.svg"],
  ])("reads %s as %s", (written, name) => {
    expect(assetName(written)).toBe(name);
  });
});

describe("unknownAssets", () => {
  const reasonsOf = (source: string) => unknownAssets(source, new Set(["logo.svg"])).map(({ reason }) => reason);

  it.each([
    "{{ 'x.svg' | asset }}",
    '{{- "x.svg"|asset }}',
    "{% assign a = 'x.svg' | asset %}",
    "{% echo 'x.svg' | asset %}",
    "{{ 'logo.svg' | asset }}{{ 'x.svg' | asset }}",
  ])("finds the unknown asset in %s", (source) => {
    expect(reasonsOf(source)).toEqual(["there is no file assets/x.svg"]);
  });

  it.each([
    "{{ 'logo.svg' | asset }}",
    "{% comment %}{{ 'x.svg' | asset }}{% endcomment %}",
    "{% raw %}{{ 'x.svg' | asset }}{% endraw %}",
    "{% # {{ 'x.svg' | asset }} %}",
    "{{ 'x.svg' | append: '' | asset }}",
  ])("finds no unknown asset in %s", (source) => {
    expect(reasonsOf(source)).toEqual([]);
  });

  it("finds an unknown asset even if its name contains an apostrophe", () => {
    expect(reasonsOf(`{{ "it's.svg" | asset }}`)).toEqual(["there is no file assets/it's.svg"]);
  });

  it("reports the line of an asset correctly after a comment", () => {
    const problems = unknownAssets("{% comment %}\n\n{% endcomment %}\n{{ 'x.svg' | asset }}", new Set());

    expect(problems.map(({ line }) => line)).toEqual([4]);
  });
});
