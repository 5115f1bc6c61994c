// The classes of bytes in PDF syntax, and tokens that consist of a single class.

const regular = 0;
const whitespace = 1;
const delimiter = 2;

const classes = new Uint8Array(256);
// No other byte is in a word, because names escape them.
classes.fill(delimiter).fill(regular, 0x21, 0x7f);
for (const code of [0, 9, 10, 12, 13, 32]) classes[code] = whitespace;
for (const character of "()<>[]{}/%") classes[character.charCodeAt(0)] = delimiter;

export function isRegular(code: number | undefined): boolean {
  return code !== undefined && classes[code] === regular;
}

/** Returns the position after white space and comments. */
export function skipSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const code = bytes[at] ?? 0;
    if (classes[code] === whitespace) at++;
    else if (code === 0x25) at = endOfLine(bytes, at, end);
    else break;
  }
  return at;
}

export function endOfLine(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
  return at;
}

/** Returns the position after a run of regular characters. */
export function endOfWord(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && classes[bytes[at] ?? 0] === regular) at++;
  return at;
}

/** Returns the position after a literal string that begins at `from`; -1 if the string has no end. */
export function endOfLiteral(bytes: Uint8Array, from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end; at++) {
    const code = bytes[at];
    if (code === 0x5c) at++;
    else if (code === 0x28) depth++;
    else if (code === 0x29 && --depth === 0) return at + 1;
  }
  return -1;
}

/** Returns the position after a hexadecimal string that begins at `from`; -1 if the string is malformed. */
export function endOfHex(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from + 1; at < end; at++) {
    const code = bytes[at] ?? 0;
    if (code === 0x3e) return at + 1;
    if (hexDigit(code) < 0 && classes[code] !== whitespace) return -1;
  }
  return -1;
}

const hexValues = new Int8Array(256).fill(-1);
for (const [value, digit] of [..."0123456789abcdef"].entries())
  for (const character of [digit, digit.toUpperCase()]) hexValues[character.charCodeAt(0)] = value;

/** Returns the value of a hexadecimal digit; -1 for anything else. */
export function hexDigit(code: number): number {
  return hexValues[code] ?? -1;
}

/** Returns whether the ASCII string is at `at`. */
export function standsAt(bytes: Uint8Array, at: number, text: string): boolean {
  if (at < 0 || at + text.length > bytes.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** Decodes each byte as one character. */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 32) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).latin1Slice(from, to);
  // Most strings are short names, for which a loop is faster.
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

export function latin1Bytes(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}
