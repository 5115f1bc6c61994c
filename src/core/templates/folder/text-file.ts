// Decodes the text files of a template folder. They must be UTF-8; a byte order mark at the beginning is dropped, because
// some editors add one.

export type TextFile = { status: "text"; text: string } | { status: "not_text"; line: number; reason: string };

export function decodeText(bytes: Uint8Array): TextFile {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { status: "not_text", line: 1, reason: "the file is UTF-16; save it as UTF-8" };
  }
  const text = decoded(bytes);
  if (text === null) {
    const reason = "the line is not valid UTF-8; save the file as UTF-8 (it may be in Latin-1, or not be a text file)";
    return { status: "not_text", line: invalidLine(bytes), reason };
  }
  const control = unprintable.exec(text);
  if (!control) return { status: "text", text };
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const line = text.slice(0, control.index).split("\n").length;
  return { status: "not_text", line, reason: `the line contains the control character U+${code}, so it is not text` };
}

/**
 * The control characters that are not allowed in text: all of ASCII's except tab, line feed, form feed and carriage
 * return.
 */
// oxlint-disable-next-line no-control-regex -- it finds control characters
const unprintable = /[\0-\x08\x0b\x0e-\x1f\x7f]/;

function decoded(bytes: Uint8Array, mayBeCut = false): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: mayBeCut });
  } catch {
    return null;
  }
}

/** Returns the first line that is not UTF-8: that of the byte up to which the file is, but not beyond it. */
function invalidLine(bytes: Uint8Array): number {
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    // In UTF-8, a line feed is never part of another character, and a character at the end may be incomplete.
    if (decoded(bytes.subarray(0, middle), true) === null) invalid = middle;
    else valid = middle;
  }
  return bytes.subarray(0, valid).reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
}
