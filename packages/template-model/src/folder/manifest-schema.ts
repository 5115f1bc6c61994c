// The zod schema of `template.json`. Rules that it cannot express are checked in `manifest.ts`.
import { z } from "zod";
import { canonicalLocale, isKnownLanguage, localeExpected, maxLocaleChars } from "colophon-liquid/locale";
import { lengthPx, maxPagePx, minPagePx, pageSizeNames } from "colophon-page/page-geometry";
import { conformances, impossibleReason } from "colophon-pdf/conformance";
import { fieldKeyPattern } from "../fields.ts";
import { pageLength } from "../page-length.ts";
import { accessKinds, duplexModes, fieldTypes, scalarTypes, type Field } from "../template.ts";

const pageError = `must be a whole number of pixels from ${minPagePx} to ${maxPagePx}`;
const heightError = `${pageError}, or "auto"`;
const lengthError = 'a margin must be a number of pixels or a length such as "18mm" (mm, cm, in, pt, px)';
const length = z.union(
  [z.number().min(0), z.string().refine((text) => lengthPx(text) !== null, { error: lengthError })],
  { error: lengthError },
);
const marginError =
  'a margin must be { "top", "right", "bottom", "left" }, each a number of pixels or a length such as "18mm"';

const stylesError = 'must be the name of a file in shared/styles/, such as "base.css"';
const maxStyles = 20;

const maxTitleChars = 200;
const maxDescriptionChars = 5_000;

/** Text on one line, e.g. a title. */
const line = z
  .string()
  .max(maxTitleChars)
  .refine((text) => !/\p{Cc}/u.test(text), "must not contain line breaks or other control characters");
/** Text that may have line breaks. */
const text = z
  .string()
  .max(maxDescriptionChars)
  .refine(
    (text) => !/[^\P{Cc}\t\n\r]/u.test(text),
    "must not contain control characters other than tabs and line breaks",
  );

const maxEnumValues = 200;
const maxEnumChars = 200;
const maxPatternChars = 500;
const maxCount = 1_000_000;

const enumError = "a value must be a string or a number";
const boundError = "must be a number, or the digits of a decimal as a string";
const bound = z.union([z.number(), z.string()], { error: boundError }).optional();
const count = z.int().min(0).max(maxCount).optional();

const ruleSchemas = {
  enum: z
    .array(z.union([z.string().max(maxEnumChars), z.number()], { error: enumError }))
    .min(1)
    .max(maxEnumValues)
    .optional(),
  pattern: z.string().max(maxPatternChars).optional(),
  minimum: bound,
  maximum: bound,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
};

/** A field in `template.json`, before a missing label is filled in. */
type FieldInput = Omit<Field, "label"> & { label?: string | undefined };

const fieldSchema = z
  .strictObject({
    key: z.string().regex(fieldKeyPattern, "a key consists of letters, digits and _, and does not begin with a digit"),
    label: line.optional(),
    type: z.enum(fieldTypes),
    required: z.boolean().default(false),
    default: z.unknown().transform(nullAsAbsent).optional(),
    example: z.unknown().transform(nullAsAbsent).optional(),
    description: text.default(""),
    get fields(): z.ZodOptional<z.ZodArray<z.ZodType<Field>>> {
      return z
        .array(fieldSchema as unknown as z.ZodType<Field>)
        .min(1)
        .optional();
    },
    items: z.enum(scalarTypes).optional(),
    ...ruleSchemas,
  })
  .check(({ value, issues }) => {
    const refuse = (path: string, message: string) =>
      issues.push({ code: "custom", input: value, path: [path], message });
    const { type, fields, items } = value;
    if (value.required && value.default !== undefined) refuse("default", "a required field cannot have a default");
    if (type === "object" && (!fields || items))
      refuse("type", "an object must have `fields`, and cannot have `items`");
    if (type === "list" && !fields === !items) refuse("type", "a list must have either `fields` or `items`");
    if (type !== "object" && type !== "list" && (fields || items)) {
      refuse("type", "only objects and lists can have `fields` or `items`");
    }
  })
  .transform(withLabel);

/** As in a request's data, null counts as absent. */
function nullAsAbsent(value: unknown): unknown {
  return value ?? undefined;
}

function withLabel({ label, fields, ...field }: FieldInput): Field {
  return { ...field, label: label ?? field.key, ...(fields ? { fields } : {}) };
}

export const manifestSchema = z
  .strictObject({
    title: line.refine((title) => title.trim() !== "", "must not be empty"),
    description: text.default(""),
    pageSize: z.enum(["Custom", ...pageSizeNames]).optional(),
    width: pageLength(pageError).optional(),
    height: z.union([pageLength(heightError), z.literal("auto")], { error: heightError }).optional(),
    orientation: z.enum(["portrait", "landscape"]).default("portrait"),
    margin: z
      .strictObject(
        { top: length.optional(), right: length.optional(), bottom: length.optional(), left: length.optional() },
        { error: marginError },
      )
      .default({}),
    locale: z.string().max(maxLocaleChars).transform(canonicalTag).default("en-US"),
    timeZone: z.string().refine(isTimeZone, "not an IANA time zone").default("UTC"),
    isPublished: z.boolean().default(true),
    overflow: z.enum(["warning", "error"]).default("warning"),
    viewer: z
      .strictObject({
        displayTitle: z.boolean().optional(),
        printScaling: z.enum(["none"]).optional(),
        duplex: z.enum(duplexModes).optional(),
      })
      .optional(),
    access: z.enum(accessKinds).optional(),
    allowPublic: z.boolean().optional(),
    conformance: z
      .array(z.enum(conformances))
      .superRefine((names, { addIssue }) => {
        const reason = impossibleReason(names);
        if (reason) addIssue(reason);
      })
      .optional(),
    styles: z
      .array(z.string().regex(/^[\w-]+\.css$/, stylesError))
      .max(maxStyles)
      .refine((names) => new Set(names).size === names.length, "must not contain a file twice")
      .default([]),
    fields: z.array(fieldSchema),
  })
  .check(({ value, issues }) => {
    const { pageSize, width, height, access, allowPublic } = value;
    const isPaper = pageSize !== undefined && pageSize !== "Custom";
    const isValid = isPaper
      ? width === undefined && (height === undefined || height === "auto")
      : width !== undefined && height !== undefined;
    const message =
      'give either `pageSize` (a paper size) or both `width` and `height` in pixels; `height` may be "auto" in both cases';
    if (!isValid) issues.push({ code: "custom", input: value, path: ["pageSize"], message });
    const isAlone = allowPublic !== undefined && access !== "private";
    const alone = 'needs `"access": "private"` beside it';
    if (isAlone) issues.push({ code: "custom", input: value, path: ["allowPublic"], message: alone });
  });

function canonicalTag(tag: string, { addIssue }: { addIssue(message: string): void }): string {
  const canonical = canonicalLocale(tag);
  if (canonical === null) addIssue(`must be ${localeExpected}, got ${JSON.stringify(tag)}`);
  else if (!isKnownLanguage(canonical)) addIssue(`${JSON.stringify(tag)} is not a known language`);
  return canonical ?? tag;
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
