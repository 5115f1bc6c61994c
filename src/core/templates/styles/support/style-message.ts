// The messages about a piece of CSS, and how they quote the template.

/** `index` is the position of the text in the CSS that the message is about. */
export type StyleMessage = { index: number; message: string };

export type Report = (index: number, message: string) => void;

/**
 * What the checks of a piece of CSS share. `isFull` is true once enough messages have been reported. `references` are the
 * positions of the page references and leaders that the service itself prints; null for CSS outside `style.css`, which can
 * have none.
 */
export type CheckScope = { report: Report; isFull(): boolean; references: ReadonlySet<number> | null };

const maxChars = 60;

/**
 * Returns the text in backticks, shortened. Control characters, and characters that reverse the direction of text, are
 * escaped, because they could change what a terminal or a page shows.
 */
export function quoted(text: string): string {
  const short = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  const printable = short.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `\`${printable}\``;
}
