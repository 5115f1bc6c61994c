// Describes the problems that the schema of `template.json` finds.
import type { z } from "zod";
import { shortened } from "colophon-base/text";

/** Returns the end of a sentence that begins with the value's path, e.g. `fields.0.type: must be ...`. */
export function manifestMessage(issue: Parameters<z.core.$ZodErrorMap>[0]): string | undefined {
  switch (issue.code) {
    case "invalid_type": {
      const expected = typeWords[issue.expected] ?? issue.expected;
      return issue.input === undefined
        ? `is missing; it must be ${expected}`
        : `must be ${expected}, got ${shown(issue.input)}`;
    }
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}, got ${shown(issue.input)}`;
    case "too_small":
      return typeof issue.input === "number"
        ? `must be at least ${issue.minimum}, got ${issue.input}`
        : "must not be empty";
    case "too_big":
      if (typeof issue.input === "number") return `must be at most ${issue.maximum}, got ${issue.input}`;
      return `must have at most ${issue.maximum} ${typeof issue.input === "string" ? "characters" : "entries"}`;
    default:
      return undefined;
  }
}

/** How messages name zod's types. */
export const typeWords: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Returns a value as messages quote it. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  return shortened(text, 40);
}
