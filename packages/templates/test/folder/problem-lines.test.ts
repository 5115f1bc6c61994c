import { expect, it } from "vitest";
import { problemLines, warningLines } from "../../src/folder/problem-lines.ts";

it("names the file, the line and the reason of each problem", () => {
  const lines = problemLines([{ file: "style.css", line: 3, reason: "the comment is never closed" }]);

  expect(lines).toEqual(["style.css:3: the comment is never closed"]);
});

it("names the column if it is known", () => {
  const place = { file: "template.json", line: 3, column: 12 };

  expect(problemLines([{ ...place, reason: "a comma is missing" }])).toEqual([
    "template.json:3:12: a comma is missing",
  ]);
  expect(warningLines([{ ...place, message: "x" }])).toEqual(["warning: template.json:3:12: x"]);
});

it("escapes characters that would change what the terminal shows", () => {
  const lines = problemLines([{ file: "assets/\u001b[2J\n.png", line: 1, reason: "\u202egnp" }]);

  expect(lines).toEqual(["assets/\\u001b[2J\\u000a.png:1: \\u202egnp"]);
});

it("counts the problems after the first hundred", () => {
  const problem = { file: "style.css", line: 1, reason: "x" };

  const lines = problemLines(Array.from({ length: 130 }, () => problem));

  expect([lines.length, lines.at(-1)]).toEqual([101, "and 30 more problems"]);
});

it("counts the warnings that are not listed", () => {
  const lines = warningLines(Array.from({ length: 102 }, () => ({ file: "style.css", line: 3, message: "x\u202e" })));

  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    101,
    "warning: style.css:3: x\\u202e",
    "and 2 more warnings",
  ]);
});
