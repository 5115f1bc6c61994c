// Parts that occur in the schemas of many responses.
import { z } from "zod";
import { errorCodes, type ErrorDetail } from "../core/errors.ts";

export const uuid = z.string().meta({ format: "uuid" });
export const url = z.string().meta({ format: "uri" });
export const timestamp = z.string().meta({
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
});

export type Pagination = z.output<typeof pagination>;

export const pagination = z.object({
  limit: z.int().min(1).max(100),
  offset: z.int().min(0),
  total: z.int().min(0).meta({ description: "The number of items that match the filters, on all pages." }),
  totalIsExact: z.boolean().meta({ description: "False if more items than `total` may exist." }),
  nextCursor: z.string().nullable().meta({ description: "The `cursor` of the next page; null on the last page." }),
});

export const errorDetailSchema = z.object({
  path: z.string().meta({ description: "Where the problem is, for example `data.items.3.price`." }),
  line: z.int().optional().meta({ description: "The line of a file of a template." }),
  message: z.string().meta({ description: "What is allowed." }),
  customId: z
    .string()
    .optional()
    .meta({ description: "The `customId` of the batch item with the problem, if it has one." }),
  clause: z.string().optional().meta({
    description: "The clause of the standard that the document violates, for example `6.2.11.8-1`.",
  }),
  page: z.int().min(1).optional().meta({ description: "The page of the document with the problem." }),
  element: z.string().optional().meta({
    description:
      'The start tag of the element at fault, for example `<img class="logo">`. Its text and the element around it may follow.',
  }),
  file: z.string().optional().meta({
    description: "The file of the template in which the element begins, on the line `line`.",
  }),
}) satisfies z.ZodType<ErrorDetail>;

export const errorSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  details: z.array(errorDetailSchema).optional().meta({ description: "The individual problems, if there are any." }),
});

/** Returns the schema of a list whose items have this name. */
export function listOf<N extends string, T extends z.ZodType>(name: N, item: T) {
  // The compiler gives a computed key the type `string`.
  const items = { [name]: z.array(item).meta({ description: "Newest first." }) } as Record<N, z.ZodArray<T>>;
  return z.object({ ...items, pagination });
}
