// The messages of a template's languages, for the checks.
import { fallbackLocales } from "colophon-liquid/locale-tag";
import type { Message } from "colophon-liquid/message";
import type { LocaleText } from "../../locales/locale-texts.ts";

/** The messages of one file of `locales/`. `lineOf` returns the line of a path in the file. */
export type MessageLanguage = {
  locale: string;
  file: string;
  texts: ReadonlyMap<string, LocaleText>;
  messages: ReadonlyMap<string, Message>;
  lineOf(path: string[]): number;
};

/** Returns the line of a message, or of the object in which it is missing. */
export function lineOfKey({ texts, lineOf }: MessageLanguage, key: string): number {
  return lineOf(texts.get(key)?.path ?? key.split("."));
}

/** Returns the languages whose messages stand in for those of a language, the language itself first. */
export function standIns(languages: readonly MessageLanguage[], locale: string): MessageLanguage[] {
  return fallbackLocales(locale).flatMap((tag) => languages.find((language) => language.locale === tag) ?? []);
}
