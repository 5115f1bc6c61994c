// The messages of a version by language, and the memory that they take.
import { bytesPerParsedChar, maxParsedChars, type MessageTexts } from "../../liquid/messages/message-catalog.ts";
import type { LocaleFile, TemplateContent } from "../template.ts";
import { localeTexts } from "./locale-texts.ts";

/** Returns the messages of files that a push has found valid. */
export function languagesOf(locales: readonly LocaleFile[]): Map<string, MessageTexts> {
  return new Map(
    locales.map(({ locale, source }) => {
      const { texts } = localeTexts(JSON.parse(source) as object);
      return [locale, new Map([...texts].map(([key, { text }]) => [key, text]))];
    }),
  );
}

/** The keys and texts of a file, with their entries in a map, take up to this many bytes for each character of the file. */
const bytesPerChar = 12;

/** Returns an estimate of the memory that the messages take, the parsed ones included. */
export function messagesBytes({ locales = [] }: Pick<TemplateContent, "locales">): number {
  const chars = locales.reduce((sum, { source }) => sum + source.length, 0);
  return chars * bytesPerChar + Math.min(chars, maxParsedChars) * bytesPerParsedChar;
}
