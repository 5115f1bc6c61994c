// The messages of a version by language, and the memory that they take.
import { bytesPerParsedChar, maxParsedChars, type MessageTexts } from "colophon-liquid-filters/messages";
import type { LocaleFile, TemplateContent } from "../template.ts";

/** Returns the messages of files that a push has found valid. */
export function languagesOf(locales: readonly LocaleFile[]): Map<string, MessageTexts> {
  return new Map(
    locales.map(({ locale, source }) => {
      return [locale, new Map(textsIn(JSON.parse(source) as object, ""))];
    }),
  );
}

/** Returns the messages of an object by their keys, such as `invoice.due`. A push has checked the file; see `locale-texts.ts`. */
function textsIn(object: object, outer: string): [key: string, text: string][] {
  return Object.entries(object).flatMap(([name, inner]: [string, unknown]) => {
    return typeof inner === "string" ? [[outer + name, inner]] : textsIn(inner as object, `${outer}${name}.`);
  });
}

/** The keys and texts of a file, with their entries in a map, take up to this many bytes for each character of the file. */
const bytesPerChar = 12;

/** Returns an estimate of the memory that the messages take, the parsed ones included. */
export function messagesBytes({ locales = [] }: Pick<TemplateContent, "locales">): number {
  const chars = locales.reduce((sum, { source }) => sum + source.length, 0);
  return chars * bytesPerChar + Math.min(chars, maxParsedChars) * bytesPerParsedChar;
}
