// Decodes the text files of a template folder. They must be UTF-8; a byte order mark at the beginning is dropped, because
// some editors add one.

export type TextFile = { status: "text"; text: string } | { status: "not_text"; line: number; reason: string };

export function decodeText(bytes: Uint8Array): TextFile {
  const text = new TextDecoder().decode(bytes);
  const brokenLine = text.includes("\ufffd") ? firstBrokenLine(bytes) : null;
  if (brokenLine !== null) {
    const reason =
      "the line is not valid UTF-8; save the file as UTF-8 (it may be in Latin-1 or UTF-16, or not be a text file)";
    return { status: "not_text", line: brokenLine, reason };
  }
  const wrong = unprintable.exec(text);
  if (!wrong) return { status: "text", text };
  const line = text.slice(0, wrong.index).split("\n").length;
  const code = wrong[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return { status: "not_text", line, reason: `the line contains the control character U+${code}, so it is not text` };
}

/** Returns null if the bytes are UTF-8. U+FFFD replaces bytes that are not, but a file can also have this character itself. */
function firstBrokenLine(bytes: Uint8Array): number | null {
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  const encoded = new TextEncoder().encode(text);
  const at = encoded.findIndex((byte, index) => byte !== bytes[index]);
  return at < 0 ? null : new TextDecoder().decode(encoded.subarray(0, at)).split("\n").length;
}

/** ASCII control characters except tab, line feed, form feed and carriage return. */
// oxlint-disable-next-line no-control-regex -- it finds control characters
const unprintable = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
