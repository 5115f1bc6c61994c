// Reads the files in `locales/`, and checks each message by itself. Whether the pages use them correctly is checked later.
import { canonicalLocale, isKnownLanguage, localeExpected } from "colophon-liquid/locale";
import { messageLocales, parseMessage, type Message } from "colophon-liquid-filters/messages";
import { localeTexts, maxLocaleDepth, type LocaleProblem, type LocaleText } from "../../locales/locale-texts.ts";
import { quoted } from "colophon-base/quoted";
import type { LocaleFile, TemplateManifest } from "../../template.ts";
import { parseJsonFile, type JsonFile } from "../json-file.ts";
import { maxProblems, type FileProblem } from "../template-files.ts";
import type { OpenedFolder } from "./opened-folder.ts";

/** The messages of one file of `locales/`. `lineOf` returns the line of a path in the file. */
export type MessageLanguage = {
  locale: string;
  file: string;
  texts: ReadonlyMap<string, LocaleText>;
  messages: ReadonlyMap<string, Message>;
  lineOf(path: string[]): number;
};

/** A file of `locales/` with its messages. */
export type ReadLocale = LocaleFile & MessageLanguage;

/** The maximum number of characters of all files together. */
const maxLocalesChars = 1_000_000;

/** Returns the files that are valid, by their languages. */
export function usedLocales(folder: OpenedFolder): ReadLocale[] {
  const read = folder.inside("locales").flatMap(({ path }) => {
    const file = `locales/${path}`;
    const locale = localeOf(folder, path);
    const source = locale === null ? null : folder.text(file);
    return locale === null || source === null ? [] : readLocale(folder, { locale, file, source });
  });
  const chars = read.reduce((sum, { source }) => sum + source.length, 0);
  const reason = `the files in locales/ have ${chars} characters; at most ${maxLocalesChars.toLocaleString("en-US")} are allowed`;
  if (chars > maxLocalesChars) folder.problems.push({ file: "locales", line: 1, reason });
  return read.sort((a, b) => (a.locale < b.locale ? -1 : 1));
}

/** Returns the language for which the file is named. */
function localeOf({ problems }: OpenedFolder, name: string): string | null {
  const tag = name.endsWith(".json") ? name.slice(0, -".json".length) : null;
  const canonical = tag === null ? null : canonicalLocale(tag);
  const reason = nameProblem(tag, canonical);
  if (reason === null) return canonical;
  problems.push({ file: `locales/${name}`, line: 1, reason });
  return null;
}

function nameProblem(tag: string | null, canonical: string | null): string | null {
  if (canonical === null) return `the name of a file in locales/ is ${localeExpected}, followed by .json`;
  if (canonical !== tag) return `its name must be written ${canonical}.json`;
  return isKnownLanguage(canonical) ? null : `${quoted(canonical)} is not a known language`;
}

function readLocale({ problems }: OpenedFolder, { locale, file, source }: LocaleFile & { file: string }): ReadLocale[] {
  const parsed = parseJsonFile(source, maxLocaleDepth);
  if (parsed.status === "malformed") {
    problems.push(...parsed.problems.map((problem) => ({ file, ...problem })));
    return [];
  }
  const { json } = parsed;
  if (typeof json.value !== "object" || json.value === null || Array.isArray(json.value)) {
    problems.push({ file, line: 1, reason: "the file must contain a JSON object" });
    return [];
  }
  const { texts, problems: found } = localeTexts(json.value);
  const messages = new Map<string, Message>();
  if (found.length === 0) found.push(...parseAll(texts.values(), messages));
  for (const { path, reason } of found.slice(0, maxProblems)) problems.push({ file, line: json.lineOf(path), reason });
  return [{ locale, file, source, texts, messages, lineOf: json.lineOf }];
}

/** Adds the messages that can be parsed to `messages`, and returns what is wrong with the others. */
function parseAll(texts: Iterable<LocaleText>, messages: Map<string, Message>): LocaleProblem[] {
  const problems: LocaleProblem[] = [];
  for (const { key, text, path } of texts) {
    const parsed = parseMessage(text);
    if (parsed.status === "parsed") messages.set(key, parsed.message);
    else problems.push({ path, reason: `${quoted(key)}: ${parsed.reason}` });
    if (problems.length >= maxProblems) break;
  }
  return problems;
}

/** Returns a problem if the template has messages, but none in its own language. `manifestJson` is its `template.json`. */
export function ownLocaleProblem(
  { locale }: TemplateManifest,
  locales: ReadLocale[],
  manifestJson: JsonFile,
): FileProblem[] {
  const tags = locales.map((file) => file.locale);
  if (tags.length === 0 || messageLocales(tags, locale, locale).length > 0) return [];
  const reason = `locale: there are no messages in the template's own language; add locales/${locale}.json, or set \`locale\` to one of ${tags.map(quoted).join(", ")}`;
  return [{ file: "template.json", line: manifestJson.lineOf(["locale"]), reason }];
}
