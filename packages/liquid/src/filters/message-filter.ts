// The filter `t`, which prints a message of the template's `locales/` in the language of the document.
import { costs } from "../costs.ts";
import type { Filter } from "./filter.ts";
import { LiquidError } from "../liquid-error.ts";
import { maxKeyChars } from "../messages/message.ts";
import { toText } from "../values/text.ts";
import { isNil } from "../values/value.ts";
import { formatMessage } from "./format-message.ts";

export const messageFilters: Record<string, Filter> = {
  /** `{{ "invoice.due" | t: date: due }}` -> Due on 20 December 2026 */
  t: {
    arity: [0, 0],
    options: "any",
    apply(call, input) {
      const { meter, scope } = call;
      if (isNil(input)) return "";
      const key = toText(meter, input);
      meter.charge(costs.step);
      if (!scope.messages)
        throw new LiquidError("the filter `t` needs messages, and the template has no folder `locales`");
      const found = key.length > maxKeyChars ? null : scope.messages.find(meter, key);
      if (found) return formatMessage(call, found);
      const files = scope.messages.locales.map((tag) => `locales/${tag}.json`).join(", ");
      throw new LiquidError(`there is no message "${key.slice(0, 60)}" in ${files}`);
    },
  },
};
