import { expect, it } from "vitest";
import { problemLines, warningLines } from "../../src/folder/problem-lines.ts";

const place = { file: "template.json", line: 3 };

it("a problem is printed with the file, the line, and the column if it is known", () => {
  expect(problemLines([{ ...place, reason: "a comma is missing" }])).toEqual(["template.json:3: a comma is missing"]);
  expect(warningLines([{ ...place, column: 12, message: "x" }])).toEqual(["warning: template.json:3:12: x"]);
});

it("characters that would change the terminal's output are escaped in a problem", () => {
  const lines = problemLines([{ file: "assets/\u001b[2J\n.png", line: 1, reason: "\u202egnp" }]);

  expect(lines).toEqual(["assets/\\u001b[2J\\u000a.png:1: \\u202egnp"]);
});

it("the first hundred problems are printed, and the others are counted", () => {
  const problems = problemLines(Array.from({ length: 130 }, () => ({ ...place, reason: "x" })));
  const warnings = warningLines(Array.from({ length: 102 }, () => ({ ...place, message: "x" })));

  expect([problems.length, problems.at(-1)]).toEqual([101, "and 30 more problems"]);
  expect(warnings.at(-1)).toBe("and 2 more warnings");
});
