// The direction of a language, which follows from its script.

/** The scripts that are written from right to left. */
const rightToLeftScripts = new Set("Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Yezi".split(" "));

/** Whether the language of a valid tag is written from right to left: `ar`, `ur` and `az-Arab` are, but not `ar-Latn`. */
export function isRightToLeft(tag: string): boolean {
  const { script } = new Intl.Locale(tag).maximize();
  return script !== undefined && rightToLeftScripts.has(script);
}
