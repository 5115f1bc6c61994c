// Parts that occur in the schemas of many responses.
import { z } from "zod";

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

/** Returns the schema of a list whose items have this name. */
export function listOf<N extends string, T extends z.ZodType>(name: N, item: T) {
  // The compiler gives a computed key the type `string`.
  const items = { [name]: z.array(item).meta({ description: "Newest first." }) } as Record<N, z.ZodArray<T>>;
  return z.object({ ...items, pagination });
}
