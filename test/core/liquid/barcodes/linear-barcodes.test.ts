import { code128, drawingSVG, ean13 } from "bwip-js/generic";
import { describe, expect, it } from "vitest";
import { code128ValuesOf, modulesOf, readCode128, readEan13 } from "./barcode-reader.ts";
import { code128Bars } from "../../../../src/core/liquid/barcodes/code-128.ts";
import { barsSvg, ean13Bars } from "../../../../src/core/liquid/barcodes/linear-barcodes.ts";

const drawCode128 = (text: string) => modulesOf(barsSvg(code128Bars(text), 15));
const drawEan13 = (text: string) => modulesOf(barsSvg(ean13Bars(text), 15));

/** Returns pseudo-random integers below `limit`. They are the same in every run. */
function randomIntegers(): (limit: number) => number {
  let state = 20_261_122;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/**
 * The first and the last code of each class of characters. Digits are repeated, so that the texts use code set C often.
 */
const classes = [
  [48, 57],
  [48, 57],
  [48, 57],
  [65, 90],
  [96, 127],
  [0, 31],
  [32, 95],
  [0, 127],
  [128, 255],
  [128, 159],
  [160, 255],
  [0, 255],
] as const;

/** Returns texts of 1 to 80 characters, in runs of up to 8 characters of the same class. */
function randomTexts(count: number, maxCode: number): string[] {
  const random = randomIntegers();
  const allowed = classes.filter(([, last]) => last <= maxCode);
  return Array.from({ length: count }, () => {
    const length = 1 + random(80);
    let text = "";
    while (text.length < length) {
      const [first, last] = allowed[random(allowed.length)] ?? [0, 0];
      const run = Array.from({ length: 1 + random(8) }, () => first + random(last - first + 1));
      text += String.fromCharCode(...run);
    }
    return text.slice(0, length);
  });
}

/** Returns the modules that bwip-js draws, as `modulesOf` does. It draws bars as strokes around their centres. */
function modulesOfBwip(svg: string): string {
  const width = Number(/ viewBox="0 0 (\d+)/.exec(svg)?.[1]) / 2;
  const modules = Array.from({ length: width }, () => "0");
  for (const [, stroke, path = ""] of svg.matchAll(/stroke-width="(\d+)" d="([^"]*)"/g)) {
    const length = Number(stroke) / 2;
    for (const [, centre] of path.matchAll(/M(\d+) /g)) {
      const first = Number(centre) / 2 - length / 2;
      modules.fill("1", first, first + length);
    }
  }
  return modules.join("");
}

function viewBoxOf(svg: string): string {
  return /viewBox="[^"]*"/.exec(svg)?.[0] ?? "";
}

describe("code128Bars", () => {
  it.each([
    ["AIM", "11010010000101000110001100010001010111011000101110110001100011101011"],
    ["1234567890", "110100111001011001110010001011000111000101101100001010011011110110100111100101100011101011"],
    [
      "ABCDEF\x80\x80\x80\x80\x80",
      "1101000010010100011000100010110001000100011010110001000100011010001000110001011101011110111010111101010000110010100001100101000011001010000110010100001100110110110001100011101011",
    ],
  ])("draws the published bars of %j", (text, modules) => {
    expect(drawCode128(text)).toBe(modules);
  });

  it.each([
    ["AIM", [104, 33, 41, 45, 45]],
    ["HI345678", [104, 40, 41, 99, 34, 56, 78, 68]],
    ["42", [105, 42, 44]],
    ["4", [104, 20, 21]],
    ["123", [104, 17, 18, 19, 8]],
    ["12345", [105, 12, 34, 100, 21, 54]],
    ["A12345", [104, 33, 17, 99, 23, 45, 64]],
    ["\t", [103, 73, 73]],
    ["a\tb", [104, 65, 98, 73, 66, 24]],
    ["a\tA\t", [104, 65, 101, 73, 33, 73, 57]],
    ["é", [104, 100, 73, 41]],
  ])("encodes %j as the symbols %j", (text, values) => {
    expect(code128ValuesOf(drawCode128(text))).toEqual(values);
  });

  it("draws bars that can be read back, for every character of Latin-1", () => {
    const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

    expect(characters.map((char) => readCode128(drawCode128(char)))).toEqual(characters);
  });

  it("does not draw the second half of Latin-1 in code set C", () => {
    expect(readCode128(drawCode128("²345 °±²³´µ¶·¸¹ 1234"))).toBe("²345 °±²³´µ¶·¸¹ 1234");
  });

  it("draws bars that can be read back, for random texts", () => {
    const texts = randomTexts(300, 255);

    expect(texts.map((text) => readCode128(drawCode128(text)))).toEqual(texts);
  });

  it.each([
    ["ASCII", 127],
    ["Latin-1", 255],
  ])("draws the same bars as bwip-js for random texts of %s", (_, maxCode) => {
    // bwip-js draws "²345" and "°±²³" in code set C, as if the characters from "°" to "¹" were ASCII digits.
    for (const text of randomTexts(60, maxCode).filter((text) => !/[°-¹][°-¹\d]{3}/.test(text))) {
      const reference = code128({ bcid: "code128", text, binarytext: true, height: 15 }, drawingSVG());

      expect(drawCode128(text), JSON.stringify(text)).toBe(modulesOfBwip(reference));
    }
  });

  it("encodes 500 characters and refuses 501", () => {
    expect(readCode128(drawCode128("x".repeat(500)))).toBe("x".repeat(500));
    expect(() => code128Bars("x".repeat(501))).toThrow(/^Code 128 must be 1 to 500 characters$/);
  });

  it("refuses an empty text", () => {
    expect(() => code128Bars("")).toThrow(/^Code 128 must be 1 to 500 characters$/);
  });

  it.each([
    ["5 €", '"€" (U+20AC)'],
    ["\u0100", '"\u0100" (U+0100)'],
    ["12\u200b34", '"\u200b" (U+200B)'],
    ["ok 👍", '"👍" (U+1F44D)'],
    ["\ud800", '"\ud800" (U+D800)'],
  ])("refuses %j and names the character outside Latin-1", (text, character) => {
    expect(() => code128Bars(text)).toThrow(
      new Error(`Code 128 must contain only Latin-1 characters, got ${character}`),
    );
  });
});

