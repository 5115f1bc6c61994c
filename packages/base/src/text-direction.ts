// The direction of a language, which is derived from its script.

/** The scripts that are written from right to left. */
const rightToLeftScripts = new Set("Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Yezi".split(" "));

/**
 * Returns whether the language of a valid tag is written from right to left: true for `ar`, `ur` and `az-Arab`, but not
 * for `ar-Latn`.
 */
export function isRightToLeft(tag: string): boolean {
  const { script } = new Intl.Locale(tag).maximize();
  return script !== undefined && rightToLeftScripts.has(script);
}
