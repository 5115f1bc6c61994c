// Finds the places at which a word may be divided, by Liang's algorithm and the patterns of its language.

/** Returns the indexes of the letters that may begin a new line. */
export type DivideWord = (word: string) => readonly number[];

/** A word has at least this many letters, of which this many stay before and after the hyphen. */
export type WordLimits = { word: number; before: number; after: number };

/** The languages in which two letters are too few for the next line. */
const longEnds = ["cs", "cy", "en-gb", "en-us", "et", "ga", "pt", "sk"];

/** `limit` is the computed value of `hyphenate-limit-chars`: up to three numbers or `auto`. */
export function wordLimits(limit: string, name: string): WordLimits {
  const [word = NaN, before = NaN, after = before] = limit.split(" ").map(Number);
  const numberOr = (number: number, ordinary: number) => (Number.isNaN(number) ? ordinary : number);
  return {
    word: numberOr(word, 5),
    before: numberOr(before, 2),
    after: numberOr(after, longEnds.includes(name) ? 3 : 2),
  };
}

/** See `build-patterns.ts` for `patterns`. */
export function wordDivider(patterns: string): DivideWord {
  const levelsOf = new Map<string, string>();
  let longest = 0;
  const parts = patterns.split(" ");
  for (let index = 0; index < parts.length; index += 2) {
    const letters = parts[index] ?? "";
    levelsOf.set(letters, parts[index + 1] ?? "");
    longest = Math.max(longest, letters.length);
  }
  return (word) => {
    const text = `.${word}.`;
    const levels = Array.from(word, () => 0);
    for (let start = 0; start < text.length; start++) {
      // `levels` has no place for the dot before the word.
      const first = Math.max(0, start - 1);
      for (let end = start + 1; end <= Math.min(text.length, start + longest); end++) {
        const found = levelsOf.get(text.slice(start, end)) ?? "";
        for (let index = 0; index < found.length; index++) {
          const level = Number.parseInt(found[index] ?? "", 36);
          if (level > (levels[first + index] ?? level)) levels[first + index] = level;
        }
      }
    }
    return levels.flatMap((level, index) => (level % 2 === 1 ? [index] : []));
  };
}
