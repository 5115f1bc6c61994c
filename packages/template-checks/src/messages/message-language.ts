// The messages of a template's languages, for the checks.
import { fallbackLocales } from "colophon-liquid/locale";
import type { MessageLanguage } from "colophon-template-model/used-locales";

/** Returns the line of a message, or of the object in which it is missing. */
export function lineOfKey({ texts, lineOf }: MessageLanguage, key: string): number {
  return lineOf(texts.get(key)?.path ?? key.split("."));
}

/** Returns the languages whose messages stand in for messages of a language, the language itself first. */
export function standIns(languages: readonly MessageLanguage[], locale: string): MessageLanguage[] {
  return fallbackLocales(locale).flatMap((tag) => languages.find((language) => language.locale === tag) ?? []);
}
