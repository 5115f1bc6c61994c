import { Validator } from "@cfworker/json-schema";
import { expect, it } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { dataSchema } from "../../src/data-json-schema.ts";
import { parseManifest } from "../../src/folder/manifest.ts";
import type { Field, FieldType } from "../../src/template.ts";
import { validateData } from "../../src/validate-data.ts";

type Rules = Partial<Field>;

const problemsOf = (type: FieldType, rules: Rules, value: unknown) =>
  validateData([field("f", type, rules)], { f: value }).mistyped.map(({ message }) => message);

const long = Array.from({ length: 30 }, (_, index) => `${index}`);

/** Each value breaks a rule, and the JSON Schema says so too, unless the message is marked as unknown to it. */
const broken: [type: FieldType, rules: Rules, value: unknown, message: string, isInSchema?: boolean][] = [
  ["string", { enum: ["DE", "AT"] }, "FR", '`f` must be one of "DE", "AT", got the string "FR".'],
  [
    "string",
    { enum: long },
    "x",
    `\`f\` must be one of ${long
      .slice(0, 10)
      .map((value) => `"${value}"`)
      .join(", ")} or 20 other values, got the string "x".`,
  ],
  ["integer", { enum: [1, 2] }, 3, "`f` must be one of 1, 2, got 3."],
  ["decimal", { enum: ["19.00", 7] }, "19.01", '`f` must be one of "19.00", 7, got 19.01.'],
  ["date", { enum: ["2026-01-01"] }, "2026-01-02", '`f` must be one of "2026-01-01", got the string "2026-01-02".'],
  ["string", { pattern: "^[A-Z]+$" }, "Ab", '`f` must match the pattern `^[A-Z]+$`, got the string "Ab".'],
  ["number", { minimum: 0.5 }, 0.4, "`f` must be at least 0.5, got 0.4."],
  ["integer", { maximum: 5 }, 6, "`f` must be at most 5, got 6."],
  ["decimal", { minimum: "0.01" }, 0, "`f` must be at least 0.01, got 0."],
  [
    "decimal",
    { maximum: 100 },
    "100.0000000000000000001",
    "`f` must be at most 100, got 100.0000000000000000001.",
    false,
  ],
  ["text", { minLength: 3 }, "ab", "`f` must have at least 3 characters, got 2 characters."],
  ["text", { maxLength: 1 }, "é😀", "`f` must have at most 1 character, got 2 characters."],
  ["list", { items: "string", minItems: 1 }, [], "`f` must have at least 1 item, got 0 items."],
  ["list", { items: "string", maxItems: 1 }, ["a", "b"], "`f` must have at most 1 item, got 2 items."],
  ["list", { fields: [field("a", "string")], maxItems: 0 }, [{}], "`f` must have at most 0 items, got 1 item."],
  ["list", { items: "string", pattern: "^a" }, ["ab", "b"], '`f.1` must match the pattern `^a`, got the string "b".'],
  ["list", { items: "decimal", minimum: 1 }, ["1.0", "0.9"], "`f.1` must be at least 1, got 0.9.", false],
];

const kept: [type: FieldType, rules: Rules, value: unknown][] = [
  ["string", { enum: ["DE", "AT"] }, "AT"],
  ["string", { enum: ["DE"] }, null],
  ["decimal", { enum: ["19.00", 7] }, "19.00"],
  ["decimal", { enum: ["19.00", 7] }, 19],
  ["string", { pattern: "b" }, "abc"],
  ["number", { minimum: 0, maximum: 0 }, 0],
  ["decimal", { minimum: "0.10", maximum: "0.10" }, "0.1"],
  ["string", { minLength: 2, maxLength: 2 }, "😀é"],
  ["string", { minLength: 0 }, ""],
  ["list", { items: "integer", minItems: 2, maxItems: 2, minimum: 1 }, [1, 2]],
];

it.each(broken)("a field with rules: %s %j refuses %j: %s", (type, rules, value, message, isInSchema = true) => {
  expect(problemsOf(type, rules, value)).toEqual([message]);
  expect(isValid(type, rules, value)).toBe(!isInSchema);
});

it.each(kept)("a field with rules: %s %j accepts %j, and its JSON Schema does", (type, rules, value) => {
  expect(problemsOf(type, rules, value)).toEqual([]);
  expect(isValid(type, rules, value)).toBe(true);
});

it("a value of the wrong type is reported only for its type, whatever the rules of the field are", () => {
  expect(problemsOf("string", { enum: ["a"], minLength: 5 }, 7)).toEqual(["`f` must be a string, got 7."]);
});

it("decimals of equal value match the rules of a field even if their digits differ", () => {
  expect(problemsOf("decimal", { enum: ["19.00"] }, "19.000")).toEqual([]);
});

it("values are refused if the patterns of their fields would take too much work", () => {
  const rules = { items: "string", pattern: "^(?:a|b)*$" } as const;
  const texts = Array.from({ length: 300 }, () => "ab".repeat(1_000));

  expect(problemsOf("list", rules, texts)[0]).toMatch(/^`f\.\d+` must be shorter, because .* takes too much work/);
});

