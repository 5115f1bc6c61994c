// Parses messages in ICU MessageFormat, and refuses the parts of the format that templates do not support. Every message is parsed when
// a template is pushed, so the messages of a render are always valid.
import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { shortened } from "colophon-base/text";
import { isDateStyle, skeletonOptions } from "colophon-liquid/date-skeleton";
import type { Message, MessagePart } from "./message.ts";

export type ParsedMessage = { status: "parsed"; message: Message } | { status: "problem"; reason: string };

/** The maximum number of characters of a message. It also bounds the parser's recursion. */
const maxMessageChars = 5_000;
/** The maximum nesting of plurals and selects. */
const maxDepth = 5;

/** Thrown by the functions below, and caught by `parseMessage`. */
class MessageProblem extends Error {}

export function parseMessage(text: string): ParsedMessage {
  try {
    if (text.length > maxMessageChars) {
      throw new MessageProblem(`a message may have at most ${maxMessageChars.toLocaleString("en-US")} characters`);
    }
    checkApostrophes(text);
    const strict = { requiresOtherClause: true, shouldParseSkeletons: false, captureEscapes: true };
    const elements = parse(text, { ignoreTag: true, ...strict });
    for (const element of elements) checkBraces(element);
    return { status: "parsed", message: messageOf(elements, 0) };
  } catch (error) {
    if (error instanceof MessageProblem) return { status: "problem", reason: error.message };
    if (error instanceof SyntaxError) return { status: "problem", reason: syntaxReason(error, text) };
    throw error;
  }
}

/** ICU prints a `}` without a preceding `{`, but in a template it is a mistake. */
function checkBraces(element: MessageFormatElement): void {
  if (element.type !== TYPE.literal || !element.value.includes("}")) return;
  const unquoted = (element.rawValue ?? "").replace(/'[{}<>](?:[^']|'')*(?:'|$)/g, "");
  if (unquoted.includes("}"))
    throw new MessageProblem("there is a `}` without a `{` before it; write `'}'` to print it");
}

function messageOf(elements: readonly MessageFormatElement[], depth: number): Message {
  if (depth > maxDepth) throw new MessageProblem(`plurals and selects are nested more than ${maxDepth} levels deep`);
  return elements.map((element) => partOf(element, depth));
}

function partOf(element: MessageFormatElement, depth: number): MessagePart {
  switch (element.type) {
    case TYPE.literal:
      return element.value;
    case TYPE.pound:
      return { kind: "count" };
    case TYPE.argument:
      return { kind: "value", name: nameOf(element) };
    case TYPE.number:
      return { kind: "number", name: nameOf(element), options: numberOptions(element.style) };
    case TYPE.date:
      return { kind: "date", name: nameOf(element), style: dateStyle(element, "MMMM yyyy") };
    case TYPE.time:
      return { kind: "time", name: nameOf(element), style: dateStyle(element, "jmm") };
    case TYPE.select:
      return { kind: "select", name: nameOf(element), forms: formsOf(element, depth) };
    case TYPE.plural: {
      const type = element.pluralType === "ordinal" ? "ordinal" : "cardinal";
      const forms = formsOf(element, depth);
      for (const key of forms.keys()) checkPluralForm(key);
      return { kind: "plural", name: nameOf(element), type, offset: element.offset, forms };
    }
    // Tags are parsed as text.
    case TYPE.tag:
      throw new MessageProblem("tags are not allowed");
  }
}

/** In `l'{item}`, ICU treats the apostrophe as the beginning of a quotation, so the argument would be printed as text. */
function checkApostrophes(text: string): void {
  const [, argument] = /\p{L}'(\{[A-Za-z_][A-Za-z0-9_]*\s*[},])/u.exec(text) ?? [];
  if (argument === undefined) return;
  throw new MessageProblem(`the apostrophe before \`${argument}\` makes it text; write two apostrophes there`);
}

type Forms = Extract<MessageFormatElement, { options: unknown }>["options"];

function formsOf({ options }: { options: Forms }, depth: number): ReadonlyMap<string, Message> {
  return new Map(Object.entries(options).map(([key, { value }]) => [key, messageOf(value, depth + 1)]));
}

/** Returns the name of an argument, which must also be valid as a named argument in Liquid. */
function nameOf({ value }: { value: string }): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return value;
  const rule = "its name must consist of letters, digits and `_`, as in `{date}`";
  throw new MessageProblem(`\`{${shortened(value, 40)}}\` is not an argument; ${rule}`);
}

const categories = ["zero", "one", "two", "few", "many", "other"];

function checkPluralForm(key: string): void {
  if (/^=(?:0|[1-9]\d{0,14})$/.test(key) || categories.includes(key)) return;
  const names = categories.map((name) => `\`${name}\``).join(", ");
  throw new MessageProblem(
    `there is no plural form \`${shortened(key, 40)}\`, only ${names}, and numbers such as \`=0\``,
  );
}

type Style<Kind> = Extract<MessageFormatElement, { type: Kind }> extends { style?: infer S } ? S : never;

const namedNumbers: Record<string, Intl.NumberFormatOptions> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: "percent", maximumFractionDigits: 0 },
};

