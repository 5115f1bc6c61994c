// The names of the values that elements set on their pages: `data-page-value-carried="12"` sets the value `carried`.
import { valueAttribute } from "colophon-page/prepared-page";
import type { ValueStart } from "./page-info.ts";

/** Each page stores the values of all names. */
export const maxValueNames = 10;
export const tooManyValueNames = `the header and the footer read more than ${maxValueNames} names of \`page.values\``;

export function isValueName(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name);
}

/** Returns the names in the attributes of Liquid sources. */
export function namesSetIn(sources: readonly string[]): string[] {
  const attributes = new RegExp(`${valueAttribute}([a-z][a-z0-9_]*)`, "gi");
  return sources.flatMap((source) => Array.from(source.matchAll(attributes), ([, name = ""]) => name.toLowerCase()));
}

/** Returns the first value of each name in the markup, because filters may need a number, and headers need space for text. */
export function exampleValues(markups: readonly string[], names: readonly string[]): Omit<ValueStart, "page">[] {
  return names.flatMap((key) => {
    const attribute = new RegExp(`\\s${valueAttribute}${key}\\s*=\\s*["']?([^"'>]*)`, "i");
    const firstMatch = markups.map((markup) => attribute.exec(markup)).find((match) => match !== null);
    return firstMatch ? [{ key, value: firstMatch[1] ?? "" }] : [];
  });
}
