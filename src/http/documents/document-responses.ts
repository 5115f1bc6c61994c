// The schemas of responses about documents, for the description of the API.
import { z } from "zod";
import { documentFormats } from "colophon-page/document-format";
import { conformances } from "colophon-pdf/conformance";
import { imageQualityRange } from "colophon-render/image-limits";
import { documentStatuses, type DocumentRecord, type Download } from "../../core/documents/document.ts";
import type { FileLink } from "../../core/documents/links.ts";
import { errorSchema, listOf, timestamp, url, uuid } from "../response-schemas.ts";

const positive = z.int().min(1);
const positiveOrNull = positive.nullable();
const nullWhenFailed = "Null if the render failed, and while it has not ended.";

export const documentSchema = z
  .object({
    id: uuid,
    templateId: uuid.meta({ description: "The template that was rendered." }),
    status: z.enum(documentStatuses),
    format: z.enum(documentFormats),
    pdfUrl: url.nullable().meta({
      description: `The URL of the file, whatever its format. Anyone who knows the URL can read the file, without a key. For a private document, it is a link that ends. ${nullWhenFailed}`,
    }),
    fileUrl: url.nullable().meta({ description: "The same as `pdfUrl`, under a name that fits every format." }),
    filename: z.string().nullable().meta({
      description: "The file name of a download, with its extension. Null if the request gave no `filename`.",
    }),
    metadata: z
      .record(z.string(), z.string())
      .meta({ description: "The key-value pairs that the request attached to the document." }),
    batchId: uuid.nullable().meta({ description: "The batch that the document belongs to." }),
    isTest: z
      .boolean()
      .meta({ description: "Whether it was created with a test key: it then has a watermark and does not count." }),
    createdAt: timestamp.meta({ description: "When the request arrived." }),
    completedAt: timestamp.nullable().meta({ description: `When the render ended. ${nullWhenFailed}` }),
    expiresAt: timestamp.nullable().meta({
      description: "When the document and its file are removed. Null if they are kept until they are deleted.",
    }),
    templateVersion: positive.meta({ description: "The version of the template that was rendered." }),
    width: positive.meta({
      description:
        "The width of the first page in CSS pixels. In an image, the pages of all page files are stacked vertically, and this is the width of the first one. `pixelWidth` and `pixelHeight` are the size of the image.",
    }),
    height: positiveOrNull.meta({
      description:
        'The height in CSS pixels, like `width`. If the height was "auto", it is null until the render has ended, and if it failed.',
    }),
    deviceScaleFactor: z.int().min(1).max(3),
    imageQuality: z
      .int()
      .min(imageQualityRange.min)
      .max(imageQualityRange.max)
      .nullable()
      .meta({ description: "The quality of a JPEG or WebP. Null for other formats." }),
    pixelWidth: positiveOrNull.meta({
      description: "The width of the whole image in pixels. Null for a PDF, and if the render failed.",
    }),
    pixelHeight: positiveOrNull.meta({
      description: "The height of the whole image in pixels. Null for a PDF, and if the render failed.",
    }),
    pageCount: positiveOrNull.meta({ description: `The number of pages. ${nullWhenFailed}` }),
    fileSize: positiveOrNull.meta({ description: `The size of the file in bytes. ${nullWhenFailed}` }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .meta({ description: `The SHA-256 of the file in hexadecimal. ${nullWhenFailed}` }),
    conformance: z.array(z.enum(conformances)).optional().meta({
      description: "The standards that the PDF conforms to. Present only if the request or the template asked for one.",
    }),
    warnings: z.array(z.string()).meta({
      description:
        "Sentences about possible flaws of the document: keys of `data` that are not fields, images that could not be used, and content that was cut off.",
    }),
    error: errorSchema.nullable().meta({ description: "Why the render failed. Null if it was completed." }),
    access: z.literal("private").optional().meta({ description: "Present if the file is private." }),
    linkExpiresAt: timestamp
      .nullable()
      .optional()
      .meta({
        description: `When the links in \`pdfUrl\` and \`fileUrl\` end. Present if the file is private. ${nullWhenFailed}`,
      }),
  })
  .meta({ description: "A document: one render of a template with data." }) satisfies z.ZodType<DocumentRecord>;

export const documentListSchema = listOf("documents", documentSchema);

const downloadSchema = z.object({
  at: timestamp,
  via: z.enum(["key", "link"]),
  keyId: z.string().nullable().meta({ description: "The id of the key, or `operator`. Null for a link." }),
  country: z.string().nullable().meta({
    description: "The country of the client as two letters (ISO 3166). Null if it is unknown.",
  }),
});

export const downloadListSchema = listOf("downloads", downloadSchema);

export function downloadRecord({ createdAt, keyId, country }: Download): z.output<typeof downloadSchema> {
  return { at: new Date(createdAt).toISOString(), via: keyId === null ? "link" : "key", keyId, country };
}

export const fileLinkSchema = z
  .object({ url, expiresAt: timestamp.meta({ description: "When the link ends." }) })
  .meta({ description: "A link to a file, which needs no key." }) satisfies z.ZodType<FileLink>;

export const endedLinksSchema = z.object({ id: uuid, linksEnded: z.literal(true) });

export const deletedDocumentSchema = z.object({ id: uuid, deleted: z.literal(true) });
