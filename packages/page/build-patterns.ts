// Converts the hyphenation patterns of the package `hyphen` to text files: pairs of letters and levels, separated by spaces, which are a
// third as large. A level belongs to the place before its letter; an odd one allows a break there, and the highest level decides.
import { createRequire } from "node:module";
import { patternLanguages, patternsPath } from "./src/hyphenation/pattern-names.ts";

/** A letter leads to the index of its pattern's levels, to the letters after it, or to both. */
type Trie = { [letter: string]: number | Trie | [Trie, number] };
/** The exceptions are words with the indexes of their hyphens; the hyphens before an index count. */
type Patterns = [levels: number[][], trie: Trie, exceptions: Record<string, number[]>];

/** The files whose names differ from their languages. */
export const sources: Record<string, string> = { de: "de-1996", el: "el-monoton", sr: "sr-cyrl" };

const requireFile = createRequire(import.meta.url);

/** Returns the content of the files by path. */
export function patternFiles(): Record<string, string> {
  return Object.fromEntries(patternLanguages.map((name) => [patternsPath(name), patternsText(name)]));
}

export function patternsText(name: string): string {
  const [levels, trie, exceptions] = requireFile(`hyphen/patterns/${sources[name] ?? name}.js`) as Patterns;
  const texts = levels.map((each) => each.join(""));
  const pairs: string[] = [];
  const addPairs = (node: Trie, letters: string) => {
    for (const [letter, value] of Object.entries(node)) {
      const [inner, index] = Array.isArray(value) ? value : typeof value === "number" ? [null, value] : [value, -1];
      const text = texts[index];
      if (text !== undefined) pairs.push(letters + letter, text);
      if (inner) addPairs(inner, letters + letter);
    }
  };
  addPairs(trie, "");
  for (const [word, hyphens] of Object.entries(exceptions)) pairs.push(`.${word}.`, exceptionLevels(word, hyphens));
  return pairs.join(" ");
}

/** The levels are letters, which are higher than all digits. */
function exceptionLevels(word: string, hyphens: number[]): string {
  const places = hyphens.map((hyphen, before) => hyphen - before);
  return Array.from(word, (_, index) => (places.includes(index) ? "b" : "a")).join("");
}
