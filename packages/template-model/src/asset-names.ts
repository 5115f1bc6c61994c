// The names by which templates refer to the files of their `assets/` folder.

/**
 * Returns the asset's name in `assets/`. A template may write it as `logo.svg`, `./logo.svg` or `assets/logo.svg`. The name is
 * in Unicode's composed form (NFC), like the names of stored assets, because some systems decompose letters in file names.
 */
export function assetName(name: string): string {
  return name
    .normalize("NFC")
    .replace(/^\.\//, "")
    .replace(/^assets\//, "");
}
