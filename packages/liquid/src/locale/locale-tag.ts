// Language tags of templates and requests: their validation, and their fallbacks.

/** The maximum number of characters of a tag. */
export const maxLocaleChars = 100;

/** How messages describe a valid tag. */
export const localeExpected = "a BCP 47 language tag such as `de` or `en-GB`";

/**
 * Returns the tag in its canonical form, such as `de-AT` for `DE-at`; null if it is not valid. `english` is well-formed
 * but not valid, because all languages have two or three letters. Every runtime accepts the same tags.
 */
export function canonicalLocale(tag: string): string | null {
  if (tag.length > maxLocaleChars) return null;
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical !== undefined && /^(?!und\b)[a-z]{2,3}\b/.test(canonical) ? canonical : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether the language of a valid tag is known here; `jp`, for example, is a country but not a language. Runtimes
 * know different languages, so this is checked only at a push.
 */
export function isKnownLanguage(tag: string): boolean {
  const { language } = new Intl.Locale(tag);
  return (
    isFormatted(tag) || new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(language) !== undefined
  );
}

/**
 * Returns the locale for formatting numbers and dates, given a valid tag. For a language without formats it is always the same, so that
 * it does not depend on the machine.
 */
export function formattingLocale(tag: string): string {
  return isFormatted(tag) ? tag : "en-US";
}

/**
 * Returns the tags whose messages can be used for a valid tag, the best first and including itself: `de-AT`, then `de`. Languages in
 * a different script are left out: messages of `zh` are in simplified characters, so they cannot be used for `zh-TW`.
 */
export function fallbackLocales(tag: string): string[] {
  const { baseName, language } = new Intl.Locale(tag);
  const script = scriptOf(baseName);
  // V8 treats the variant `posix` as an extension, even in a `baseName`: `en-US-u-va-posix`.
  const [withoutExtensions = language] = baseName.split(/-[a-z0-9]-/);
  const subtags = withoutExtensions.split("-");
  const shorter = subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
  const withScript = script === undefined ? [] : [`${language}-${script}`];
  const candidates = new Set([tag, ...shorter.slice(0, -1), ...withScript, language]);
  return [...candidates].filter((candidate) => scriptOf(candidate) === script);
}

function scriptOf(tag: string): string | undefined {
  return new Intl.Locale(tag).maximize().script;
}

/**
 * A runtime may claim to support a language although it has only the name of it, like Kazakh in the Workers runtime. Its months are
 * then called M01, M02 and so on. For most documents, the list of languages makes asking the runtime unnecessary.
 */
function isFormatted(tag: string): boolean {
  if (hasWorkersFormats(tag)) return true;
  if (Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return false;
  const options = { month: "long", calendar: "gregory", numberingSystem: "latn", timeZone: "UTC" } as const;
  return !/^M0?1$/.test(new Intl.DateTimeFormat(tag, options).format(0));
}

/**
 * The languages for which the Workers runtime has number and date formats in the usual script. A push runs in Node.js, which has
 * formats for nearly all languages, so it cannot ask. A test in the runtime compares this list with its formats.
 */
const workersLanguages = new Set(
  "af ak am ar bg bn ca cs da de el en es et fa fi fil fr gu he hi hr hu id it ja kn ko lt lv ml mr ms nb nl no pl pt ro ru sk sl sr sv sw ta te th tr uk ur vi zh".split(
    " ",
  ),
);

/** Languages that have formats only in a script other than the usual one. */
const otherScripts = new Set("az-Cyrl bs-Cyrl gom-Latn kk-Arab kok-Latn pa-Arab sd-Deva uz-Arab uz-Cyrl".split(" "));

/** Returns whether the runtime has formats for a valid tag in canonical form. */
export function hasWorkersFormats(tag: string): boolean {
  const [language = ""] = tag.split("-");
  return workersLanguages.has(language) || otherScripts.has(`${language}-${new Intl.Locale(tag).maximize().script}`);
}
