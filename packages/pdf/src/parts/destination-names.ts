// Decides which destination names the finished file contains, and shortens them. Chromium builds names from ids, with an escape of three
// characters for each byte that is not ASCII, so 22 Cyrillic letters exceed the limit of the specification, and readers warn about these
// files.

const temporaryPrefix = "colophon-temporary-";

/** Returns the name of a temporary destination, which the finished file leaves out. */
export function temporaryName(index: number): string {
  return temporaryPrefix + index;
}

export function isTemporary(name: string): boolean {
  return name.startsWith(temporaryPrefix);
}

const temporaryOrigin = "https://colophon.invalid/";

/** Returns the address of a link that shows the caller on which page it is. The finished file does not contain the link. */
export function temporaryUrl(name: string): string {
  return temporaryOrigin + name;
}

/** Returns the name of a temporary link, and null for any other link. */
export function temporaryNameOf(url: string): string | null {
  return url.startsWith(temporaryOrigin + temporaryPrefix) ? url.slice(temporaryOrigin.length) : null;
}

/** The limit of PDF 1.7, Annex C, in bytes. */
const maxNameBytes = 127;
const keptBytes = 108;

/**
 * Returns the name for the finished file: the name itself unless it is too long. `name` has one character per byte. A shortened name is
 * returned unchanged.
 */
export function writtenName(name: string): string {
  if (name.length <= maxNameBytes) return name;
  return `${name.slice(0, keptBytes)}~${hash(name)}`;
}

/** Returns 16 hexadecimal digits: FNV-1a from two seeds, which is enough to distinguish the ids in a document. */
function hash(text: string): string {
  const halves = [0x811c9dc5, 0x2a4d7b13].map((seed) => {
    let value = seed;
    for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
    return value.toString(16).padStart(8, "0");
  });
  return halves.join("");
}
