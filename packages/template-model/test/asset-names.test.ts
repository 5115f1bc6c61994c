import { expect, it } from "vitest";
import { assetName } from "../src/asset-names.ts";

it.each([
  ["logo.svg", "logo.svg"],
  ["./logo.svg", "logo.svg"],
  ["assets/logo.svg", "logo.svg"],
  ["./assets/logo.svg", "logo.svg"],
  ["../logo.svg", "../logo.svg"],
  ["cafe\u0301.svg", "caf\u00e9.svg"],
])("the reference %s names the asset %s", (written, name) => {
  expect(assetName(written)).toBe(name);
});
