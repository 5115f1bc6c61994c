// Checks the file names in `pages/` and `assets/`: they must be readable, and distinct on every operating system.

/** Returns a problem for each name that is not allowed in `folder`. */
export function fileNameProblems(folder: string, names: string[]): { file: string; line: number; reason: string }[] {
  const seen = new Map<string, string>();
  return names.flatMap((name) => {
    const file = `${folder}/${name}`;
    if (invisible.test(name)) return [{ file, line: 1, reason: "the file's name contains invisible characters" }];
    const folded = composed(name).toLowerCase();
    const other = seen.get(folded);
    seen.set(folded, name);
    if (other === undefined) return [];
    const reason = `some systems do not distinguish this name from ${folder}/${other}; rename one of the files`;
    return [{ file, line: 1, reason }];
  });
}

/** Control characters, characters that reverse the text direction, line separators, and bytes that are not UTF-8. */
const invisible = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff\ufffd\u200b]/u;

/** Returns the name in Unicode's composed form, because some systems decompose letters in file names. */
export function composed(name: string): string {
  return name.normalize("NFC");
}
