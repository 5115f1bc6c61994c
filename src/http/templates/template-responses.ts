// The schemas of responses about templates, for the description of the API.
import { z } from "zod";
import { pageSizeNames } from "colophon-page/page-geometry";
import { conformances } from "colophon-pdf/conformance";
import { fieldKeyPattern } from "colophon-template-model/fields";
import { fieldTypes, scalarTypes, type Field, type TemplateSummary } from "colophon-template-model/template";
import { listOf, timestamp, uuid } from "../response-schemas.ts";

const summary = {
  id: uuid,
  title: z.string(),
  description: z.string(),
  pageSize: z.enum([...pageSizeNames, "Custom"]).meta({
    description: "The name of a paper size, or `Custom` if the template sets its size in pixels.",
  }),
  fieldsCount: z.int().min(0).meta({ description: "The number of fields, not counting nested fields." }),
  pagesCount: z.int().min(1).meta({ description: "The number of page files." }),
  isPublished: z.boolean().meta({ description: "For your information; unpublished templates can also be rendered." }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const templateSummarySchema = z
  .object(summary)
  .meta({ description: "A template without its fields." }) satisfies z.ZodType<TemplateSummary>;

export const templateListSchema = listOf("templates", templateSummarySchema);

const bound = z.union([z.number(), z.string()]).optional();
const size = z.int().min(0).optional();

export const fieldSchema: z.ZodType<Field> = z
  .object({
    key: z.string().regex(fieldKeyPattern).meta({ description: "The key of the value in `data`." }),
    label: z.string(),
    type: z.enum(fieldTypes).meta({
      description:
        'The type of the value. `text` may have line breaks. `decimal`: a string of digits such as `"19.00"`, with which templates calculate exactly; a number stands for its shortest digits. `date`: `YYYY-MM-DD`. `datetime`: RFC 3339, for example `2026-11-21T09:30:00Z`. `image`: a `data:` URI of an image (PNG, JPEG, WebP, AVIF, GIF or SVG), or an `https` URL; an image that cannot be used is left out, with a warning.',
    }),
    required: z.boolean().meta({
      description: "Whether `data` must contain a value other than null. The value may be empty.",
    }),
    default: z.unknown().optional().meta({ description: "The value that is used if `data` has none." }),
    example: z.unknown().optional(),
    description: z.string(),
    fields: z
      .array(z.lazy((): z.ZodType<Field> => fieldSchema))
      .optional()
      .meta({ description: "The fields of an `object`, or of each item of a `list`." }),
    items: z.enum(scalarTypes).optional().meta({ description: "The type of the items of a `list` of plain values." }),
    enum: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .meta({ description: "All values that are allowed, or that the items of a list may have." }),
    pattern: z.string().optional().meta({
      description: "A regular expression of JavaScript with the flag `u`, which must occur in the value.",
    }),
    minimum: bound.meta({ description: "The smallest number that is allowed; for a `decimal`, also a string." }),
    maximum: bound.meta({ description: "The largest number that is allowed; for a `decimal`, also a string." }),
    minLength: size.meta({ description: "The smallest number of characters of a text." }),
    maxLength: size.meta({ description: "The largest number of characters of a text." }),
    minItems: size.meta({ description: "The smallest number of items of a list." }),
    maxItems: size.meta({ description: "The largest number of items of a list." }),
  })
  .meta({ description: "A field of the template: a value that `data` may or must contain." });

const pixels = z.int().min(0);

export const templateDetailSchema = z
  .object({
    ...summary,
    version: z.int().min(1).meta({ description: "The newest version, which new documents use." }),
    width: z.int().min(1).meta({ description: "The width of a page in CSS pixels." }),
    height: z.union([z.int().min(1), z.literal("auto")]).meta({
      description: "The height of a page in CSS pixels, or `auto`: every page is as high as its content.",
    }),
    orientation: z.enum(["portrait", "landscape"]),
    margin: z.object({ top: pixels, right: pixels, bottom: pixels, left: pixels }).meta({
      description: "The margins of a page in whole CSS pixels.",
    }),
    locale: z.string().meta({ description: "A BCP 47 language tag, for example `en-US`." }),
    locales: z.array(z.string()).meta({
      description:
        "The languages for which the template has messages. If it has any, a document can use these languages and their variants, such as `de-AT` for `de`; otherwise any language.",
    }),
    timeZone: z.string().meta({ description: "The name of an IANA time zone, for example `Europe/Berlin`." }),
    conformance: z.array(z.enum(conformances)).optional().meta({
      description: "The standards of the template's PDFs, if requests name none.",
    }),
    access: z.literal("private").optional().meta({
      description: "Present if the documents of the template are private by default.",
    }),
    allowPublic: z.literal(true).optional().meta({
      description: "Present if requests may still make documents of a private template public.",
    }),
    fields: z.array(fieldSchema),
    dataSchema: z.record(z.string(), z.unknown()).meta({ description: "The JSON Schema (2020-12) of `data`." }),
    sampleData: z.record(z.string(), z.unknown()).meta({ description: "An example of `data` for this template." }),
  })
  .meta({ description: "A template with its page and its fields." });
