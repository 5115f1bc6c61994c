// Removes the passwords of an item from its line before the line is stored.

/** The parts of JSON: brackets, strings with the colon that follows a key, and everything between them. */
const parts = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[^{}[\]"]+/gs;

/** Returns the line with spaces in place of the content of its `encryption`. The line is valid JSON, and keeps its length. */
export function withoutEncryption(line: Uint8Array): Uint8Array {
  let depth = 0;
  let isHidden = false;
  // As Latin-1, each character is one byte.
  const text = Buffer.from(line).toString("latin1");
  const blanked = text.replace(parts, (part: string) => {
    const isInside = isHidden && depth > 1;
    if (depth === 1 && part.endsWith(":"))
      isHidden = JSON.parse(part.slice(0, part.lastIndexOf('"') + 1)) === "encryption";
    if (part === "{" || part === "[") depth++;
    if (part === "}" || part === "]") depth--;
    return isInside && depth > 1 ? " ".repeat(part.length) : part;
  });
  return Buffer.from(blanked, "latin1");
}
