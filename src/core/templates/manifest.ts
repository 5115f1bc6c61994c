// `template.json`: its shape, checked by zod, and the manifest made of it.
import { z } from "zod";
import {
  customGeometry,
  lengthPx,
  marginsFit,
  maxPagePx,
  minPagePx,
  pageSizeNames,
  paperGeometry,
  type Margin,
  type PaperSize,
} from "../rendering/page-geometry.ts";
import { checkData } from "./template-data.ts";
import { fieldTypes, scalarTypes, type Field, type TemplateManifest } from "./template.ts";

export type ManifestProblem = { path: (string | number)[]; reason: string };

const defaultMarginPx = 48;

const pagePx = z.int().min(minPagePx).max(maxPagePx);
const lengthError = 'a margin is a number of pixels or a length such as "18mm" (mm, cm, in, pt, px)';
const length = z.union(
  [z.number().min(0), z.string().refine((text) => lengthPx(text) !== null, { error: lengthError })],
  {
    error: lengthError,
  },
);

const fieldSchema = z
  .strictObject({
    key: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a key is letters, digits and _, not beginning with a digit"),
    label: z.string().optional(),
    type: z.enum(fieldTypes),
    required: z.boolean().default(false),
    default: z.unknown().optional(),
    example: z.unknown().optional(),
    description: z.string().default(""),
    get fields(): z.ZodOptional<z.ZodArray<z.ZodType<FieldInput>>> {
      return z
        .array(fieldSchema as unknown as z.ZodType<FieldInput>)
        .min(1)
        .optional();
    },
    items: z.enum(scalarTypes).optional(),
  })
  .check(({ value, issues }) => {
    const refuse = (path: string, message: string) =>
      issues.push({ code: "custom", input: value, path: [path], message });
    if (value.required && value.default !== undefined) refuse("default", "a required field has no default");
    if (value.type === "object" && (!value.fields || value.items))
      refuse("type", "an object has `fields`, and no `items`");
    if (value.type === "list" && !value.fields === !value.items)
      refuse("type", "a list has either `fields` or `items`");
    if (value.type !== "object" && value.type !== "list" && (value.fields || value.items)) {
      refuse("type", "only objects and lists have `fields` or `items`");
    }
  });

type FieldInput = {
  key: string;
  label?: string | undefined;
  type: (typeof fieldTypes)[number];
  required: boolean;
  default?: unknown;
  example?: unknown;
  description: string;
  fields?: FieldInput[] | undefined;
  items?: (typeof scalarTypes)[number] | undefined;
};

const manifestSchema = z
  .strictObject({
    title: z.string().min(1),
    description: z.string().default(""),
    pageSize: z.enum(["Custom", ...pageSizeNames]).optional(),
    width: pagePx.optional(),
    height: pagePx.optional(),
    orientation: z.enum(["portrait", "landscape"]).default("portrait"),
    margin: z
      .strictObject(
        { top: length.optional(), right: length.optional(), bottom: length.optional(), left: length.optional() },
        {
          error: 'a margin is { "top", "right", "bottom", "left" }, each a number of pixels or a length such as "18mm"',
        },
      )
      .default({}),
    locale: z.string().refine(isLocale, "not a BCP 47 language tag").default("en-US"),
    timeZone: z.string().refine(isTimeZone, "not an IANA time zone").default("UTC"),
    isPublished: z.boolean().default(true),
    fields: z.array(fieldSchema),
  })
  .check(({ value, issues }) => {
    const isCustom = value.width !== undefined && value.height !== undefined;
    const isPaper = value.pageSize !== undefined && value.pageSize !== "Custom";
    const message = "give either `pageSize` (a paper size) or both `width` and `height` in pixels";
    const halfCustom = (value.width === undefined) !== (value.height === undefined);
    if (isCustom === isPaper || halfCustom) issues.push({ code: "custom", input: value, path: ["pageSize"], message });
  });

/** The manifest, or the reasons why there is none. */
export function parseManifest(json: unknown): { manifest: TemplateManifest | null; problems: ManifestProblem[] } {
  const result = manifestSchema.safeParse(json);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => {
      const path = issue.path.map((segment) => (typeof segment === "number" ? segment : String(segment)));
      return { path, reason: `${path.join(".") || "template.json"}: ${issue.message}` };
    });
    return { manifest: null, problems };
  }
  const { width, height, pageSize, margin, fields, ...rest } = result.data;
  const isCustom = width !== undefined && height !== undefined;
  const page = isCustom ? customGeometry(width, height) : paperGeometry(pageSize as PaperSize, rest.orientation);
  const manifest: TemplateManifest = {
    ...rest,
    pageSize: isCustom ? "Custom" : (pageSize as PaperSize),
    page,
    margin: marginPx(margin),
    fields: fields.map(toField),
  };
  const problems = fieldProblems(manifest.fields, ["fields"]);
  if (!marginsFit(page, manifest.margin))
    problems.push({ path: ["margin"], reason: "margin: nothing of the page is left inside it" });
  return { manifest: problems.length > 0 ? null : manifest, problems };
}

function toField({ label, fields, ...field }: FieldInput): Field {
  return { ...field, label: label ?? field.key, ...(fields ? { fields: fields.map(toField) } : {}) };
}

/** Keys are unique beside their siblings, and a default is a value that the field itself would take. */
function fieldProblems(fields: Field[], path: (string | number)[]): ManifestProblem[] {
  return fields.flatMap((field, index) => {
    const here = [...path, index];
    const problems = field.fields ? fieldProblems(field.fields, [...here, "fields"]) : [];
    if (fields.findIndex(({ key }) => key === field.key) < index) {
      problems.push({ path: [...here, "key"], reason: `${here.join(".")}: the key "${field.key}" is there twice` });
    }
    if (field.default !== undefined && field.default !== null) {
      const { mistyped, missing } = checkData([{ ...field, default: undefined }], { [field.key]: field.default });
      for (const { message } of [...mistyped, ...missing])
        problems.push({ path: [...here, "default"], reason: `${here.join(".")}.default: ${message}` });
    }
    return problems;
  });
}

function marginPx(margin: { [edge in keyof Margin]?: number | string | undefined }): Margin {
  const px = (edge: number | string | undefined) =>
    edge === undefined ? defaultMarginPx : Math.round(typeof edge === "number" ? edge : (lengthPx(edge) ?? 0));
  return { top: px(margin.top), right: px(margin.right), bottom: px(margin.bottom), left: px(margin.left) };
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
