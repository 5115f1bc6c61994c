// Checks the files of `locales/` against the pages and their languages: messages and plural forms that are missing in a language.
import { fallbackLocales } from "colophon-liquid/locale";
import { allParts } from "colophon-liquid-filters/messages";
import { quoted } from "colophon-base/quoted";
import { findingCollector, type Finding, type FindingCollector, type CheckBudget } from "../finding.ts";
import type { MessageLanguage } from "colophon-template-model/used-locales";
import type { MessageUses } from "./message-uses.ts";

export function checkLanguages(uses: MessageUses, budget: CheckBudget): Finding[] {
  const { languages } = uses;
  return languages.flatMap((language) => {
    const collector = findingCollector(budget);
    checkMissing(uses, language, collector);
    checkPlurals(language, collector);
    const { file } = language;
    return collector.findings.map((finding): Finding => ({ ...finding, file }));
  });
}

/** Reports messages that are used, but exist neither in this language nor in one that stands in for it. */
function checkMissing(
  { used, languages }: MessageUses,
  language: MessageLanguage,
  { report, isFull }: FindingCollector,
): void {
  const chain = standIns(languages, language.locale);
  for (const [key, { file, line }] of used) {
    if (isFull()) return;
    if (chain.some(({ texts }) => texts.has(key))) continue;
    report(lineOfKey(language, key), `the message ${quoted(key)} is missing; ${file} uses it in line ${line}`);
  }
}

/** With these numbers, every plural form of ordinary numbers is found. Some forms are only for fractions. */
const samples = [...Array.from({ length: 201 }, (_, number) => number), 0.5, 1.5];
/** The numbers that have their own form, as in `=1`, instead of these categories. */
const exactForms: Record<string, string> = { zero: "=0", one: "=1", two: "=2" };

function checkPlurals(language: MessageLanguage, { report, isFull }: FindingCollector): void {
  const { locale, messages } = language;
  const needed = { cardinal: categoriesOf(locale, "cardinal"), ordinal: categoriesOf(locale, "ordinal") };
  for (const [key, message] of messages) {
    for (const part of allParts(message)) {
      if (isFull()) return;
      if (part.kind !== "plural") continue;
      const missing = needed[part.type].filter(
        (category) => !part.forms.has(category) && !part.forms.has(exactForms[category] ?? ""),
      );
      if (missing.length === 0) continue;
      const forms = `${missing.length > 1 ? "forms" : "form"} ${missing.map(quoted).join(", ")}`;
      report(
        lineOfKey(language, key),
        `the message ${quoted(key)} lacks the plural ${forms}, which ${locale} has`,
        "warning",
      );
    }
  }
}

/** Returns the categories of ordinary numbers. French, for example, has another one, only for whole millions. */
function categoriesOf(locale: string, type: Intl.PluralRuleType): string[] {
  const rules = new Intl.PluralRules([locale, "en"], { type });
  const used = new Set<string>(samples.map((number) => rules.select(number)));
  return ["zero", "one", "two", "few", "many"].filter((category) => used.has(category));
}

/** Returns the line of a message, or of the object in which it is missing. */
function lineOfKey({ texts, lineOf }: MessageLanguage, key: string): number {
  return lineOf(texts.get(key)?.path ?? key.split("."));
}

/** Returns the languages whose messages stand in for messages of a language, the language itself first. */
function standIns(languages: readonly MessageLanguage[], locale: string): MessageLanguage[] {
  return fallbackLocales(locale).flatMap((tag) => languages.find((language) => language.locale === tag) ?? []);
}
