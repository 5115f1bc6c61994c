// Draws linear barcodes: the bars of an EAN-13, and the SVG of any list of bars. `code-128.ts` encodes Code 128.

/** The widths of the digits of EAN-13. The first element is a space in the left half and a bar in the right half. */
const eanDigits = ["3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112"].map(toDigits);
/** The first digit of the code decides which of the next six digits are mirrored; 1 means mirrored. */
const eanMirrors = "000000 001011 001101 001110 010011 011001 011100 010101 010110 011010".split(" ").map(toDigits);

/**
 * Returns the widths of the bars and spaces of an EAN-13 in modules, beginning and ending with a bar. Throws unless the
 * text has 12 digits, or 13 digits of which the last is the check digit.
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
 * Returns an SVG of the bars. A module is 1 pt wide in it, and the viewBox has two units per point. The box is one unit
 * taller than `heightMm`, like the boxes that bwip-js draws.
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
