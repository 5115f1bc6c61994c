// Prepares the `data` of a request in one pass over the template's fields. The pass validates the data, fills in defaults, drops keys that
// are not fields, and collects the images. All problems are reported together, in the order of the fields.
import { missingDay } from "colophon-base/calendar-day";
import { counted, shortened } from "colophon-base/text";
import { ExactDecimal } from "colophon-liquid/values";
import { itemsProblem, ruleCheck, type BrokenRule, type RuleCheck } from "./rules/field-rules.ts";
import { patternWork, type PatternWork } from "./rules/pattern.ts";
import { decimalOf, scalarTypeRules } from "./scalar-types.ts";
import { isImageUri, isPlainObject, type ImageSlot, type TemplateData } from "./template-data.ts";
import type { Field, FieldType, ScalarType } from "./template.ts";

/** A problem at a path in the data. */
export type FieldProblem = { path: string; message: string };

export type ValidatedData = {
  /** The prepared data, which is usable only if `missing` and `mistyped` are empty. */
  data: TemplateData;
  missing: FieldProblem[];
  mistyped: FieldProblem[];
  /** The number of problems that are not listed, because `missing` and `mistyped` contain at most a hundred each. */
  unnamed: number;
  /** The paths of the first keys that are not fields. */
  unknownKeys: string[][];
  /** A warning for each of these keys. */
  warnings: string[];
};

/** The results of the pass so far. */
type Pass = ReturnType<typeof newPass>;

function newPass(imageOrigins: ReadonlySet<string>, patternWork: PatternWork) {
  return {
    imageOrigins,
    patternWork,
    images: [] as ImageSlot[],
    missing: [] as FieldProblem[],
    mistyped: [] as FieldProblem[],
    unnamed: 0,
    unknownKeys: [] as string[][],
    /** The checks of fields, which are created when the first value needs them; null for fields without rules. */
    ruleChecks: new Map<Field, RuleCheck | null>(),
    /** The number of fields in all objects so far, including omitted fields. */
    checkedFields: 0,
  };
}

const maxProblemsNamed = 100;
/**
 * The maximum number of fields in all objects of the data. A list of a million empty objects with hundreds of fields each
 * would otherwise keep the Worker busy for many seconds. With this limit, the pass takes less than 100 ms.
 */
const maxCheckedFields = 400_000;
/** A decimal takes about 100 bytes, so that a body of digits and commas would become 50 MB. */
const fieldsPerDecimal = 4;
const maxUnknownKeysNamed = 20;

/** Validates and prepares the data of a request. Image URLs from `imageOrigins` need not use https. */
export function validateData(
  fields: Field[],
  given: Record<string, unknown>,
  imageOrigins: ReadonlySet<string> = new Set(),
  work = patternWork(),
): ValidatedData {
  const pass = newPass(imageOrigins, work);
  const values = prepareObject(pass, fields, given, "");
  const { images, missing, mistyped, unnamed, unknownKeys } = pass;
  const warnings = unknownKeys.map(
    (path) => `\`${path.map((key) => shortened(key, 40)).join(".")}\` is not a field of the template and was ignored.`,
  );
  return { data: { values, images }, missing, mistyped, unnamed, unknownKeys, warnings };
}

function prepareObject(
  pass: Pass,
  fields: Field[],
  given: Record<string, unknown>,
  prefix: string,
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  if (!takesFields(pass, fields.length, prefix.slice(0, -1))) return object;
  for (const field of fields) {
    const { key, type } = field;
    const path = prefix + key;
    const value = (Object.hasOwn(given, key) ? given[key] : undefined) ?? field.default ?? undefined;
    if (value !== undefined) {
      const prepared = prepareValue(pass, field, value, path);
      setOwn(object, key, prepared);
      collectImage(pass, type, prepared, path, (text) => setOwn(object, key, text));
    } else if (field.required) {
      report(pass, "missing", path, () => `\`${path}\` is required.`);
    }
  }
  collectUnknownKeys(pass, fields, given, prefix);
  return object;
}

/** Returns whether this many more fields are allowed. The first time that they are not, reports a problem. */
function takesFields(pass: Pass, count: number, path: string): boolean {
  const hadRoom = pass.checkedFields <= maxCheckedFields;
  pass.checkedFields += count;
  if (pass.checkedFields <= maxCheckedFields) return true;
  if (hadRoom) report(pass, "mistyped", path, () => tooManyFields);
  return false;
}

function prepareValue(pass: Pass, field: Field, value: unknown, path: string, type = field.type): unknown {
  if (type === "object") {
    if (isPlainObject(value)) return prepareObject(pass, field.fields ?? [], value, `${path}.`);
    return mistyped(pass, path, "an object", value);
  }
  if (type !== "list") return withRules(pass, field, prepareScalar(pass, type, value, path), path);
  return Array.isArray(value) ? prepareList(pass, field, value, path) : mistyped(pass, path, "a list", value);
}