function numberOptions(style: Style<TYPE.number> | undefined): Intl.NumberFormatOptions {
  if (style === null || style === undefined) return {};
  if (typeof style !== "string") return Object.assign({}, ...style.tokens.map(tokenOptions));
  const name = style.trim();
  return (Object.hasOwn(namedNumbers, name) ? namedNumbers[name] : undefined) ?? refusedNumber();
}

const maxDecimals = 20;

/**
 * Returns the options for one token of a number skeleton: `currency/EUR` has one option, `.00` means two decimals, `.##` up to
 * two, and `.0#` one or two.
 */
function tokenOptions({ stem, options: [option, ...more] }: NumberToken): Intl.NumberFormatOptions {
  if (more.length > 0) return refusedNumber();
  if (stem === "currency" && option && Intl.supportedValuesOf("currency").includes(option)) {
    return { style: "currency", currency: option };
  }
  if (stem === "group-off" && option === undefined) return { useGrouping: false };
  const [, zeros, signs] = /^\.(0*)(#*)$/.exec(stem) ?? [];
  if (option !== undefined || zeros === undefined || signs === undefined) return refusedNumber();
  if (stem.length - 1 > maxDecimals) return refusedNumber();
  return { minimumFractionDigits: zeros.length, maximumFractionDigits: zeros.length + signs.length };
}

type NumberToken = { stem: string; options: readonly string[] };

function refusedNumber(): never {
  throw new MessageProblem(
    "the style of a number must be `integer`, `percent`, or a skeleton made of `::currency/EUR`, `.00` and `group-off`",
  );
}

const maxSkeletonChars = 100;

/** Returns the argument of the filter `date` or `time`. `example` is a skeleton for the message about a mistake. */
function dateStyle({ style }: { style?: Style<TYPE.date> }, example: string): string | undefined {
  if (style === null || style === undefined) return undefined;
  const text = typeof style === "string" ? style.trim() : style.pattern;
  if (typeof style === "string" ? isDateStyle(text) : isSkeleton(text)) return text;
  throw new MessageProblem(
    `the style of a date or time must be \`short\`, \`medium\`, \`long\`, \`full\`, or a skeleton such as \`::${example}\``,
  );
}

function isSkeleton(text: string): boolean {
  return text.length <= maxSkeletonChars && !text.includes("%") && skeletonOptions(text) !== null;
}

/** The parser reports only the name of a mistake, as the error's message. */
const reasons: Record<string, string> = {
  EXPECT_ARGUMENT_CLOSING_BRACE: "a `}` is missing",
  EMPTY_ARGUMENT: "the name of an argument is missing between `{` and `}`",
  MALFORMED_ARGUMENT: "an argument must be a name, as in `{date}` or `{count, number}`",
  EXPECT_ARGUMENT_TYPE:
    "a type is missing after the comma; it must be `number`, `date`, `time`, `plural`, `selectordinal` or `select`",
  INVALID_ARGUMENT_TYPE:
    "the type of an argument must be `number`, `date`, `time`, `plural`, `selectordinal` or `select`",
  EXPECT_ARGUMENT_STYLE: "a style is missing after the comma",
  INVALID_NUMBER_SKELETON: "the style of the number is not a skeleton such as `::currency/EUR`",
  INVALID_DATE_TIME_SKELETON: "the style of the date is not a skeleton such as `::MMMM yyyy`",
  EXPECT_NUMBER_SKELETON: "a skeleton such as `currency/EUR` is missing after `::`",
  EXPECT_DATE_TIME_SKELETON: "a skeleton such as `MMMM yyyy` is missing after `::`",
  UNCLOSED_QUOTE_IN_ARGUMENT_STYLE: "a `'` in the style is not closed",
  EXPECT_SELECT_ARGUMENT_OPTIONS: "the forms are missing, as in `{count, plural, one {# item} other {# items}}`",
  EXPECT_PLURAL_ARGUMENT_OFFSET_VALUE: "a number is missing after `offset:`",
  INVALID_PLURAL_ARGUMENT_OFFSET_VALUE: "`offset:` must be followed by a number",
  EXPECT_SELECT_ARGUMENT_SELECTOR: "the name of a form is missing, as in `other {…}`",
  EXPECT_PLURAL_ARGUMENT_SELECTOR: "the name of a form is missing, as in `one {…}`",
  EXPECT_SELECT_ARGUMENT_SELECTOR_FRAGMENT: "a form needs its text in braces, as in `other {text}`",
  EXPECT_PLURAL_ARGUMENT_SELECTOR_FRAGMENT: "a form needs its text in braces, as in `one {text}`",
  INVALID_PLURAL_ARGUMENT_SELECTOR: "`=` must be followed by a number, as in `=0 {none}`",
  DUPLICATE_PLURAL_ARGUMENT_SELECTOR: "a form occurs twice",
  DUPLICATE_SELECT_ARGUMENT_SELECTOR: "a form occurs twice",
  MISSING_OTHER_CLAUSE: "the form `other` is missing",
};

type Located = { location?: { start?: { offset?: number } } };

/** Describes the problem and its position in the message, which the parser adds to its errors. */
function syntaxReason(error: SyntaxError & Located, text: string): string {
  const reason = Object.hasOwn(reasons, error.message) ? reasons[error.message] : undefined;
  const shown = shortened(text.slice(error.location?.start?.offset ?? 0), 30);
  const place = shown.trim() === "" ? "at the end" : `at \`${shown}\``;
  return `${reason ?? "the message is malformed"}, ${place}`;
}
