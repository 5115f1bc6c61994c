// Prepares passwords as ISO 32000-2 asks: SASLprep (RFC 4013), then UTF-8. Two ways to type the same text give the same bytes. Characters that
// are newer than RFC 4013 are allowed, because it asks for that where a password is used to open something.

export type PreparedPassword = { status: "prepared"; bytes: Uint8Array } | { status: "refused"; reason: string };

/** More bytes would be ignored by readers. */
export const maxPasswordBytes = 127;

/** These tables are from RFC 3454: C.1.2, B.1, the other tables of C, and D.1. */
const space = /[\xa0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
const ignored = /[\xad\u1806\u200c\u2060\ufeff]|\u034f|\u200d|\u180b|\u180c|\u180d|[\ufe00-\ufe0f]/g;
const prohibited =
  /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u06dd\u070f\u180e\u200e\u200f\u202a-\u202e\u2061-\u2063\u206a-\u206f\u2ff0-\u2ffb\ufff9-\ufffd\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/u;
const rightToLeft =
  "\\u05be\\u05c0\\u05c3\\u05d0-\\u05ea\\u05f0-\\u05f4\\u061b\\u061f\\u0621-\\u063a\\u0640-\\u064a\\u066d-\\u066f\\u0671-\\u06d5\\u06e5\\u06e6\\u06fa-\\u06fe" +
  "\\u0700-\\u070d\\u0710\\u0712-\\u072c\\u0780-\\u07a5\\u07b1\\ufb1d\\ufb1f-\\ufb28\\ufb2a-\\ufd3d\\ufd50-\\ufdfc\\ufe70-\\ufefc";
const hasRightToLeft = new RegExp(`[${rightToLeft}]`, "u");
/** The letters of other scripts. Table D.2 also has a few digits and signs, which are allowed here. */
const isMixed = new RegExp(`(?![${rightToLeft}])[\\p{L}\\p{Nl}\\p{Mc}]`, "u");
const isEnclosed = new RegExp(`^[${rightToLeft}](?:.*[${rightToLeft}])?$`, "u");

/** `reason` is a sentence for the caller. It quotes nothing of the password except the code of a refused character. */
export function preparePassword(text: string): PreparedPassword {
  const prepared = text.replace(space, " ").replace(ignored, "").normalize("NFKC");
  const [refused] = prohibited.exec(prepared) ?? [];
  if (refused !== undefined) return { status: "refused", reason: prohibitedReason(refused) };
  if (prepared === "") return { status: "refused", reason: emptyReason };
  if (hasRightToLeft.test(prepared) && (isMixed.test(prepared) || !isEnclosed.test(prepared)))
    return { status: "refused", reason: directionReason };
  const bytes = new TextEncoder().encode(prepared);
  if (bytes.length > maxPasswordBytes) return { status: "refused", reason: lengthReason(bytes.length) };
  return { status: "prepared", bytes };
}

const emptyReason =
  "A password must contain at least one character other than those without a width, such as the soft hyphen.";
const directionReason =
  "A password with right-to-left letters, such as Arabic or Hebrew, must begin and end with one of them, and must not contain " +
  "letters of other scripts.";

function prohibitedReason(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return (
    `A password must not contain U+${code}. Letters, digits, punctuation, symbols, emoji and spaces are allowed; ` +
    "characters for control, format or private use are not."
  );
}

function lengthReason(bytes: number): string {
  return `A password has at most ${maxPasswordBytes} bytes in UTF-8, as prepared by SASLprep; this one has ${bytes}.`;
}