/** The items of a list are values of its field, but of a different type. */
function prepareList(pass: Pass, list: Field, given: unknown[], path: string): unknown[] {
  const broken = itemsProblem(list, given.length);
  if (broken) breaksRule(pass, path, broken, given);
  const type = list.items ?? "object";
  const prepared: unknown[] = [];
  for (const [index, value] of given.entries()) {
    const itemPath = `${path}.${index}`;
    prepared[index] = prepareValue(pass, list, value, itemPath, type);
    collectImage(pass, type, prepared[index], itemPath, (text) => (prepared[index] = text));
  }
  return prepared;
}

/** Reports a value of the right type that breaks a rule of its field. Values of a wrong type are undefined. */
function withRules(pass: Pass, field: Field, value: unknown, path: string): unknown {
  let check = pass.ruleChecks.get(field);
  if (check === undefined) {
    check = ruleCheck(field, pass.patternWork);
    pass.ruleChecks.set(field, check);
  }
  const broken = value === undefined ? null : check?.(value);
  if (broken) breaksRule(pass, path, broken, value);
  return value;
}

function breaksRule(pass: Pass, path: string, { must, got }: BrokenRule, value: unknown): void {
  report(pass, "mistyped", path, () => `\`${path}\` must ${must}, got ${got ?? kindOf(value)}.`);
}

function prepareScalar(pass: Pass, type: ScalarType, value: unknown, path: string): unknown {
  const { accepts, expected } = scalarTypeRules[type];
  if (type === "decimal") {
    if (!takesFields(pass, fieldsPerDecimal, path)) return undefined;
    return decimalOf(value) ?? mistyped(pass, path, expected, value);
  }
  const isFromAllowedOrigin = type === "image" && typeof value === "string" && pass.imageOrigins.has(originOf(value));
  if (accepts(value) || isFromAllowedOrigin) return value;
  const day = (type === "date" || type === "datetime") && typeof value === "string" ? missingDay(value) : null;
  if (day === null) return mistyped(pass, path, expected, value);
  report(pass, "mistyped", path, () => `\`${path}\` is ${day}, a day that does not exist.`);
  return undefined;
}

function originOf(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : "";
}

/**
 * Collects the value if it is an image. Any value of an `image` field is an image. In other fields, images' `data:` URIs are
 * also collected, because a template may show any field as an image.
 */
function collectImage(pass: Pass, type: FieldType, value: unknown, path: string, show: (text: string) => void): void {
  if (typeof value === "string" && (type === "image" || isImageUri(value))) {
    pass.images.push({ path, source: value, show });
  }
}

/** Sets an own property, even for the key `__proto__`, where plain assignment would set the prototype. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

function collectUnknownKeys(pass: Pass, fields: Field[], given: Record<string, unknown>, prefix: string): void {
  if (pass.unknownKeys.length >= maxUnknownKeysNamed) return;
  const fieldKeys = new Set(fields.map(({ key }) => key));
  for (const key of Object.keys(given)) {
    if (fieldKeys.has(key) || pass.unknownKeys.length >= maxUnknownKeysNamed) continue;
    pass.unknownKeys.push([...prefix.split(".").slice(0, -1), key]);
  }
}

function mistyped(pass: Pass, path: string, expected: string, value: unknown): undefined {
  report(pass, "mistyped", path, () => `\`${path}\` must be ${expected}, got ${kindOf(value)}.`);
}

const tooManyFields = `The lists of the data have too many items: together, their items may have at most ${maxCheckedFields.toLocaleString("en-US")} fields, including omitted fields.`;

/** Calls `message` only for problems that are listed, because a body can have hundreds of thousands. */
function report(pass: Pass, kind: "missing" | "mistyped", path: string, message: () => string): void {
  if (pass[kind].length < maxProblemsNamed) pass[kind].push({ path: `data.${path}`, message: message() });
  else pass.unnamed++;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return `the string ${JSON.stringify(shortened(value, 40))}`;
  if (value instanceof ExactDecimal) return value.text;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return "an object";
}

/** Returns the message about these problems for a caller. `unnamed` more problems are only counted. */
export function invalidMessage(problems: FieldProblem[], unnamed = 0): string {
  return problems.map(({ message }) => message).join(" ") + andMore(unnamed);
}

/** Returns the message for data in which only these fields are missing. */
export function missingMessage(missing: FieldProblem[], unnamed = 0): string {
  return `The template requires ${missing.map(({ path }) => `\`${path}\``).join(", ")}.${andMore(unnamed)}`;
}

function andMore(unnamed: number): string {
  return unnamed > 0 ? ` And ${counted(unnamed, "more problem")}.` : "";
}
