// The schemas of responses about batches, for the description of the API.
import { z } from "zod";
import { documentFormats } from "colophon-page/document-format";
import { batchOutputs, batchStatuses, type BatchRecord, type ItemResult } from "../../core/batches/batch.ts";
import { errorSchema, listOf, timestamp, url, uuid } from "../response-schemas.ts";

const count = z.int().min(0);
const positive = z.int().min(1);

const linkExpiresAt = timestamp.optional().meta({ description: "When the link ends. Present if the file is private." });
const mergedFileSchema = z.object({
  kind: z.literal("merged"),
  url,
  fileSize: positive,
  pageCount: positive,
  linkExpiresAt,
});

export const batchSchema = z
  .object({
    id: uuid,
    status: z.enum(batchStatuses).meta({
      description:
        "`processing` until all items have ended, or `canceling` if the batch was canceled and some of its items are still being rendered; then `ended`.",
    }),
    templateId: uuid.meta({ description: "The template that is rendered." }),
    templateVersion: positive.meta({
      description: "The version of the template, which was fixed when the batch was accepted.",
    }),
    format: z.enum(documentFormats),
    output: z.array(z.enum(batchOutputs)),
    counts: z
      .object({ total: count, processing: count, completed: count, failed: count, canceled: count })
      .meta({ description: "The number of items, in total and by status." }),
    createdAt: timestamp.meta({ description: "When the request arrived." }),
    startedAt: timestamp.nullable().meta({ description: "When the first render began." }),
    endedAt: timestamp.nullable().meta({ description: "When the batch ended." }),
    expiresAt: timestamp.meta({
      description: "When the batch is removed with its data, its results and its merged files.",
    }),
    resultsUrl: url.meta({ description: "The URL of the results, which needs the key." }),
    files: z.array(mergedFileSchema).meta({
      description:
        "The merged files, when the batch has ended. Anyone who knows a URL can read the file, without a key. For a private batch, the URLs are links that end.",
    }),
    warnings: z
      .array(z.string())
      .meta({ description: "Why the batch has ended without merged files, or which documents they lack." }),
    access: z.literal("private").optional().meta({ description: "Present if all files of the batch are private." }),
  })
  .meta({
    description: "A batch: documents of one template that were created by one request.",
  }) satisfies z.ZodType<BatchRecord>;

export const batchListSchema = listOf("batches", batchSchema);

export const deletedBatchSchema = z.object({ id: uuid, deleted: z.literal(true) });

export const batchResultSchema = z
  .object({
    index: count.meta({ description: "The position of the item in the request, from 0." }),
    customId: z.string().nullable(),
    status: z.enum(["processing", "completed", "failed", "canceled"]),
    documentId: uuid.nullable().meta({ description: "The document of an item that was completed or failed." }),
    fileUrl: url.nullable().meta({
      description:
        "The URL of the file of a completed item. For a private batch, it is a link, or null if the document was deleted.",
    }),
    warnings: z.array(z.string()),
    error: errorSchema.nullable().meta({ description: "Why the item failed." }),
    linkExpiresAt,
  })
  .meta({ description: "A line of the results of a batch." }) satisfies z.ZodType<ItemResult>;