function isValid(type: FieldType, rules: Rules, value: unknown): boolean {
  return new Validator(dataSchema([field("f", type, rules)]), "2020-12").validate({ f: value }).valid;
}

const manifestWith = (own: object) => ({ title: "T", pageSize: "A4", fields: [{ key: "f", ...own }] });

it.each([
  [{ type: "number", minLength: 1 }, "fields.0.minLength: a field of the type number cannot have `minLength`"],
  [{ type: "boolean", enum: [1] }, "fields.0.enum: a field of the type boolean cannot have `enum`"],
  [{ type: "image", pattern: "a" }, "fields.0.pattern: a field of the type image cannot have `pattern`"],
  [
    { type: "object", fields: [{ key: "a", type: "string" }], minItems: 1 },
    "fields.0.minItems: a field of the type object cannot have `minItems`",
  ],
  [
    { type: "list", fields: [{ key: "a", type: "string" }], minimum: 1 },
    "fields.0.minimum: a field of the type list cannot have `minimum`",
  ],
  [{ type: "list", items: "boolean", enum: [1] }, "fields.0.enum: a list of the type boolean cannot have `enum`"],
  [{ type: "number", minimum: 2, maximum: 1 }, "fields.0.maximum: must be at least 2, got 1"],
  [{ type: "decimal", minimum: "0.11", maximum: "0.1" }, 'fields.0.maximum: must be at least 0.11, got "0.1"'],
  [
    { type: "decimal", minimum: "1,5" },
    'fields.0.minimum: must be a decimal such as "19.00", of at most 300 characters, got "1,5"',
  ],
  [{ type: "number", minimum: "1" }, 'fields.0.minimum: must be a number, got "1"'],
  [{ type: "integer", maximum: 1.5 }, "fields.0.maximum: must be a whole number, got 1.5"],
  [{ type: "string", minLength: 2, maxLength: 1 }, "fields.0.maxLength: must be at least 2, got 1"],
  [{ type: "list", items: "string", minItems: 2, maxItems: 1 }, "fields.0.maxItems: must be at least 2, got 1"],
  [{ type: "string", minLength: -1 }, "fields.0.minLength: must be at least 0, got -1"],
  [{ type: "string", maxLength: 1.5 }, "fields.0.maxLength: must be a whole number, got 1.5"],
  [{ type: "string", maxLength: 1_000_001 }, "fields.0.maxLength: must be at most 1000000, got 1000001"],
  [{ type: "string", maxLength: "5" }, 'fields.0.maxLength: must be a number, got "5"'],
  [{ type: "string", maxLength: null }, "fields.0.maxLength: must be a number, got null"],
  [{ type: "string", enum: "DE" }, 'fields.0.enum: must be a list, got "DE"'],
  [{ type: "string", enum: [] }, "fields.0.enum: must not be empty"],
  [
    { type: "string", enum: Array.from({ length: 201 }, (_, index) => `${index}`) },
    "fields.0.enum: must have at most 200 entries",
  ],
  [{ type: "string", enum: ["x".repeat(201)] }, "fields.0.enum.0: must have at most 200 characters"],
  [{ type: "string", enum: ["a", null] }, "fields.0.enum.1: a value must be a string or a number"],
  [{ type: "string", enum: ["a", 1] }, "fields.0.enum.1: must be a string, got 1"],
  [{ type: "string", enum: ["a", "b", "a"] }, "fields.0.enum.2: is in the list already"],
  [{ type: "decimal", enum: ["7", "7.00"] }, "fields.0.enum.1: is in the list already"],
  [{ type: "integer", enum: [1, 9], maximum: 5 }, "fields.0.enum.1: must be at most 5, got 9"],
  [{ type: "string", enum: ["B"], pattern: "^[a-z]$" }, 'fields.0.enum.0: must match the pattern `^[a-z]$`, got "B"'],
  [
    { type: "string", pattern: "(" },
    "fields.0.pattern: must be a regular expression of JavaScript with the flag `u`, in which `\\-` is allowed only in brackets",
  ],
  [{ type: "string", pattern: "a".repeat(501) }, "fields.0.pattern: must have at most 500 characters"],
  [{ type: "string", pattern: 5 }, "fields.0.pattern: must be a string, got 5"],
  [{ type: "string", enum: ["a"], default: "b" }, 'fields.0.default: `f` must be one of "a", got the string "b".'],
  [{ type: "decimal", minimum: 1, example: "0.99" }, "fields.0.example: `f` must be at least 1, got 0.99."],
  [
    { type: "list", items: "string", minItems: 1, default: [] },
    "fields.0.default: `f` must have at least 1 item, got 0 items.",
  ],
])("an invalid rule in template.json is refused: %j", (own, reason) => {
  expect(parseManifest(manifestWith(own)).problems.map((problem) => problem.reason)).toEqual([reason]);
});

it("a template whose patterns take too much work together is refused", () => {
  const fields = Array.from({ length: 3_000 }, (_, n) => ({
    key: `f${n}`,
    type: "string",
    pattern: `(?:\\d${n}|[a-z]\\w?){100}`,
  }));

  const { problems } = parseManifest({ title: "T", pageSize: "A4", fields });

  expect(problems.at(-1)?.reason).toBe("fields.2999.pattern: the patterns of the template are too long in total");
});
