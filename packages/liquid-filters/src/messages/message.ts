// The parts of a parsed message from a template's `locales/`.

/** The maximum number of characters of a message's key. */
export const maxKeyChars = 200;

/** The output of a message, piece by piece. Strings are printed unchanged. */
export type Message = readonly MessagePart[];

export type MessagePart =
  | string
  /** `{name}`: the value, printed as by `{{ name }}`. */
  | { kind: "value"; name: string }
  | { kind: "number"; name: string; options: Intl.NumberFormatOptions }
  /** `style` is an argument of the filter `date` or `time`; undefined for its default. */
  | { kind: "date" | "time"; name: string; style: string | undefined }
  /** The keys of `forms` are `=` and a number, or CLDR plural categories; `other` always exists. */
  | { kind: "plural"; name: string; type: Intl.PluralRuleType; offset: number; forms: ReadonlyMap<string, Message> }
  /** The keys of `forms` are values, and `other`, which always exists. */
  | { kind: "select"; name: string; forms: ReadonlyMap<string, Message> }
  /** `#`: the number of the enclosing plural. */
  | { kind: "count" };

/** Returns all parts of a message, including the parts inside its forms. */
export function* allParts(message: Message): Generator<Exclude<MessagePart, string>> {
  for (const part of message) {
    if (typeof part === "string") continue;
    yield part;
    if ("forms" in part) for (const form of part.forms.values()) yield* allParts(form);
  }
}

/** Returns the names of the arguments that a message uses. */
export function argumentNames(message: Message): Set<string> {
  const names = new Set<string>();
  for (const part of allParts(message)) if ("name" in part) names.add(part.name);
  return names;
}
