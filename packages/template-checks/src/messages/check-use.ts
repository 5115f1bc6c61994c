// Checks one use of the filter `t`: whether its message exists, and whether it gets the arguments that it needs.
import { similarName } from "colophon-base/similar-name";
import { argumentNames } from "colophon-liquid-filters/messages";
import type { FilterUse } from "colophon-liquid/syntax";
import { quoted } from "colophon-base/quoted";
import type { FileCheck } from "../liquid/file-check.ts";
import type { ValueType } from "../liquid/value-type.ts";
import type { MessageUses } from "./message-uses.ts";

export function checkMessageUse(check: FileCheck, use: FilterUse, input: ValueType): void {
  const { messages, report } = check;
  if (messages.languages.length === 0) {
    report(use.line, `the filter \`t\` needs messages; add a file such as locales/${messages.ownLocale}.json`);
    return;
  }
  const known = input.kind === "string" ? input.known : undefined;
  if (!known) return;
  const { text, isWhole } = known;
  const keys = isWhole ? [text].filter((key) => messages.exists(key)) : messages.keysFrom(text);
  for (const key of keys) messages.use(key, { file: check.file, line: use.line });
  const [first] = keys;
  if (first !== undefined) checkArguments(check, use, first);
  else if (!check.isFull())
    report(use.line, isWhole ? unknownKey(messages, text) : `no message has a key that begins with ${quoted(text)}`);
}

function unknownKey(messages: MessageUses, key: string): string {
  const similar = messages.similarKey(key);
  return similar === null
    ? `there is no message ${quoted(key)} in locales/`
    : `there is no message ${quoted(key)}; did you mean ${quoted(similar)}?`;
}

/** Reports arguments that no language of the message has, and those that one of them needs. */
function checkArguments({ messages, report }: FileCheck, { named, line }: FilterUse, key: string): void {
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
