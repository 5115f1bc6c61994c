// Checks the files of `locales/` against each other and against the pages: messages that are missing in a language, that
// nothing uses, or whose arguments or plurals differ from what they should be.
import { allParts } from "../../../liquid/messages/message.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { findingCollector, type Finding, type FindingCollector } from "../finding.ts";
import { argumentsByLanguage, lineOfKey, standIns, type MessageLanguage } from "./message-language.ts";
import type { MessageUses } from "./message-uses.ts";

/** Returns the findings in the order of the files. */
export function checkLanguages(uses: MessageUses): Finding[] {
  const { languages } = uses;
  return languages.flatMap((language) => {
    const collector = findingCollector();
    checkMissing(uses, language, collector);
    checkUnused(uses, language, collector);
    checkArguments(uses, language, collector);
    checkPlurals(language, collector);
    const { file } = language;
    return collector.findings.map((finding): Finding => ({ ...finding, file })).sort((a, b) => a.line - b.line);
  });
}

/** Reports messages that are used, but exist neither in this language nor in one that stands in for it. */
function checkMissing({ used, languages }: MessageUses, language: MessageLanguage, { report, isFull }: FindingCollector): void {
  const chain = standIns(languages, language.locale);
  for (const [key, { file, line }] of used) {
    if (isFull()) return;
    if (chain.some(({ texts }) => texts.has(key))) continue;
    report(lineOfKey(language, key), `the message ${quoted(key)} is missing; ${file} uses it in line ${line}`);
  }
}

/** Reports each message that nothing uses once, in the template's own language if it is there. */
function checkUnused(uses: MessageUses, language: MessageLanguage, { report, isFull }: FindingCollector): void {
  if (uses.usesAny) return;
  const missing = [...uses.used.keys()].filter((key) => !language.texts.has(key));
  const order = [...standIns(uses.languages, uses.ownLocale), ...uses.languages];
  for (const key of language.texts.keys()) {
    if (isFull()) return;
    const isReportedHere = order.find(({ texts }) => texts.has(key)) === language;
    if (uses.used.has(key) || !isReportedHere) continue;
    const similar = uses.similarKey(key, missing);
    report(lineOfKey(language, key), `the message ${quoted(key)} is not used in any page, header or footer${similar ? `; did you mean ${quoted(similar)}?` : ""}`, "warning");
  }
}

/** Reports messages whose arguments differ from those in the template's own language. */
function checkArguments({ languages, ownLocale }: MessageUses, language: MessageLanguage, { report, isFull }: FindingCollector): void {
  const own = standIns(languages, ownLocale);
  if (own.includes(language)) return;
  for (const key of language.texts.keys()) {
    if (isFull()) return;
    const [ownArguments] = argumentsByLanguage(own, key);
    const [theseArguments] = argumentsByLanguage([language], key);
    if (!ownArguments || !theseArguments) continue;
    const [[{ file }, expected], [, names]] = [ownArguments, theseArguments];
    const line = lineOfKey(language, key);
    const message = `the message ${quoted(key)}`;
    for (const name of without(expected, names)) report(line, `${message} does not print the argument ${quoted(name)}, unlike in ${file}`, "warning");
    for (const name of without(names, expected)) report(line, `${message} prints the argument ${quoted(name)}, unlike in ${file}`, "warning");
  }
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...names].filter((name) => !others.has(name));
}

/** With these numbers, every plural form of ordinary numbers is found. Some forms are only for fractions. */
const samples = [...Array.from({ length: 201 }, (_, number) => number), 0.5, 1.5];
/** The numbers that have a form of their own, as in `=1`, instead of these categories. */
const exactForms: Record<string, string> = { zero: "=0", one: "=1", two: "=2" };

function checkPlurals(language: MessageLanguage, { report, isFull }: FindingCollector): void {
  const categories = { cardinal: categoriesOf(language.locale, "cardinal"), ordinal: categoriesOf(language.locale, "ordinal") };
  for (const [key, message] of language.messages) {
    for (const part of allParts(message)) {
      if (isFull()) return;
      if (part.kind !== "plural") continue;
      const { needed, all } = categories[part.type];
      const missing = needed.filter((category) => !part.forms.has(category) && !part.forms.has(exactForms[category] ?? ""));
      const useless = [...part.forms.keys()].filter((form) => !form.startsWith("=") && !all.includes(form));
      const line = lineOfKey(language, key);
      const at = `the message ${quoted(key)}`;
      if (missing.length > 0) report(line, `${at} lacks the plural ${missing.length > 1 ? "forms" : "form"} ${missing.map(quoted).join(", ")}, which ${language.locale} has`, "warning");
      if (useless.length > 0) report(line, `${at} has the plural ${useless.length > 1 ? "forms" : "form"} ${useless.map(quoted).join(", ")}, which ${language.locale} never uses`, "warning");
    }
  }
}

/** `needed` are the categories of ordinary numbers. French, for example, has another one, only for whole millions. */
function categoriesOf(locale: string, type: Intl.PluralRuleType): { needed: string[]; all: string[] } {
  const rules = new Intl.PluralRules([locale, "en"], { type });
  const used = new Set<string>(samples.map((number) => rules.select(number)));
  const needed = ["zero", "one", "two", "few", "many"].filter((category) => used.has(category));
  return { needed, all: [...rules.resolvedOptions().pluralCategories, "other"] };
}