describe("ean13Bars", () => {
  it.each([
    ["4006381333931", 1],
    ["5901234123457", 7],
    ["9780306406157", 7],
    ["9783161484100", 0],
    ["0012345678905", 5],
  ])("computes the published check digit of %s", (text, check) => {
    expect(readEan13(drawEan13(text.slice(0, 12)))).toBe(text.slice(0, 12) + check);
  });

  it("draws the same bars for all 13 digits as for the first 12", () => {
    expect(ean13Bars("4006381333931")).toEqual(ean13Bars("400638133393"));
  });

  it("draws bars that can be read back, for random digits", () => {
    const random = randomIntegers();
    const texts = Array.from({ length: 300 }, () => String(random(1e6) * 1e6 + random(1e6)).padStart(12, "0"));

    expect(texts.map((text) => readEan13(drawEan13(text)).slice(0, 12))).toEqual(texts);
  });

  it.each(Array.from({ length: 10 }, (_, first) => `${first}01234567890`))(
    "draws the same bars as bwip-js for %s",
    (text) => {
      const reference = ean13({ bcid: "ean13", text, height: 15 }, drawingSVG());

      expect(drawEan13(text)).toBe(modulesOfBwip(reference));
    },
  );

  it.each(["", "12", "40063813339", "40063813339312", "4006381333931 12"])(
    "refuses %j because of its length",
    (text) => {
      expect(() => ean13Bars(text)).toThrow(/^EAN-13 must be 12 or 13 digits$/);
    },
  );

  it.each(["40063813339a", "400638133393x", " 400638133393", "-40063813339", "４００６３８１３３３９３"])(
    "refuses %j because of its characters",
    (text) => {
      expect(() => ean13Bars(text)).toThrow(/^EAN-13 must contain only digits$/);
    },
  );

  it.each([0, 2, 3, 4, 5, 6, 7, 8, 9])("refuses the check digit %i if the correct one is 1", (check) => {
    expect(() => ean13Bars(`400638133393${check}`)).toThrow(/^Incorrect EAN-13 check digit provided$/);
  });
});

describe("barsSvg", () => {
  it("draws all bars in one path", () => {
    expect(barsSvg([2, 1, 1], 10)).toBe(
      '<svg viewBox="0 0 8 58" xmlns="http://www.w3.org/2000/svg"><path d="M0 0v58h4V0m2 0v58h2V0"/></svg>',
    );
  });

  it.each([1, 7.3, 11, 15, 30, 1_000])("has the same proportions as the drawing of bwip-js at %d mm", (height) => {
    const svg = barsSvg(code128Bars("JD0146"), height);

    expect(viewBoxOf(svg)).toBe(viewBoxOf(code128({ bcid: "code128", text: "JD0146", height }, drawingSVG())));
  });
});
