// Suggests what authors should write instead of a mistake: a name that does not exist, wrong filter arguments, or syntax that
// authors know from other languages and Liquid lacks.
import { suggestion } from "colophon-base/similar-name";
import type { Filters } from "../filters/registry.ts";
import type { FilterUse } from "./tree.ts";

export function unknownFilter(name: string, filters: Filters): string {
  return `there is no filter \`${name}\`${suggestion(name, Object.keys(filters))}`;
}

/** Returns the problem of the number or names of the arguments, or null. */
export function argumentProblem({ name, filter, positional, named }: FilterUse): string | null {
  const [minimum, maximum] = filter.arity;
  const count = positional.length;
  if (count < minimum || count > maximum) {
    const expected = minimum === maximum ? `${minimum}` : `${minimum} to ${maximum}`;
    return `the filter \`${name}\` takes ${expected} argument${expected === "1" ? "" : "s"}, got ${count}`;
  }
  const { options = [] } = filter;
  const [unknown] = named.find(([option]) => options !== "any" && !options.includes(option)) ?? [];
  if (unknown === undefined) return null;
  return `the filter \`${name}\` has no argument named \`${unknown}\`${suggestion(unknown, options)}`;
}

/** Returns the end of a message about an unexpected character, word or operator. */
export function remedyFor(text: string): string {
  const remedy = remedies.get(text);
  return remedy === undefined ? "" : `; ${remedy}`;
}

const remedies = new Map([
  ["+", "use the filter `plus`"],
  ["-", "use the filter `minus`"],
  ["*", "use the filter `times`"],
  ["/", "use the filter `divided_by`"],
  ["%", "use the filter `modulo`"],
  ["&", "write `and`"],
  ["!", "use `unless` or `!=`"],
  ["?", "write `{% if %}`, `{% else %}` and `{% endif %}`"],
  ["}", "an output ends with `}}`, and a tag with `%}`"],
  ["{", "an output begins with `{{`, and a tag with `{%`"],
  ["#", "write a tag as `{% if %}`"],
  ["in", 'write the list first, as in `tags contains "new"`'],
  ["..", "write a range in parentheses, as in `(1..3)`"],
  ["|", "use `assign` first"],
  ["reverse", "write `reversed`"],
  ["(", "use a filter instead of a function"],
  ...Array.from("“”„‘’«»`", (quote) => [quote, "write straight quotes"] as const),
  ...Array.from("$@", (sign) => [sign, "write names without it"] as const),
  ...["is", "equals", "eq"].map((word) => [word, "write `==`"] as const),
  ...["limit", "offset", "cols"].map((option) => [option, `write \`${option}: 3\``] as const),
]);

/** The tags of other template languages, with what to write instead. */
export const otherTags: ReadonlyMap<string, string> = new Map([
  ...["elseif", "elif"].map((word) => [word, "write `elsif`"] as const),
  ...["set", "let"].map((word) => [word, "write `assign`"] as const),
  ...["foreach", "each"].map((word) => [word, "write `for`"] as const),
  ["switch", "write `case`"],
  ["default", "write `else`"],
  ["print", "write `echo`"],
  ["include", 'use `render`, and give it what the part needs: `{% render "row", item: item %}`'],
  ["extends", "use `layout`"],
]);
