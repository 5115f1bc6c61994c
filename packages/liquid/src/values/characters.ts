// Counts and truncates text by characters (code points). JavaScript counts an emoji as two units and can split it.
import { costs } from "../costs.ts";
import type { Meter } from "../meter.ts";

export function characterCount(meter: Meter, text: string): number {
  meter.chargeChars(text.length, costs.convertedChar);
  return charactersIn(text);
}

/** Counts without charging; the caller charges the work. */
export function charactersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += unitsAt(text, at)) count++;
  return count;
}

/** Returns the offset in units that is `count` characters after the offset `from`, or the end of the text. Charges nothing. */
export function unitOffset(text: string, from: number, count: number): number {
  let at = from;
  for (let index = 0; index < count && at < text.length; index++) at += unitsAt(text, at);
  return at;
}

function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
