// Writes page numbers in the counter styles that a page reference may name.

export const counterStyles = ["decimal", "lower-roman", "upper-roman", "lower-alpha", "upper-alpha"] as const;
export type CounterStyle = (typeof counterStyles)[number];

export function isCounterStyle(name: string): name is CounterStyle {
  return (counterStyles as readonly string[]).includes(name);
}

/** Writes a whole number from 1 as CSS does. Roman numbers end at 3,999; a higher number is written in digits. */
export function formatCounter(value: number, style: CounterStyle): string {
  if (style === "decimal") return String(value);
  const text = style.endsWith("roman") ? roman(value) : letters(value);
  return style.startsWith("upper") ? text.toUpperCase() : text;
}

const romanDigits: [number, string][] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

function roman(value: number): string {
  if (value > 3999) return String(value);
  let rest = value;
  let text = "";
  for (const [size, digits] of romanDigits) {
    for (; rest >= size; rest -= size) text += digits;
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
