import { expect, it } from "vitest";
import { orderRuns } from "../../src/tags/order-runs.ts";

const reversed = (text: string, x: number, origin = 5) =>
  `BT /ReversedChars BMC /F 9 Tf 1 0 0 -1 ${origin} 7 Tm ${x} 0 Td (${text}) Tj EMC ET`;
const plain = (text: string, origin = 5) => `BT /F 9 Tf 1 0 0 -1 ${origin} 7 Tm (${text}) Tj ET`;

/** Returns the content on one line. */
const ordered = (content: string) =>
  Buffer.from(orderRuns(Buffer.from(content)))
    .toString()
    .replaceAll(/\s+/g, " ")
    .trim();

it("the runs of a right-to-left text are moved into the order in which they are read", () => {
  const content = `/P <</MCID 0>>BDC ${plain(" ")} ${reversed("olam", 3)} ${reversed("shalom", 30)} EMC`;

  expect(ordered(content)).toBe(`/P <</MCID 0>>BDC ${reversed("shalom", 30)} ${reversed("olam", 3)} ${plain(" ")} EMC`);
});

it("each text is ordered alone, so the texts of a line and the lines keep their order", () => {
  const [a, b, c, d] = [reversed("b", 1), reversed("a", 9), reversed("d", 1, 6), reversed("c", 9, 6)];

  expect(ordered(`${a} ${b} ${plain("12", 8)} ${c} ${d}`)).toBe(`${b} ${a} ${plain("12", 8)} ${d} ${c}`);
});

it("runs that each have a mark of their tag exchange their places, and the marks stay", () => {
  const run = (mcid: number, text: string, x: number) =>
    reversed(text, x).replace("BT", `BT /P <</MCID ${mcid}>>BDC`).replace("ET", "EMC ET");

  expect(ordered(`${run(1, "olam", 3)} ${run(2, "shalom", 30)}`)).toBe(`${run(1, "shalom", 30)} ${run(2, "olam", 3)}`);
});

it.each([
  ["without right-to-left text", `${plain("a")} ${plain("b")}`],
  [
    "in two contents of the tag tree",
    `/P <</MCID 0>>BDC ${reversed("b", 1)} EMC /P <</MCID 1>>BDC ${reversed("a", 9)} EMC`,
  ],
  ["with a colour between them", `${reversed("b", 1)} 1 0 0 rg ${reversed("a", 9)}`],
  ["with a colour inside", `${reversed("b", 1).replace("BT", "BT 1 0 0 rg")} ${reversed("a", 9)}`],
  ["without their own font", `${reversed("b", 1)} ${reversed("a", 9).replace("/F 9 Tf ", "")}`],
  ["with marks that end in a different one", `${reversed("b", 1).replace("EMC ", "")} ${reversed("a", 9)} EMC`],
  [
    "of which one has a mark",
    `${reversed("b", 1).replace("BT", "BT /P<</MCID 0>>BDC").replace("ET", "EMC ET")} ${reversed("a", 9)}`,
  ],
])("text objects %s stay as they are", (_, content) => {
  const bytes = Buffer.from(content);

  expect(orderRuns(bytes)).toBe(bytes);
});
