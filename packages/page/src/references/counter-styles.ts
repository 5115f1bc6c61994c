// Formats page numbers in the counter styles that a page reference may name.

export const counterStyles = ["decimal", "lower-roman", "upper-roman", "lower-alpha", "upper-alpha"] as const;
export type CounterStyle = (typeof counterStyles)[number];

export function isCounterStyle(name: string): name is CounterStyle {
  return (counterStyles as readonly string[]).includes(name);
}

/** Formats a whole number from 1 as CSS does. Roman numerals end at 3,999; higher numbers are written in digits. */
export function formatCounter(value: number, style: CounterStyle): string {
  if (style === "decimal") return String(value);
  const text = style.endsWith("roman") ? roman(value) : letters(value);
  return style.startsWith("upper") ? text.toUpperCase() : text;
}

const romanDigits = ["m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"];
const romanValues = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];

function roman(value: number): string {
  if (value > 3999) return String(value);
  let rest = value;
  let text = "";
  for (const [index, size] of romanValues.entries()) {
    for (; rest >= size; rest -= size) text += romanDigits[index];
  }
  return text;
}

/** Returns a to z, then aa, ab and so on. */
function letters(value: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  }
  return text;
}
