// Texts of callers and authors in messages.

/** Returns the text, or its first characters if it is longer than a message should quote. */
export function shortened(text: string, maxChars = 60): string {
  // The cut may fall into a surrogate pair.
  return text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text;
}
