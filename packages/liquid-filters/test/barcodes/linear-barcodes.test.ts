import { code128, drawingSVG, ean13 } from "bwip-js/generic";
import { expect, it } from "vitest";
import { barsSvg, code128Bars, ean13Bars } from "../../src/barcodes/linear-barcodes.ts";

const drawCode128 = (text: string) => modulesOf(barsSvg(code128Bars(text), 15));
const drawEan13 = (text: string) => modulesOf(barsSvg(ean13Bars(text), 15));

/** Returns the modules of a drawn code, "1" for a bar and "0" for a space. A module is two SVG units wide. */
function modulesOf(svg: string): string {
  const path = / d="M0 0([^"]*)"/.exec(svg)?.[1] ?? "";
  const modules = path.replaceAll(/v\d+h(\d+)V0|m(\d+) 0/g, (_, bar, space) =>
    bar ? "1".repeat(Number(bar) / 2) : "0".repeat(Number(space) / 2),
  );
  if (!svg.includes(` viewBox="0 0 ${2 * modules.length} `))
    throw new Error("the bars do not fill the width of the box");
  return modules;
}

/** Returns pseudo-random integers below `limit`. They are the same in every run. */
function randomIntegers(): (limit: number) => number {
  let state = 20_261_122;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Returns strings of 1 to 80 characters, in runs of up to 8 digits or other printable characters. */
function randomTexts(count: number): string[] {
  const random = randomIntegers();
  return Array.from({ length: count }, () => {
    const length = 1 + random(80);
    let text = "";
    while (text.length < length) {
      const [first, size] = random(2) === 0 ? [48, 10] : [32, 95];
      text += String.fromCharCode(...Array.from({ length: 1 + random(8) }, () => first + random(size)));
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

it.each([
  ["AIM", "11010010000101000110001100010001010111011000101110110001100011101011"],
  ["1234567890", "110100111001011001110010001011000111000101101100001010011011110110100111100101100011101011"],
])("code128Bars draws the published bars of %j", (text, modules) => {
  expect(drawCode128(text)).toBe(modules);
});

it("code128Bars draws the same bars as bwip-js for random texts", () => {
  for (const text of [...randomTexts(150), "42", "4", "123", "12345", "A12345", "HI345678"]) {
    const reference = code128({ bcid: "code128", text, binarytext: true, height: 15 }, drawingSVG());

    expect(drawCode128(text), JSON.stringify(text)).toBe(modulesOfBwip(reference));
  }
});

it("code128Bars refuses 501 characters", () => {
  expect(code128Bars("x".repeat(500)).length).toBeGreaterThan(3_000);
  expect(() => code128Bars("x".repeat(501))).toThrow(/^Code 128 must be 1 to 500 characters$/);
});

it("code128Bars refuses an empty text", () => {
  expect(() => code128Bars("")).toThrow(/^Code 128 must be 1 to 500 characters$/);
});

it.each([
  ["5 €", '"€" (U+20AC)'],
  ["a\tb", '"\t" (U+0009)'],
  ["café", '"é" (U+00E9)'],
  ["ok 👍", '"👍" (U+1F44D)'],
])("code128Bars refuses %j and names the character", (text, character) => {
  expect(() => code128Bars(text)).toThrow(
    new Error(`Code 128 must contain only printable ASCII characters, got ${character}`),
  );
});

it("ean13Bars draws the same bars for all 13 digits as for the first 12", () => {
  expect(ean13Bars("4006381333931")).toEqual(ean13Bars("400638133393"));
});

it("ean13Bars draws the same bars as bwip-js for random digits", () => {
  const random = randomIntegers();
  const texts = Array.from({ length: 100 }, () => String(random(1e6) * 1e6 + random(1e6)).padStart(12, "0"));

  for (const text of texts)
    expect(drawEan13(text), text).toBe(modulesOfBwip(ean13({ bcid: "ean13", text, height: 15 }, drawingSVG())));
});

it.each(["", "12", "40063813339", "40063813339312", "4006381333931 12"])(
  "ean13Bars refuses the length of %j",
  (text) => {
    expect(() => ean13Bars(text)).toThrow(/^EAN-13 must be 12 or 13 digits$/);
  },
);

it.each(["40063813339a", "400638133393x", " 400638133393", "-40063813339", "４００６３８１３３３９３"])(
  "ean13Bars refuses %j because of its characters",
  (text) => {
    expect(() => ean13Bars(text)).toThrow(/^EAN-13 must contain only digits$/);
  },
);

it.each([0, 2, 3, 4, 5, 6, 7, 8, 9])("ean13Bars refuses the check digit %i if the correct one is 1", (check) => {
  expect(() => ean13Bars(`400638133393${check}`)).toThrow(/^Incorrect EAN-13 check digit provided$/);
});

it("barsSvg draws all bars in one path", () => {
  expect(barsSvg([2, 1, 1], 10)).toBe(
    '<svg viewBox="0 0 8 58" xmlns="http://www.w3.org/2000/svg"><path d="M0 0v58h4V0m2 0v58h2V0"/></svg>',
  );
});

it.each([1, 7.3, 11, 15, 30, 1_000])("barsSvg has the proportions of bwip-js at %d mm", (height) => {
  const svg = barsSvg(code128Bars("JD0146"), height);

  expect(viewBoxOf(svg)).toBe(viewBoxOf(code128({ bcid: "code128", text: "JD0146", height }, drawingSVG())));
});
