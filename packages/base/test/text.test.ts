import { expect, it } from "vitest";
import { counted } from "../src/text.ts";

it.each([
  [0, "0 images"],
  [1, "1 image"],
])("counted uses the plural for every number except one (%d)", (count, text) => {
  expect(counted(count, "image")).toBe(text);
});
