// The schemas of requests about batches. The properties that batches and items share with a create come from the create's
// schema.
import { z } from "zod";
import { batchOutputs, startPages, type BatchItem } from "../../core/batches/batch.ts";
import { invoiceNameIsFree } from "../documents/attachment-requests.ts";
import { createBody } from "../documents/document-requests.ts";
import { conformanceHasPdf, qualityHasFormat } from "../documents/format-rules.ts";
import { setOf } from "../validation.ts";

const { data, filename, metadata, encryption, attachments, einvoice, ...options } = createBody.shape;

const outputError = '`output` must be ["documents"], ["merged"] or both.';
const notAnObject = (subject: string) => (issue: { code?: string | undefined }) =>
  issue.code === "invalid_type" ? `${subject} must be a JSON object.` : undefined;

const mergesPdf: [(input: { output: string[]; format: string }) => boolean, { path: string[]; error: string }] = [
  ({ output, format }) => format === "pdf" || !output.includes("merged"),
  { path: ["output"], error: 'Only a batch with the `format` "pdf" can be merged.' },
];

type MergedInput = { output: string[]; merged?: unknown };
const mergedHasOutput: [(input: MergedInput) => boolean, { path: string[]; error: string }] = [
  ({ output, merged }) => merged === undefined || output.includes("merged"),
  { path: ["merged"], error: '`merged` is only allowed with "merged" in `output`.' },
];

const startError = '`merged.startOn` must be "any" or "odd".';

const optionsShape = {
  ...options,
  webhookUrl: options.webhookUrl.meta({
    description: "A public https URL on port 443 that is notified once, when the batch has ended.",
  }),
  output: setOf(batchOutputs, "output", outputError).default(["documents"]).meta({
    description:
      'The files that are created in addition to the documents: with "merged", the completed PDFs are merged in order into one file with a bookmark for each, or into several files of up to 2,000 pages and 100 MB. The default is ["documents"], which creates no additional files.',
  }),
  merged: z
    .strictObject(
      { startOn: z.enum(startPages, { error: startError }).default("any") },
      { error: notAnObject("`merged`") },
    )
    .optional()
    .meta({
      description:
        'How the merged files are made. With `startOn` "odd", each document begins on an odd page, after a blank page if necessary, so that no sheet of a print on both sides has two documents.',
    }),
};

/** The first line of an NDJSON body. */
export const batchOptions = z
  .strictObject(optionsShape, { error: notAnObject("The first line, with the options of the batch,") })
  .refine(...qualityHasFormat)
  .refine(...conformanceHasPdf)
  .refine(...mergesPdf)
  .refine(...mergedHasOutput);

/** A JSON body. Its items are validated one by one. */
export const batchBody = z
  .strictObject(
    {
      ...optionsShape,
      items: z
        .array(z.unknown(), { error: "`items` (array of objects) is required." })
        .meta({ description: "The items.", items: { $ref: "#/components/schemas/BatchItem" } }),
    },
    { error: notAnObject("The body") },
  )
  .refine(...qualityHasFormat)
  .refine(...conformanceHasPdf)
  .refine(...mergesPdf)
  .refine(...mergedHasOutput);

const maxCustomIdChars = 200;
const customIdError = `\`customId\` must be a string of 1 to ${maxCustomIdChars} characters.`;

export const batchItem = z
  .strictObject(
    {
      customId: z
        .string({ error: customIdError })
        .min(1, { error: customIdError })
        .refine((text) => !text.includes("\0"), { error: "`customId` must not contain the character U+0000." })
        .refine((text) => text.length <= maxCustomIdChars || [...text].length <= maxCustomIdChars, {
          error: customIdError,
        })
        .meta({
          description: "A name that you choose, which the results repeat. It must be unique in the batch.",
          maxLength: maxCustomIdChars,
        })
        .optional(),
      data,
      filename,
      metadata,
      encryption,
      attachments,
      einvoice,
    },
    { error: notAnObject("An item") },
  )
  .refine(...invoiceNameIsFree) satisfies z.ZodType<BatchItem>;
