// Reads the bars that the encoder of bwip-js draws for `itf` and `itf14`, with the published table of Interleaved 2 of 5. The
// development dependencies include no decoder, so PDF417 and GS1-128 are compared with symbols that a decoder has read.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { textOf } from "../engine.ts";

const draw = (kind: string, v: string) => textOf("{{ v | barcode: kind }}", { kind, v });

/** The five elements of each digit; `1` is wide. */
const digits = "00110 10001 01001 11000 00101 10100 01100 00011 10010 01010".split(" ");

/** Returns the bars of a drawn code from left to right. Bars are strokes around their centres. */
function barsOf(svg: string): { left: number; right: number }[] {
  const bars = [...svg.matchAll(/stroke-width="(\d+)" d="([^"]*)"/g)].flatMap(([, stroke, path = ""]) =>
    [...path.matchAll(/M([\d.]+) /g)].map(([, centre]) => ({
      left: Number(centre) - Number(stroke) / 2,
      right: Number(centre) + Number(stroke) / 2,
    })),
  );
  return bars.sort((a, b) => a.left - b.left);
}

function readItf(svg: string): string {
  const bars = barsOf(svg);
  const elements = bars.flatMap(({ left, right }, index) => [right - left, (bars[index + 1]?.left ?? right) - right]);
  const isWide = elements.slice(0, -1).map((width) => (width > 4 ? "1" : "0"));
  const start = isWide.splice(0, 4).join("");
  const stop = isWide.splice(-3).join("");
  if (start !== "0000" || stop !== "100") throw new Error(`no ITF: ${start} … ${stop}`);
  const pairs = isWide.join("").match(/.{10}/g) ?? [];
  const every = (pair: string, offset: number) => [...pair].filter((_, index) => index % 2 === offset).join("");
  return pairs.flatMap((pair) => [digits.indexOf(every(pair, 0)), digits.indexOf(every(pair, 1))]).join("");
}

it.each(["00", "12345678", "9876543210", "0102030405060708"])("the bars of ITF encode %s", (value) => {
  expect(readItf(draw("itf", value))).toBe(value);
});

it.each(["1540014128876", "15400141288763"])("the bars of ITF end with the check digit of ITF-14: %s", (value) => {
  expect(readItf(draw("itf14", value))).toBe("15400141288763");
});

it.each([
  ["gs1-128", "(01)09521234543213(10)ABC123", "9f34049b5447bf86"],
  ["pdf417", "This is PDF417, one two three", "c4ca906ceb1c59e9"],
])("a symbol that ZXing (zxing-wasm 2.2) has read is still drawn the same: %s of %s", (kind, value, hash) => {
  const [svg = ""] = /viewBox[^]*/.exec(draw(kind, value)) ?? [];

  expect(createHash("sha256").update(svg).digest("hex").slice(0, 16)).toBe(hash);
});
