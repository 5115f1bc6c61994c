// Checks one use of the filter `t`: whether its message exists, and whether it gets the arguments that it needs.
import { allParts } from "../../../liquid/messages/message.ts";
import type { FilterUse } from "../../../liquid/syntax/tree.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { similarName } from "../../../similar-name.ts";
import type { FilterInput, TypedArgument } from "../filters/filter-values.ts";
import { expressionText } from "../paths/expression-text.ts";
import type { FileCheck } from "../paths/file-check.ts";
import { describe, flatItem, type ValueType } from "../paths/value-type.ts";
import { argumentsByLanguage } from "./message-language.ts";
import type { MessageUses } from "./message-uses.ts";

type Named = ReadonlyMap<string, TypedArgument>;

export function checkMessageUse(check: FileCheck, use: FilterUse, input: FilterInput, named: Named): void {
  const { messages } = check;
  if (messages.languages.length === 0) {
    check.report(use.line, `the filter \`t\` needs messages; add a file such as locales/${messages.ownLocale}.json`);
    return;
  }
  const texts = input.type.kind === "string" ? input.type.texts : undefined;
  if (!texts) return messages.useAny();
  const keys = new Set<string>();
  for (const { text, isWhole } of texts) {
    const found = isWhole ? [text].filter((key) => messages.exists(key)) : messages.keysFrom(text);
    for (const key of found) keys.add(key);
    if (found.length === 0 && !check.isFull()) check.report(use.line, isWhole ? unknownKey(messages, text) : `no message has a key that begins with ${quoted(text)}`);
  }
  for (const key of keys) messages.use(key, { file: check.file, line: use.line });
  if (keys.size > 0) checkArguments(check, use, { keys, named });
}

function unknownKey(messages: MessageUses, key: string): string {
  const similar = messages.similarKey(key);
  if (similar !== null) return `there is no message ${quoted(key)}; did you mean ${quoted(similar)}?`;
  const [inner] = messages.keysFrom(`${key}.`);
  const problem = `there is no message ${quoted(key)} in locales/`;
  return inner === undefined ? problem : `${problem}, only messages inside it, such as ${quoted(inner)}`;
}

/** What is given to the messages that a use may print. */
type Given = { keys: ReadonlySet<string>; named: Named };

function checkArguments(check: FileCheck, use: FilterUse, given: Given): void {
  const { needed, known } = neededArguments(check.messages, given);
  const misnamed = new Set<string>();
  const shown = quoted([...given.keys][0] ?? "");
  for (const name of given.named.keys()) {
    if (known.has(name)) continue;
    const similar = similarName(name, needed.keys());
    if (similar !== null) misnamed.add(similar);
    check.report(use.line, similar ? `the argument ${quoted(name)} of the message ${shown}: did you mean ${quoted(similar)}?` : `the message ${shown} has no argument ${quoted(name)}${listed(known)}`);
  }
  for (const [name, key] of needed) {
    if (misnamed.has(name)) continue;
    check.report(use.line, `the message ${quoted(key)} needs the argument ${quoted(name)}, as in ${quoted(`t: ${name}: …`)}`);
  }
  checkTypes(check, use, given);
}

function listed(known: ReadonlySet<string>): string {
  return known.size === 0 ? "" : `, only ${[...known].map(quoted).join(", ")}`;
}

/** `known` are all arguments of the messages, and `needed` those that are not given, each with a message that needs it. */
function neededArguments(messages: MessageUses, { keys, named }: Given): { needed: Map<string, string>; known: Set<string> } {
  const needed = new Map<string, string>();
  const known = new Set<string>();
  for (const key of keys) {
    for (const [, names] of argumentsByLanguage(messages.languages, key)) {
      for (const name of names) {
        known.add(name);
        if (!named.has(name)) needed.set(name, key);
      }
    }
  }
  return { needed, known };
}

function checkTypes(check: FileCheck, use: FilterUse, { keys, named }: Given): void {
  for (const key of keys) {
    for (const { messages } of check.messages.languages) {
      for (const part of allParts(messages.get(key) ?? [])) {
        if (check.isFull()) return;
        const argument = "name" in part ? named.get(part.name) : undefined;
        if (!argument || accepts[part.kind](argument.type)) continue;
        const { expression, type } = argument;
        check.report(use.line, `the message ${quoted(key)} needs ${words[part.kind]} as ${quoted("name" in part ? part.name : "")}, and ${quoted(expressionText(expression))} is ${describe(type)}`);
      }
    }
  }
}

type PartKind = "value" | "number" | "date" | "time" | "plural" | "select" | "count";
type Accepts = (type: ValueType) => boolean;

const isText: Accepts = (type) => !["list", "object"].includes(type.kind) || flatItem(type).kind === "unknown";
const isNumber: Accepts = (type) => ["number", "unknown", "nil"].includes(type.kind) || (type.kind === "string" && type.format === undefined);
const isDate: Accepts = (type) => ["number", "unknown", "nil"].includes(type.kind) || (type.kind === "string" && type.format !== "image");
const accepts: Record<PartKind, Accepts> = {
  value: isText,
  select: isText,
  number: isNumber,
  plural: isNumber,
  date: isDate,
  time: isDate,
  count: () => true,
};

const words: Record<PartKind, string> = {
  value: "text or a number",
  select: "text",
  number: "a number",
  plural: "a number",
  date: "a date",
  time: "a date",
  count: "",
};
