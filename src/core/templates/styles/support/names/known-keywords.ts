// Tells which versions of Chromium know a keyword as the value of a property.
import { colors, cssKeywords } from "./css-names.generated.ts";
import { supportProblem, type NameSupport } from "./known-names.ts";
import { similarName } from "../../../../similar-name.ts";

/** Keywords that every property accepts. */
const wideKeywords = new Set(["inherit", "initial", "unset", "revert", "revert-layer"]);

/**
 * Returns a sentence about a word that is the whole value of a property and that not every Chromium knows there. Returns
 * null for all others, and for a property that accepts every word, such as the name of an animation.
 */
export function keywordProblem(property: string, word: string, shown: string): string | null {
  const words = keywordsOf(property);
  if (!words || wideKeywords.has(word)) return null;
  const support = words.get(word) ?? { status: "unknown" };
  return supportProblem(support, { shown }, () => similarName(word, words.keys()));
}

type Keywords = ReadonlyMap<string, NameSupport>;

let byProperty: Map<string, Keywords> | null = null;

function keywordsOf(property: string): Keywords | undefined {
  byProperty ??= new Map(
    cssKeywords.flatMap(({ properties, words }) => {
      const keywords = new Map(words.replace("<color>", colors).split(" ").map(entryOf));
      return properties.split(" ").map((name) => [name, keywords] as const);
    }),
  );
  return byProperty.get(property);
}

function entryOf(written: string): [string, NameSupport] {
  const [word = "", after] = written.split(">");
  if (after) return [word, { status: "newer", after: Number(after) }];
  const [removed = "", before] = written.split("<");
  return before ? [removed, { status: "removed", before: Number(before) }] : [word, { status: "everywhere" }];
}
