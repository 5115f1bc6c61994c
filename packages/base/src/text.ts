// Prepares text of callers and authors for messages, and splits long strings.

/** Returns the text, truncated if it is longer than a message should quote. */
export function shortened(text: string, maxChars = 60): string {
  // The cut may split a surrogate pair.
  return text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text;
}

/**
 * Escapes control characters and characters that reverse the text direction. Otherwise, text from a template could change the display of a
 * terminal or a page.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Returns the text in backticks, shortened and printable. */
export function quoted(text: string): string {
  return `\`${printable(shortened(text))}\``;
}

/** Returns "1 image" for `counted(1, "image")`, and "4 images" for `counted(4, "image")`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Ends a text with a full stop, unless it already ends with punctuation. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export function* slices(text: string, chars: number): Generator<string> {
  for (let at = 0; at < text.length; at += chars) yield text.slice(at, at + chars);
}
