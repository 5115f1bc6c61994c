// The language of a document: the one in its request, or else the template's.
import { canonicalLocale, fallbackLocales } from "colophon-liquid/locale";
import type { TemplateManifest } from "../template.ts";

/**
 * Returns the canonical tag; null if it is not valid, or if the template has messages but none for the language or its fallbacks. A
 * template without messages can use any language.
 */
export function documentLocale(
  { locale, locales }: Pick<TemplateManifest, "locale" | "locales">,
  requested: string | undefined,
): string | null {
  const tag = requested === undefined ? locale : canonicalLocale(requested);
  if (tag === null || tag === locale || locales === undefined) return tag;
  return fallbackLocales(tag).some((language) => locales.includes(language)) ? tag : null;
}
