// Draws linear barcodes: the bars of Code 128 and EAN-13, and an SVG of any list of bars.

/** The widths of the 107 symbols of Code 128 (ISO/IEC 15417), in the order of their values. */
const symbolWidths = `
  212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
  123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
  232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
  313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
  111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
  111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
  114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112`
  .trim()
  .split(/\s+/)
  .map((widths) => Array.from(widths, Number));

const startSymbols = { B: 104, C: 105 };
const selectSymbols = { B: 100, C: 99 };
const stopSymbol = 106;

/** With modules of 0.35 mm, a code of 500 letters is 2 m wide. */
const maxChars = 500;

/**
 * Returns the widths of the bars and spaces of a Code 128 symbol in modules, beginning and ending with a bar. Code set B covers
 * printable ASCII, and C pairs of digits. Code set A and FNC4 are not supported: they are for control characters and Latin-1, which
 * many scanners do not return. Throws for an empty string, for more than 500 characters and for unsupported characters.
 */
export function code128Bars(text: string): number[] {
  if (text === "" || text.length > maxChars) throw new Error(`Code 128 must be 1 to ${maxChars} characters`);
  const refused = /[^ -~]/u.exec(text)?.[0];
  if (refused) throw new Error(`Code 128 must contain only printable ASCII characters, got ${nameOf(refused)}`);
  const values = symbolValues(text);
  const sum = values.reduce((total, value, index) => total + value * Math.max(index, 1), 0);
  return [...values, sum % 103, stopSymbol].flatMap((value) => symbolWidths[value] ?? []);
}

/** Returns a character and its code point, because some characters are invisible: `"€" (U+20AC)`. */
function nameOf(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `"${char}" (U+${hex.padStart(4, "0")})`;
}

/** Returns the values of the start symbol and the data symbols, by the rules of ISO/IEC 15417 for a short code. */
function symbolValues(text: string): number[] {
  let set: "B" | "C" = /^(\d\d$|\d{4})/.test(text) ? "C" : "B";
  const values = [startSymbols[set]];
  for (let at = 0; at < text.length;) {
    const pair = /^\d\d/.exec(text.slice(at, at + 2));
    if (set === "C" ? !pair : beginsEvenRunOfDigits(text, at)) {
      set = set === "C" ? "B" : "C";
      values.push(selectSymbols[set]);
    } else if (set === "C") {
      values.push(Number(pair));
      at += 2;
    } else {
      values.push(text.charCodeAt(at) - 32);
      at += 1;
    }
  }
  return values;
}

/** Returns whether switching to code set C at the index is worthwhile: whether an even number of digits, at least 4, follows. */
function beginsEvenRunOfDigits(text: string, at: number): boolean {
  const digits = /\d*/y;
  digits.lastIndex = at;
  const length = digits.exec(text)?.[0].length ?? 0;
  return length >= 4 && length % 2 === 0;
}

/** The bar widths of EAN-13 digits. The first element is a space in the left half and a bar in the right half. */
const eanDigits = ["3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112"].map(toDigits);
/** The first digit of the code decides which of the next six digits are mirrored; 1 means mirrored. */
const eanMirrors = "000000 001011 001101 001110 010011 011001 011100 010101 010110 011010".split(" ").map(toDigits);

/**
 * Returns the widths of the bars and spaces of an EAN-13 in modules, beginning and ending with a bar. Throws unless the
 * input has 12 digits, or 13 digits including the check digit.
 */
export function ean13Bars(text: string): number[] {
  if (text.length !== 12 && text.length !== 13) throw new Error("EAN-13 must be 12 or 13 digits");
  if (!/^\d+$/.test(text)) throw new Error("EAN-13 must contain only digits");
  const digits = toDigits(text.slice(0, 12));
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
  const check = (10 - (sum % 10)) % 10;
  if (text.length === 13 && Number(text[12]) !== check) throw new Error("Incorrect EAN-13 check digit provided");
  const [first = 0, ...rest] = [...digits, check];
  const bars = rest.map((digit, index) => {
    const widths = eanDigits[digit] ?? [];
    return eanMirrors[first]?.[index] ? widths.toReversed() : widths;
  });
  return [1, 1, 1, ...bars.slice(0, 6).flat(), 1, 1, 1, 1, 1, ...bars.slice(6).flat(), 1, 1, 1];
}

function toDigits(digits: string): number[] {
  return Array.from(digits, Number);
}

/**
 * Returns an SVG of the bars. A module is 1 pt wide, and the viewBox has two units per point. The box is one unit
 * taller than `heightMm`, like bwip-js's boxes.
 */
export function barsSvg(widths: readonly number[], heightMm: number): string {
  const height = Math.round((heightMm * 144) / 25.4) + 1;
  let width = 0;
  let path = "M0 0";
  let isBar = true;
  for (const modules of widths) {
    const units = 2 * modules;
    path += isBar ? `v${height}h${units}V0` : `m${units} 0`;
    isBar = !isBar;
    width += units;
  }
  return `<svg viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg"><path d="${path}"/></svg>`;
}
