import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { splitContent } from "../src/parts/split-content.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** Two boxes of 100 points on a page of 220 points. Coordinates in the content are in quarters of a point, downwards from the top. */
const prefix = ".25 0 0 -.25 0 220 cm";
const upper = { bottom: 120, top: 220 };
const lower = { bottom: 0, top: 100 };
const clipped = (y: number, drawing: string) => `q\n0 ${y} 400 400 re\nW* n\n${drawing}\nQ`;

function split(content: string): string[] | null {
  return (
    splitContent(bytes(content), [upper, lower])?.map((part) => latin1(part).replaceAll(/\s+/g, " ").trim()) ?? null
  );
}

const line = (content: string) => `${prefix} ${content}`.replaceAll(/\s+/g, " ").trim();

it("each band gets the drawings in its clip paths, in the same order", () => {
  const [first, second, third] = [clipped(0, "0 g (a) Tj"), clipped(480, "(b) Tj"), clipped(0, "1 g (c) Tj")];

  expect(split([prefix, first, second, third].join("\n"))).toEqual([line(`${first} ${third}`), line(second)]);
});

it("a band stays empty if nothing is drawn in it", () => {
  expect(split(`${prefix}\n${clipped(480, "f")}`)).toEqual([prefix, line(clipped(480, "f"))]);
});

it.each([
  ["a rectangle inside it", "10 490 20 20 re W n"],
  ["a rectangle with a negative height", "0 880 400 -400 re W n"],
  ["a path", "10 490 m 1 490 2 500 3 510 c 4 500 5 510 v 6 520 7 530 y 10 500 l h W n"],
  ["a rectangle in another one that is larger than the band", "0 0 400 880 re W n 0 480 400 400 re W n"],
  ["a rectangle that is larger than the band by a rounding error", "0 477 400 403 re W n"],
])("the band of a group is found if its clip path is %s", (_what, clip) => {
  const group = `q ${clip} q 1 0 0 1 0 0 cm 0 0 999 999 re f Q Q`;

  expect(split(`${prefix}\n${group}`)).toEqual([prefix, line(group)]);
});

it("the band of a group is found if its clip path has 200,000 points", () => {
  const group = `q ${"0 480 l 400 880 l ".repeat(100_000)} W n f Q`;

  expect(split(`${prefix}\n${group}`)).toEqual([prefix, line(group)]);
});

it.each([
  "(Q) Tj",
  "(\\) Q () Q) Tj",
  "<51> Tj",
  "[(Q) 5 <51>] TJ",
  "/Q gs",
  "/P <</MCID 0 /T (Q)>> BDC EMC",
  "% Q\nf",
])("text that looks like an operator is ignored in %s", (drawing) => {
  const group = clipped(0, drawing);

  expect(split(`${prefix}\n${group}`)?.[0]).toBe(line(group));
});

it.each([
  ["a drawing outside groups", `${prefix} 0 0 9 9 re f ${clipped(0, "f")}`],
  ["a drawing before the transformation", `${clipped(0, "f")} ${prefix}`],
  ["a second transformation", `${prefix} 1 0 0 1 0 0 cm ${clipped(0, "f")}`],
  ["a rotated page", `0 .25 -.25 0 0 220 cm ${clipped(0, "f")}`],
  ["a group without a clip path", `${prefix} q 0 0 9 9 re f Q`],
  ["a group that changes its units before its clip path", `${prefix} q 2 0 0 2 0 0 cm 0 0 400 400 re W n f Q`],
  ["a group whose clip path is in an inner group", `${prefix} q q 0 0 400 400 re W n f Q Q`],
  ["a clip path that reaches into two bands", `${prefix} ${clipped(100, "f")}`],
  ["a clip path without numbers", `${prefix} q re W n f Q`],
  ["an inline image", `${prefix} ${clipped(0, "BI /W 1 ID Q EI")}`],
  ["a group without an end", `${prefix} q 0 0 400 400 re W n f`],
  ["an end without a group", `${prefix} ${clipped(0, "f")} Q`],
  ["a string without an end", `${prefix} ${clipped(0, "(f Tj")}`],
  ["half of a delimiter", `${prefix} ${clipped(0, "/A <<>")}`],
  ["other delimiters", `${prefix} ${clipped(0, "{ f }")}`],
  ["a transformation that every band would have to repeat", `${" ".repeat(1_000)}${prefix} ${clipped(0, "f")}`],
])("the content of a page cannot be split: %s", (_what, content) => {
  expect(split(content)).toBeNull();
});
