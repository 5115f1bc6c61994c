import { similarName } from "colophon-base/similar-name";
// Checks the uses of the filter `t`, and compares the files in `locales/` with them and with the plural rules of their
// languages.
import { quoted } from "colophon-base/text";
import { allParts, argumentNames } from "colophon-liquid-filters/messages";
import { fallbackLocales } from "colophon-liquid/locale";
import type { FilterUse } from "colophon-liquid/syntax";
import type { MessageLanguage } from "colophon-template-model/used-locales";
import { findingCollector, type CheckBudget, type Finding, type FindingCollector, type Report } from "./findings.ts";
import type { ValueType } from "./liquid/value-type.ts";

/** The messages of a template, and which of them its files use. */
export type MessageUses = {
  languages: readonly MessageLanguage[];
  ownLocale: string;
  keys: ReadonlySet<string>;
  /** The used messages, each with its first use. */
  used: Map<string, { file: string; line: number }>;
  /** How many more unknown keys may be compared with all existing keys, which takes time. */
  suggestionsLeft: number;
};

export function messageUses(languages: readonly MessageLanguage[], ownLocale: string): MessageUses {
  const keys = new Set(languages.flatMap(({ texts }) => [...texts.keys()]));
  return { languages, ownLocale, keys, used: new Map(), suggestionsLeft: 20 };
}

type UsingFile = { file: string; messages: MessageUses; report: Report; isFull(): boolean };

/** Checks whether the message of one use exists and gets the arguments that it needs. */
export function checkMessageUse(using: UsingFile, use: FilterUse, input: ValueType): void {
  const { file, messages, report } = using;
  const { line } = use;
  if (messages.languages.length === 0) {
    report(line, `the filter \`t\` needs messages; add a file such as locales/${messages.ownLocale}.json`);
    return;
  }
  const known = input.kind === "string" ? input.known : undefined;
  if (!known) return;
  const { text, isWhole } = known;
  const all = messages.keys;
  const keys = isWhole ? [text].filter((key) => all.has(key)) : [...all].filter((key) => key.startsWith(text));
  for (const key of keys) if (!messages.used.has(key)) messages.used.set(key, { file, line });
  const [first] = keys;
  if (first !== undefined) checkArguments(using, use, first);
  else if (!using.isFull())
    report(line, isWhole ? unknownKey(messages, text) : `no message has a key that begins with ${quoted(text)}`);
}

function unknownKey(messages: MessageUses, key: string): string {
  const similar = messages.suggestionsLeft-- > 0 ? similarName(key, messages.keys) : null;
  const more = similar === null ? " in locales/" : `; did you mean ${quoted(similar)}?`;
  return `there is no message ${quoted(key)}${more}`;
}

/** Reports arguments that the message has in no language, and missing arguments that it needs in some language. */
function checkArguments({ messages, report }: UsingFile, { named, line }: FilterUse, key: string): void {
  const needed = new Set(
    messages.languages.flatMap(({ messages: parsed }) => [...argumentNames(parsed.get(key) ?? [])]),
  );
  const given = named.map(([name]) => name);
  const missing = new Set([...needed].filter((name) => !given.includes(name)));
  for (const name of given.filter((each) => !needed.has(each))) {
    const similar = similarName(name, missing);
    if (similar !== null) missing.delete(similar);
    const at = `the argument ${quoted(name)} of the message ${quoted(key)}`;
    report(line, similar ? `${at}: did you mean ${quoted(similar)}?` : `${at} does not exist`);
  }
  for (const name of missing)
    report(line, `the message ${quoted(key)} needs the argument ${quoted(name)}, as in ${quoted(`t: ${name}: …`)}`);
}

export function checkLanguages(uses: MessageUses, budget: CheckBudget): Finding[] {
  const { languages } = uses;
  return languages.flatMap((language) => {
    const collector = findingCollector(budget);
    checkMissing(uses, language, collector);
    checkPlurals(language, collector);
    return collector.findings.map((finding): Finding => ({ ...finding, file: language.file }));
  });
}

/** Reports messages that are used but exist neither in this language nor in its fallbacks. */
function checkMissing(
  { used, languages }: MessageUses,
  language: MessageLanguage,
  { report, isFull }: FindingCollector,
): void {
  const tags = fallbackLocales(language.locale);
  const standIns = languages.filter(({ locale }) => tags.includes(locale));
  for (const [key, { file, line }] of used) {
    if (isFull()) return;
    if (standIns.some(({ texts }) => texts.has(key))) continue;
    report(lineOfKey(language, key), `the message ${quoted(key)} is missing; ${file} uses it on line ${line}`);
  }
}

/** These numbers cover every plural form of ordinary numbers. Some forms are only for fractions. */
const samples = [...Array.from({ length: 201 }, (_, number) => number), 0.5, 1.5];
/** The exact forms, such as `=1`, that can replace these categories. */
const exactForms: Record<string, string> = { zero: "=0", one: "=1", two: "=2" };

function checkPlurals(language: MessageLanguage, { report, isFull }: FindingCollector): void {
  const { locale, messages } = language;
  const needed = { cardinal: categoriesOf(locale, "cardinal"), ordinal: categoriesOf(locale, "ordinal") };
  for (const [key, parsed] of messages) {
    for (const part of allParts(parsed)) {
      if (isFull()) return;
      if (part.kind !== "plural") continue;
      const missing = needed[part.type].filter(
        (category) => !part.forms.has(category) && !part.forms.has(exactForms[category] ?? ""),
      );
      if (missing.length === 0) continue;
      const forms = `${missing.length > 1 ? "forms" : "form"} ${missing.map(quoted).join(", ")}`;
      const message = `the message ${quoted(key)} lacks the plural ${forms}, which ${locale} has`;
      report(lineOfKey(language, key), message, "warning");
    }
  }
}

/** Returns the categories of ordinary numbers. French, for example, has an additional one only for whole millions. */
function categoriesOf(locale: string, type: Intl.PluralRuleType): string[] {
  const rules = new Intl.PluralRules([locale, "en"], { type });
  const used = new Set<string>(samples.map((number) => rules.select(number)));
  return ["zero", "one", "two", "few", "many"].filter((category) => used.has(category));
}

/** Returns the line of a message, or of the object that lacks it. */
function lineOfKey({ texts, lineOf }: MessageLanguage, key: string): number {
  return lineOf(texts.get(key)?.path ?? key.split("."));
}
