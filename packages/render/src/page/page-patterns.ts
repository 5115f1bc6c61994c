// The hyphenation patterns in one browser page. The patterns of a language are sent once, and stay for the next documents.
import type { FontFiles } from "../fonts/font-library.ts";
import { FontError } from "./page-fonts.ts";
import type { PageFunctions } from "./page-functions.ts";

/** A page drops the patterns of earlier documents when it has more characters than this, which four large languages have. */
const maxCharsInPage = 2_000_000;

export type PagePatterns = ReturnType<typeof pagePatterns>;

export function pagePatterns(files: Pick<FontFiles, "patterns">, { addPatterns }: Pick<PageFunctions, "addPatterns">) {
  const charsInPage = new Map<string, number>();
  return {
    /** Sends the patterns that the page lacks. Rejects with `FontError` if they cannot be read. The page can still be used. */
    async send(names: readonly string[]): Promise<void> {
      const missing = names.filter((name) => !charsInPage.has(name));
      if (missing.length === 0) return;
      const read = async (name: string): Promise<[string, string]> => {
        const patterns = await files.patterns(name);
        if (patterns === null) throw new FontError("hyphenation patterns could not be read");
        return [name, patterns];
      };
      const sent = await Promise.all(missing.map(read));
      for (const [name, { length }] of sent) charsInPage.set(name, length);
      const total = [...charsInPage.values()].reduce((sum, chars) => sum + chars, 0);
      const dropped = total > maxCharsInPage ? [...charsInPage.keys()].filter((name) => !names.includes(name)) : [];
      for (const name of dropped) charsInPage.delete(name);
      await addPatterns({ sent, dropped });
    },
  };
}
