// The filters that documents need in addition to the engine's filters: codes, Markdown, and `t`, which prints a message of the template's
// `locales/` in the language of the document. They are passed to the parser, and charge their work to the render's meter.
import { costs } from "colophon-liquid/costs";
import { isDateStyle } from "colophon-liquid/date-skeleton";
import type { FilterScope, FilterCall } from "colophon-liquid/filter";
import { chargeFormat, formatNumber, formatterOf } from "colophon-liquid/formats";
import { LiquidError } from "colophon-liquid/liquid";
import { maxTextChars } from "colophon-liquid/meter";
import { standardFilters, type Filters } from "colophon-liquid/standard-filters";
import {
  isNil,
  toText,
  chargedNumber,
  type LiquidNumber,
  Markup,
  plainNumber,
  TextBuffer,
  toHtml,
} from "colophon-liquid/values";
import { codeFilters } from "./barcodes/code-filters.ts";
import { markdownFilters } from "./markdown.ts";
import type { Messages, FoundMessage } from "./messages/message-catalog.ts";
import { maxKeyChars, type Message, type MessagePart } from "./messages/message.ts";

/** `messages` are for the filter `t`; absent if the template has none. */
export type DocumentScope = FilterScope & { messages?: Messages | undefined };

export const documentFilters: Filters = {
  ...standardFilters,
  ...codeFilters,
  ...markdownFilters,
  /** `{{ "invoice.due" | t: date: due }}` -> Due on 20 December 2026 */
  t: {
    arity: [0, 0],
    options: "any",
    apply(call, input) {
      const { meter } = call;
      const { messages } = call.scope as DocumentScope;
      if (isNil(input)) return "";
      const key = toText(meter, input);
      meter.charge(costs.step);
      if (!messages) throw new LiquidError("the filter `t` needs messages, but the template has no `locales` folder");
      const message = key.length > maxKeyChars ? null : messages.find(meter, key);
      if (message) return formatMessage(call, message);
      const files = messages.locales.map((tag) => `locales/${tag}.json`).join(", ");
      throw new LiquidError(`there is no message "${key.slice(0, 60)}" in ${files}`);
    },
  },
};

/** The work per character that a message prints. */
const unitsPerChar = 1 / 4;

/**
 * Formats numbers and dates for the document's locale, by the same code as in the filters. Returns markup if an argument is markup; the
 * message and the other arguments are then escaped.
 */
function formatMessage(call: FilterCall, { locale, message }: FoundMessage): string | Markup {
  const isMarkup = Object.values(call.options).some((value) => value instanceof Markup);
  const buffer = new TextBuffer();
  const formatting: Formatting = {
    call,
    locale,
    write(value) {
      const text = isMarkup ? toHtml(call.meter, value) : toText(call.meter, value);
      call.meter.chargeChars(text.length, unitsPerChar);
      call.meter.allocateText(text.length);
      if (buffer.length + text.length > maxTextChars) throw new LiquidError("a message is too long");
      buffer.append(text);
    },
  };
  writeMessage(formatting, message, 0);
  return isMarkup ? new Markup(buffer.text) : buffer.text;
}

type DatePart = Extract<MessagePart, { kind: "date" | "time" }>;
type Formatting = { call: FilterCall; locale: string; write(value: unknown): void };

function writeMessage(formatting: Formatting, message: Message, count: LiquidNumber): void {
  for (const part of message) writePart(formatting, part, count);
}

/** `count` is the number that `#` prints. */
function writePart(formatting: Formatting, part: MessagePart, count: LiquidNumber): void {
  const { call, write } = formatting;
  call.meter.charge(costs.step);
  if (typeof part === "string") return write(part);
  if (part.kind === "count") return write(formatNumber(call, count, {}));
  const value = Object.hasOwn(call.options, part.name) ? call.options[part.name] : undefined;
  switch (part.kind) {
    case "value":
      return write(value);
    case "number":
      return write(formatNumber(call, value, part.options));
    case "date":
    case "time":
      return write(formattedDate(call, value, part));
    case "plural": {
      const given = chargedNumber(call.meter, value);
      const number = plainNumber(given);
      const difference = number - part.offset;
      const form = part.forms.get(`=${number}`) ?? part.forms.get(pluralCategory(formatting, difference, part.type));
      return writeMessage(formatting, form ?? part.forms.get("other") ?? [], part.offset === 0 ? given : difference);
    }
    case "select": {
      const form = part.forms.get(toText(call.meter, value)) ?? part.forms.get("other");
      return writeMessage(formatting, form ?? [], count);
    }
  }
}

function formattedDate(call: FilterCall, value: unknown, { kind, style }: DatePart): unknown {
  // The filter `time` does not support skeletons, and `date` also supports skeletons of times.
  const filter = standardFilters[kind === "time" && (style === undefined || isDateStyle(style)) ? "time" : "date"];
  return filter?.apply(call, value, style);
}

function pluralCategory({ call, locale }: Formatting, number: number, type: Intl.PluralRuleType): string {
  const rules = formatterOf(call, `plural ${type} ${locale}`, () => new Intl.PluralRules([locale, "en"], { type }));
  chargeFormat(call.meter, number);
  return rules.select(number);
}
