// The languages for which the Workers runtime has formats of numbers and dates. A push runs in Node.js, which has formats for
// nearly all languages, so it cannot ask. A test in the runtime compares this list with what is there.

/** Those whose usual script has formats. */
const languages = new Set(
  "af ak am ar bg bn ca cs da de el en es et fa fi fil fr gu he hi hr hu id it ja kn ko lt lv ml mr ms nb nl no pl pt ro ru sk sl sr sv sw ta te th tr uk ur vi zh".split(
    " ",
  ),
);

/** Languages that have formats only in a script that is not their usual one. */
const otherScripts = new Set("az-Cyrl bs-Cyrl gom-Latn kk-Arab kok-Latn pa-Arab sd-Deva uz-Arab uz-Cyrl".split(" "));

/** Whether the runtime has formats for a valid tag in its canonical form. */
export function hasWorkersFormats(tag: string): boolean {
  const [language = ""] = tag.split("-");
  return languages.has(language) || otherScripts.has(`${language}-${new Intl.Locale(tag).maximize().script}`);
}
