// Decodes the text strings of a PDF.

/** The characters of PDFDocEncoding that differ from Latin-1, from 0x18 and from 0x80. */
const accents = "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc";
const symbols =
  "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffd\u20ac";

/** Decodes UTF-16, UTF-8 or PDFDocEncoding. `text` has one character for each byte. */
export function decodeText(text: string): string {
  if (text.startsWith("\xfe\xff")) return decodeUtf16(text);
  if (text.startsWith("\xef\xbb\xbf"))
    return new TextDecoder().decode(Uint8Array.from(text, (byte) => byte.charCodeAt(0)));
  return text.replace(/[\p{Cc}\xa0]/gu, (byte) => {
    const code = byte.charCodeAt(0);
    return (code < 0x80 ? accents[code - 0x18] : symbols[code - 0x80]) ?? byte;
  });
}

function decodeUtf16(text: string): string {
  let decoded = "";
  for (let at = 2; at + 1 < text.length; at += 2)
    decoded += String.fromCharCode(text.charCodeAt(at) * 256 + text.charCodeAt(at + 1));
  return decoded;
}
