// Reads the messages of a file in `locales/`. Objects are only a way of writing keys: `{ "invoice": { "due": "…" } }` has
// the key `invoice.due`.
import { maxKeyChars } from "colophon-liquid-filters/messages";
import { shortened } from "colophon-base/text";

/** The maximum number of messages in one file. */
export const maxMessages = 5_000;
/** The maximum nesting of objects in a file. */
export const maxLocaleDepth = 10;

/** A message. `path` is its place in the file. */
export type LocaleText = { key: string; text: string; path: string[] };

export type LocaleProblem = { path: string[]; reason: string };

/** Returns the messages by their keys, and what is wrong with the file apart from the messages themselves. */
export function localeTexts(value: object): { texts: Map<string, LocaleText>; problems: LocaleProblem[] } {
  const texts = new Map<string, LocaleText>();
  const problems: LocaleProblem[] = [];
  const visit = (object: object, outer: string[]): void => {
    for (const [name, inner] of Object.entries(object) as [string, unknown][]) {
      const path = [...outer, name];
      const key = path.join(".");
      const reason =
        keyProblem(name, key) ??
        valueProblem(inner) ??
        (texts.has(key) ? `the key ${shown(key)} occurs twice in the file` : null);
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
    ? `a key may have at most ${maxKeyChars} characters, those of the objects around it included`
    : null;
}

function valueProblem(value: unknown): string | null {
  const isAllowed = typeof value === "string" || (typeof value === "object" && value !== null && !Array.isArray(value));
  return isAllowed ? null : "a message must be a text, or an object that contains messages";
}

function shown(key: string): string {
  return JSON.stringify(shortened(key));
}
