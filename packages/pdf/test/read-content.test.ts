import { expect, it } from "vitest";
import { PdfError } from "../src/syntax/pdf-error.ts";
import { readContent } from "../src/syntax/read-content.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

function read(content: Uint8Array): [string, number][] {
  const found: [string, number][] = [];
  readContent(content, { others: ({ operator, operands }) => found.push([operator, operands().length]) });
  return found;
}

it("operators are read with operands of every kind", () => {
  const content =
    "q .5 -1 +2. 0 0.5 1 cm /P#20 <</MCID 1/A[<<>>]>>BDC (a\\)(b)) Tj<0A b>Tj [(x) -3] TJ T* % end (\nEMC\nQ";

  expect(read(bytes(content))).toEqual(
    Object.entries({ q: 0, cm: 6, BDC: 2, Tj: 1 }).concat([
      ["Tj", 1],
      ["TJ", 1],
      ["T*", 0],
      ["EMC", 0],
      ["Q", 0],
    ]),
  );
});

it("the data of an inline image is not read as operators", () => {
  expect(read(bytes("BI /W 1 /H 1 ID (EIEI Q EI Q"))).toEqual([
    ["BI", 0],
    ["ID", 4],
    ["EI", 0],
    ["Q", 0],
  ]);
});

it.each([
  ["an unknown operator", "1 0 0 rgb"],
  ["a string without an end", "(a Tj"],
  ["an operator that lacks an operand", "0 0 1 0 0 cm"],
  ["an operator with an operand of a different kind", "/x w"],
  ["a number with two signs", "+-1 w"],
  ["a number with an exponent", "1e9 w"],
  ["a number without digits", "-. w"],
  ["a byte that names must escape", "/\xe9 gs"],
  ["a malformed hexadecimal string", "<0g> Tj"],
  ["an array without an end", "[1 2 TJ"],
  ["a stray delimiter", "1 ) Tj"],
  ["more operands than any operator has", `${"0 ".repeat(40)}sc`],
  ["operands without an operator", "q 1 0"],
  ["an inline image without an end", "BI /W 1 ID abcEIx"],
  ["arrays in arrays beyond all depth", "[".repeat(100_000)],
])("content with %s is refused, even if nobody reads its operands", (_, content) => {
  expect(() => readContent(bytes(content), {})).toThrow(PdfError);
});

it("damaged content is read or refused", () => {
  const whole =
    "q .24 0 0 -.24 0 841 cm\n/P <</MCID 0 >>BDC\nBT\n/F4 14 Tf <002B0028>Tj\nET\nEMC\n[(a) 1]TJ BI /W 1 ID xx EI Q\n";
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let run = 0; run < 10_000; run++) {
    const damaged = bytes(whole.repeat(1 + random(3)));
    for (let change = random(6); change >= 0; change--) damaged[random(damaged.length)] = random(256);
    try {
      read(damaged.subarray(0, random(damaged.length)));
    } catch (error) {
      expect(error).toBeInstanceOf(PdfError);
    }
  }
});
