// Encodes text as the bars of a Code 128 symbol (ISO/IEC 15417). Code sets A, B and C encode ASCII, and FNC4 extends
// them to the second half of Latin-1.

/** The widths of the 107 symbols of Code 128, in the order of their values. */
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

type CodeSet = "A" | "B" | "C";
const startSymbols = { A: 103, B: 104, C: 105 };
/**
 * The symbols that select a code set. In code sets A and B, the symbol that would select the current set means FNC4.
 */
const selectSymbols = { A: 101, B: 100, C: 99 };
const shiftSymbol = 98;
const stopSymbol = 106;

/**
 * FNC4 in marked text. A single FNC4 moves the next character from ASCII to the second half of Latin-1 or back. A pair
 * moves all characters up to the next pair. The last 7 bits of this mark are those of a space, so it is in both code
 * sets A and B.
 */
const fnc4 = "\u0120";

/** With modules of 0.35 mm, a symbol of 500 letters is 2 m wide. */
const maxChars = 500;

/**
 * Returns the widths of the bars and spaces of a Code 128 symbol in modules, beginning and ending with a bar. Throws for
 * an empty text, for more than 500 characters and for characters outside Latin-1.
 */
export function code128Bars(text: string): number[] {
  if (text === "" || text.length > maxChars) throw new Error(`Code 128 must be 1 to ${maxChars} characters`);
  const refused = /[\u{100}-\u{10ffff}]/u.exec(text)?.[0];
  if (refused) throw new Error(`Code 128 must contain only Latin-1 characters, got ${nameOf(refused)}`);
  const values = symbolValues(markExtended(text));
  const sum = values.reduce((total, value, index) => total + value * Math.max(index, 1), 0);
  return [...values, sum % 103, stopSymbol].flatMap((value) => symbolWidths[value] ?? []);
}

/** Returns a character and its code point, because some characters are invisible: `"€" (U+20AC)`. */
function nameOf(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `"${char}" (U+${hex.padStart(4, "0")})`;
}

/** Returns the text with FNC4 where the symbol has to change between ASCII and the second half of Latin-1. */
function markExtended(text: string): string {
  const runs = text.match(/[\x80-\xff]+|[^\x80-\xff]+/g) ?? [];
  const last = runs.length - 1;
  let isLatched = false;
  const marked = runs.map((run, index) => {
    const isExtended = run.charCodeAt(0) >= 128;
    if (isExtended === isLatched) return run;
    // A pair of FNC4 is shorter than one FNC4 per character, even if another pair is needed after the run.
    const isPaired = run.length >= (index === last ? 3 : 5);
    if (!isPaired) return fnc4 + [...run].join(fnc4);
    isLatched = isExtended;
    return fnc4 + fnc4 + run;
  });
  return marked.join("");
}

/** Returns the values of the start symbol and of the marked text's symbols, by the rules of ISO/IEC 15417 for a short symbol. */
function symbolValues(text: string): number[] {
  let set: CodeSet = /^(\d\d$|\d{4})/.test(text) ? "C" : (nextRequiredSet(text, 0) ?? "B");
  const values = [startSymbols[set]];
  const select = (selected: CodeSet) => {
    set = selected;
    values.push(selectSymbols[selected]);
  };
  let at = 0;
  while (at < text.length) {
    const required = requiredSet(text.charCodeAt(at));
    if (set === "C") {
      const pair = text.slice(at, at + 2);
      if (/^\d\d$/.test(pair)) {
        values.push(Number(pair));
        at += 2;
      } else select(nextRequiredSet(text, at) ?? "B");
    } else if (beginsEvenRunOfDigits(text, at)) select("C");
    else if (required && required !== set && nextRequiredSet(text, at + 1) !== set) select(required);
    else {
      if (required && required !== set) values.push(shiftSymbol);
      values.push(text[at] === fnc4 ? selectSymbols[set] : valueOf(text.charCodeAt(at)));
      at += 1;
    }
  }
  return values;
}

/** Returns whether code set C is worth selecting at the index: whether an even number of digits, at least 4, follows. */
function beginsEvenRunOfDigits(text: string, at: number): boolean {
  const digits = /\d*/y;
  digits.lastIndex = at;
  const length = digits.exec(text)?.[0].length ?? 0;
  return length >= 4 && length % 2 === 0;
}

/** Finds the next character that is not in both A and B, and returns the code set that it requires. */
function nextRequiredSet(text: string, from: number): "A" | "B" | undefined {
  for (let at = from; at < text.length; at += 1) {
    const required = requiredSet(text.charCodeAt(at));
    if (required) return required;
  }
  return undefined;
}

function requiredSet(code: number): "A" | "B" | undefined {
  const ascii = code & 127;
  if (ascii < 32) return "A";
  return ascii >= 96 ? "B" : undefined;
}

/** Returns the value of a character. A character that is in both code sets A and B has the same value in both. */
function valueOf(code: number): number {
  const ascii = code & 127;
  return ascii < 32 ? ascii + 64 : ascii - 32;
}
