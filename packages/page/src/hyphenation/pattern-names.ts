// The languages whose words `hyphens: auto` divides. The patterns of each are a static file, which a page gets only for documents with
// text in this language.

const languages =
  "be bg ca cs cy da de el en-gb en-us es et eu fi fr ga gl hr hu is it lt lv mk nb nl nn pl pt ro ru sk sl sr sv tr uk";
export const patternLanguages = languages.split(" ");

/** Returns the path of a language's patterns among the static files. */
export function patternsPath(name: string): string {
  return `hyphenation/${name}.txt`;
}

/** Returns the name of the patterns for a BCP 47 tag, or null if the service has none. */
export function patternsFor(tag: string): string | null {
  const [language = "", ...subtags] = tag.toLowerCase().split("-");
  if (language === "en") return subtags.every((each) => each === "us") ? "en-us" : "en-gb";
  if (language === "no") return "nb";
  const isOtherScript = language === "sr" && subtags.includes("latn");
  return patternLanguages.includes(language) && !isOtherScript ? language : null;
}

/** Returns the names of the patterns for the languages, each once. */
export function patternNames(tags: Iterable<string>): string[] {
  return [...new Set(Array.from(tags, patternsFor))].filter((name) => name !== null);
}
