// The filters that documents need in addition to the engine's filters: codes, Markdown, and `t`, which prints a message of the template's
// `locales/` in the language of the document. They are passed to the parser, and charge their work to the render's meter.
import { costs } from "colophon-liquid/costs";
import type { FilterScope } from "colophon-liquid/filter";
import { LiquidError } from "colophon-liquid/liquid";
import { standardFilters, type Filters } from "colophon-liquid/standard-filters";
import { isNil, toText } from "colophon-liquid/values";
import { codeFilters } from "./barcodes/code-filters.ts";
import { markdownFilters } from "./markdown.ts";
import { formatMessage } from "./messages/format-message.ts";
import type { Messages } from "./messages/message-catalog.ts";
import { maxKeyChars } from "./messages/message.ts";

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
