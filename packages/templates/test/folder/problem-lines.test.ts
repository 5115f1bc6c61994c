import { expect, it } from "vitest";
import { refusalLines } from "../../src/folder/problem-lines.ts";

const first = { file: "pages/1.liquid", line: 3, page: 2, message: "`<img>` has no `alt`." };

it.each([
  ["no problem", [], []],
  ["one problem, which the message contains", [first], []],
  [
    "several problems, each on a line",
    [first, { message: "A\u0007." }],
    ["pages/1.liquid:3: page 2: `<img>` has no `alt`.", "A\\u0007."],
  ],
])("a refused render is described by its message and %s", (_, problems, lines) => {
  expect(refusalLines({ message: "No.", problems })).toEqual(["No.", ...lines]);
});
