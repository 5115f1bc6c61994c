// The name under which a document is downloaded. Only names that are safe on all common systems are accepted. A name is
// never changed, except that a missing extension is added.
import { extensionOf, hasExtension, type DocumentFormat } from "colophon-page/document-format";

export const maxFilenameChars = 200;

/** The names of Windows devices, which cannot be used as file names there, with or without an extension. */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)/i;

/** The first matching rule gives the reason for the refusal. */
const rules: { pattern: RegExp; reason: string }[] = [
  { pattern: /[\p{Cs}\p{Noncharacter_Code_Point}]/u, reason: "must not contain characters that are not valid Unicode" },
  { pattern: /[\p{Cc}\p{Zl}\p{Zp}]/u, reason: "must not contain control characters or line breaks" },
  { pattern: /\p{Bidi_Control}/u, reason: "must not contain characters that control the direction of text" },
  { pattern: /[/\\]/, reason: "must not contain `/` or `\\`: it is a name, not a path" },
  { pattern: /[<>:"|?*]/, reason: 'must not contain any of `< > : " | ? *`, which some systems do not allow' },
  { pattern: /^\./, reason: "must not begin with a dot" },
  { pattern: /\.$/, reason: "must not end with a dot" },
  { pattern: /^\s|\s$/, reason: "must not begin or end with white space" },
  { pattern: deviceName, reason: "must not be the name of a device on Windows, such as `CON` or `COM1`" },
];

/** Returns why the name is refused, as a sentence; null if it is accepted. */
export function filenameProblem(name: string): string | null {
  // A character takes at most two code units, so the characters of a longer string need not be counted.
  const length = name.length > 2 * maxFilenameChars ? name.length : [...name].length;
  if (length < 1 || length > maxFilenameChars) return `\`filename\` must have 1 to ${maxFilenameChars} characters.`;
  const broken = rules.find(({ pattern }) => pattern.test(name));
  return broken ? `\`filename\` ${broken.reason}.` : null;
}

/** Returns the name with the format's extension, which is added unless the name already ends with it in upper or lower case. */
export function withExtension(name: string, format: DocumentFormat): string {
  return hasExtension(name, format) ? name : `${name}.${extensionOf(format)}`;
}
