// Reads the files in `locales/`, and checks each message individually. Whether the pages use them correctly is checked later.
import { quoted, shortened } from "colophon-base/text";
import { maxKeyChars, messageLocales, parseMessage, type Message } from "colophon-liquid-filters/messages";
import { canonicalLocale, isKnownLanguage, localeExpected } from "colophon-liquid/locale";
import type { LocaleFile, TemplateManifest } from "../../template.ts";
import { parseJsonObject, type JsonFile } from "../json-file.ts";
import { maxProblems, type FileProblem } from "../template-files.ts";
import type { OpenedFolder } from "./opened-folder.ts";

/** A message. `path` is its location in the file. */
type LocaleText = { key: string; text: string; path: string[] };

type LocaleProblem = { path: string[]; reason: string };

/** The messages of one file of `locales/`. `lineOf` returns the line of a path in the file. */
export type MessageLanguage = {
  locale: string;
  file: string;
  texts: ReadonlyMap<string, LocaleText>;
  messages: ReadonlyMap<string, Message>;
  lineOf(path: string[]): number;
};

/** A file of `locales/` with its messages. */
type ReadLocale = LocaleFile & MessageLanguage;

/** The maximum total number of characters in all files. */
const maxLocalesChars = 1_000_000;
/** The maximum number of messages in one file. */
const maxMessages = 5_000;
/** The maximum nesting of objects in a file. */
const maxLocaleDepth = 10;

/** Returns the valid files, by language. */
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

/** Returns the language in the name of the file. */
function localeOf({ problems }: OpenedFolder, name: string): string | null {
  const tag = name.endsWith(".json") ? name.slice(0, -".json".length) : null;
  const canonical = tag === null ? null : canonicalLocale(tag);
  const reason = nameProblem(tag, canonical);
  if (reason === null) return canonical;
  problems.push({ file: `locales/${name}`, line: 1, reason });
  return null;
}

function nameProblem(tag: string | null, canonical: string | null): string | null {
  if (canonical === null) return `the name of a file in locales/ must be ${localeExpected}, followed by .json`;
  if (canonical !== tag) return `its name must be written as ${canonical}.json`;
  return isKnownLanguage(canonical) ? null : `${quoted(canonical)} is not a known language`;
}

function readLocale({ problems }: OpenedFolder, { locale, file, source }: LocaleFile & { file: string }): ReadLocale[] {
  const parsed = parseJsonObject(file, source, maxLocaleDepth);
  if (parsed.status === "broken") {
    problems.push(...parsed.problems);
    return [];
  }
  const { json } = parsed;
  const { texts, problems: found } = localeTexts(parsed.value);
  const messages = new Map<string, Message>();
  if (found.length === 0) found.push(...parseAll(texts.values(), messages));
  for (const { path, reason } of found.slice(0, maxProblems)) problems.push({ file, line: json.lineOf(path), reason });
  return [{ locale, file, source, texts, messages, lineOf: json.lineOf }];
}

/**
 * Returns the messages by key, and the problems of the file other than in the messages themselves. Objects are only a notation for keys:
 * `{ "invoice": { "due": "…" } }` has the key `invoice.due`.
 */
function localeTexts(value: object): { texts: Map<string, LocaleText>; problems: LocaleProblem[] } {
  const texts = new Map<string, LocaleText>();
  const problems: LocaleProblem[] = [];
  const visit = (object: object, outer: string[]): void => {
    for (const [name, inner] of Object.entries(object) as [string, unknown][]) {
      const path = [...outer, name];
      const key = path.join(".");
      const reason =
        keyProblem(name, key) ??
        valueProblem(inner) ??
        (texts.has(key) ? `the key ${JSON.stringify(shortened(key))} occurs twice in the file` : null);
      if (reason !== null) problems.push({ path, reason });
      else if (typeof inner === "string") texts.set(key, { key, text: inner, path });
      else visit(inner as object, path);
    }
  };
  visit(value, []);
  if (texts.size > maxMessages) {
    problems.push({
      path: [],
      reason: `the file has ${texts.size} messages; at most ${maxMessages.toLocaleString("en-US")} are allowed`,
    });
  }
  return { texts, problems };
}

function keyProblem(name: string, key: string): string | null {
  if (name === "" || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return "a key must not be empty or contain control characters";
  return key.length > maxKeyChars
    ? `a key may have at most ${maxKeyChars} characters, including the keys of the objects around it`
    : null;
}

function valueProblem(value: unknown): string | null {
  const isAllowed = typeof value === "string" || (typeof value === "object" && value !== null && !Array.isArray(value));
  return isAllowed ? null : "a message must be a string, or an object that contains messages";
}

/** Adds the messages that can be parsed to `messages`, and returns the problems of the others. */
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

/** Returns a problem if the template has messages but none in its own language. `manifestJson` is its `template.json`. */
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
