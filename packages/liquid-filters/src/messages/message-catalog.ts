// The messages of a template version by language, and the choice of messages for a render in a locale.
import { fallbackLocales } from "colophon-liquid/locale";
import type { Meter } from "colophon-liquid/meter";
import type { Message } from "./message.ts";
import { parseMessage } from "./parse-message.ts";

const costs = {
  /** Looking up a message in a language. */
  message: 250,
  /** Parsing a message, and each of its characters. */
  parsedMessage: 2_000,
  parsedMessageChar: 100,
} as const;

/** The messages of a language, by key. */
export type MessageTexts = ReadonlyMap<string, string>;

/** `locale` is the language of the message, whose rules for plurals apply. */
export type FoundMessage = { locale: string; message: Message };

/** The messages that one render uses. */
export type Messages = {
  /** Returns the message in the best language that has it; null if no language does. */
  find(meter: Meter, key: string): FoundMessage | null;
  /** The languages in which a message is searched for. */
  locales: readonly string[];
};

/** All messages of a version. Its renders share the parsed messages. */
export type MessageCatalog = {
  languages: ReadonlyMap<string, MessageTexts>;
  parsed: Map<string, Message>;
  /** The total length of the messages in `parsed`. */
  parsedChars: number;
};

/** A parsed message takes up to `bytesPerParsedChar` bytes for each character, so the cache is emptied at this total length. */
export const maxParsedChars = 100_000;
export const bytesPerParsedChar = 20;

export function messageCatalog(languages: ReadonlyMap<string, MessageTexts>): MessageCatalog {
  return { languages, parsed: new Map(), parsedChars: 0 };
}

/**
 * Returns the languages in which a render in `locale` searches for a message, the best first: fallbacks of the locale,
 * then fallbacks of the template's own locale.
 */
export function messageLocales(languages: Iterable<string>, locale: string, ownLocale: string): string[] {
  const known = new Set(languages);
  return [...new Set([...fallbackLocales(locale), ...fallbackLocales(ownLocale)])].filter((tag) => known.has(tag));
}

/** Returns the messages for a render in `locale`. */
export function messagesFor(catalog: MessageCatalog, locale: string, ownLocale: string): Messages {
  const locales = messageLocales(catalog.languages.keys(), locale, ownLocale);
  return {
    locales,
    find(meter, key) {
      for (const tag of locales) {
        meter.charge(costs.message);
        const text = catalog.languages.get(tag)?.get(key);
        if (text !== undefined) return { locale: tag, message: parsed(catalog, meter, { tag, key, text }) };
      }
      return null;
    },
  };
}

type Place = { tag: string; key: string; text: string };

function parsed(catalog: MessageCatalog, meter: Meter, { tag, key, text }: Place): Message {
  const id = `${tag} ${key}`;
  const cached = catalog.parsed.get(id);
  if (cached) return cached;
  meter.charge(costs.parsedMessage + text.length * costs.parsedMessageChar);
  const result = parseMessage(text);
  // A push refuses messages that cannot be parsed.
  if (result.status === "problem") throw new Error(`the message ${key} cannot be parsed`);
  if (catalog.parsedChars + text.length > maxParsedChars) {
    catalog.parsed.clear();
    catalog.parsedChars = 0;
  }
  catalog.parsed.set(id, result.message);
  catalog.parsedChars += text.length;
  return result.message;
}
