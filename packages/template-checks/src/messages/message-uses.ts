// The messages that the files of a template print.
import { similarName } from "colophon-base/similar-name";
import type { MessageLanguage } from "colophon-template-model/used-locales";

/** Where a message is used. `line` counts from 1. */
export type Place = { file: string; line: number };

const maxSuggestions = 20;

export class MessageUses {
  readonly languages: readonly MessageLanguage[];
  readonly ownLocale: string;
  /** The messages that are used, each with the first place that uses it. */
  readonly used = new Map<string, Place>();
  #suggestions = 0;
  readonly #keys: ReadonlySet<string>;

  constructor(languages: readonly MessageLanguage[], ownLocale: string) {
    this.languages = languages;
    this.ownLocale = ownLocale;
    this.#keys = new Set(languages.flatMap(({ texts }) => [...texts.keys()]));
  }

  use(key: string, place: Place): void {
    if (!this.used.has(key)) this.used.set(key, place);
  }

  /** Returns the one of the keys that was probably meant, or null. Comparing keys takes time, so only some are looked for. */
  similarKey(key: string): string | null {
    return this.#suggestions++ < maxSuggestions ? similarName(key, this.#keys) : null;
  }

  exists(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Returns the keys that begin with a text. */
  keysFrom(start: string): string[] {
    return [...this.#keys].filter((key) => key.startsWith(start));
  }
}
