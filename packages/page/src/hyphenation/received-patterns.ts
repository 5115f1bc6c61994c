// The hyphenation patterns in the page, by name. They stay for the next documents. A document uses only the patterns that were chosen for it,
// so it does not depend on earlier documents.
import { type DivideWord, wordDivider } from "./divide-words.ts";

/** Patterns by name, and the names of those that the page may drop. */
export type SentPatterns = { sent: [name: string, patterns: string][]; dropped: string[] };

const received = new Map<string, string>();
const dividers = new Map<string, DivideWord>();

export function addPatterns({ sent, dropped }: SentPatterns): void {
  for (const name of dropped) for (const map of [received, dividers]) map.delete(name);
  for (const [name, patterns] of sent) received.set(name, patterns);
}

/** Returns null if the page has no patterns of this name. */
export function dividerFor(name: string): DivideWord | null {
  const patterns = received.get(name);
  if (patterns !== undefined) {
    received.delete(name);
    dividers.set(name, wordDivider(patterns));
  }
  return dividers.get(name) ?? null;
}
