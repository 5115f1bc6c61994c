// Reads back the modules of linear barcodes, with the tables of ISO/IEC 15417 and of the GS1 General Specifications.

/** The modules of the symbols of Code 128 without the stop symbol, in the order of their values. */
const code128Symbols = `
  11011001100 11001101100 11001100110 10010011000 10010001100 10001001100 10011001000 10011000100 10001100100
  11001001000 11001000100 11000100100 10110011100 10011011100 10011001110 10111001100 10011101100 10011100110
  11001110010 11001011100 11001001110 11011100100 11001110100 11101101110 11101001100 11100101100 11100100110
  11101100100 11100110100 11100110010 11011011000 11011000110 11000110110 10100011000 10001011000 10001000110
  10110001000 10001101000 10001100010 11010001000 11000101000 11000100010 10110111000 10110001110 10001101110
  10111011000 10111000110 10001110110 11101110110 11010001110 11000101110 11011101000 11011100010 11011101110
  11101011000 11101000110 11100010110 11101101000 11101100010 11100011010 11101111010 11001000010 11110001010
  10100110000 10100001100 10010110000 10010000110 10000101100 10000100110 10110010000 10110000100 10011010000
  10011000010 10000110100 10000110010 11000010010 11001010000 11110111010 11000010100 10001111010 10100111100
  10010111100 10010011110 10111100100 10011110100 10011110010 11110100100 11110010100 11110010010 11011011110
  11011110110 11110110110 10101111000 10100011110 10001011110 10111101000 10111100010 11110101000 11110100010
  10111011110 10111101110 11101011110 11110101110 11010000100 11010010000 11010011100`
  .trim()
  .split(/\s+/);
const code128Stop = "1100011101011";

/** Returns the modules of a drawn code, "1" for a bar and "0" for a space. A module is two SVG units wide. */
export function modulesOf(svg: string): string {
  const path = / d="M0 0([^"]*)"/.exec(svg)?.[1] ?? "";
  const modules = path.replaceAll(/v\d+h(\d+)V0|m(\d+) 0/g, (_, bar, space) =>
    bar ? "1".repeat(Number(bar) / 2) : "0".repeat(Number(space) / 2),
  );
  if (!svg.includes(` viewBox="0 0 ${2 * modules.length} `))
    throw new Error("the bars do not fill the width of the box");
  return modules;
}

/** Returns the values of the symbols without the stop symbol, and fails if a symbol or the check symbol is wrong. */
export function code128ValuesOf(modules: string): number[] {
  if (!modules.endsWith(code128Stop)) throw new Error("the stop symbol is missing");
  const symbols = modules.slice(0, -code128Stop.length).match(/.{1,11}/g) ?? [];
  const values = symbols.map((symbol) => code128Symbols.indexOf(symbol));
  if (values.includes(-1)) throw new Error("a symbol is not in the table");
  const sum = values.slice(0, -1).reduce((total, value, index) => total + value * (index || 1), 0);
  if (values.at(-1) !== sum % 103) throw new Error("the check symbol is wrong");
  return values;
}

/** Returns the text of a Code 128 symbol. */
export function readCode128(modules: string): string {
  const [start = 0, ...data] = code128ValuesOf(modules).slice(0, -1);
  const sets = ["A", "B", "C"];
  let set = sets[start - 103];
  let isShifted = false;
  let isSingle = false;
  let isLatched = false;
  let text = "";
  for (const value of data) {
    if (set === "C" && value < 100) {
      if (isSingle || isLatched) throw new Error("code set C has no second half of Latin-1");
      text += String(value).padStart(2, "0");
    } else if (set !== "C" && value < 96) {
      const isA = (set === "A") !== isShifted;
      const ascii = isA && value >= 64 ? value - 64 : value + 32;
      text += String.fromCharCode(isSingle === isLatched ? ascii : ascii + 128);
      isShifted = false;
      isSingle = false;
    } else if (set !== "C" && value === 98) {
      isShifted = true;
    } else if (value === (set === "A" ? 101 : 100) && set !== "C") {
      if (isSingle) isLatched = !isLatched;
      isSingle = !isSingle;
    } else if (value >= 99 && value <= 101) {
      set = { 99: "C", 100: "B", 101: "A" }[value];
    } else throw new Error(`the symbol ${value} is not allowed in code set ${set}`);
  }
  return text;
}

const eanOdd = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split(" ");
const eanRight = "1110010 1100110 1101100 1000010 1011100 1001110 1010000 1000100 1001000 1110100".split(" ");
const eanEven = eanRight.map((digit) => [...digit].toReversed().join(""));
const eanParities = "OOOOOO OOEOEE OOEEOE OOEEEO OEOOEE OEEOOE OEEEOO OEOEOE OEOEEO OEEOEO".split(" ");

/** Returns the 13 digits of an EAN-13. */
export function readEan13(modules: string): string {
  const [, left = "", right = ""] = /^101([01]{42})01010([01]{42})101$/.exec(modules) ?? [];
  const leftSymbols = left.match(/.{7}/g) ?? [];
  const parity = leftSymbols.map((symbol) => (eanOdd.includes(symbol) ? "O" : "E")).join("");
  const leftDigits = leftSymbols.map((symbol) => Math.max(eanOdd.indexOf(symbol), eanEven.indexOf(symbol)));
  const rightDigits = (right.match(/.{7}/g) ?? []).map((symbol) => eanRight.indexOf(symbol));
  return [eanParities.indexOf(parity), ...leftDigits, ...rightDigits].join("");
}
