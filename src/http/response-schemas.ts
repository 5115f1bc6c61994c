// What the schemas of responses have in common: parts that occur in many, and how they are bound to types.
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
  totalIsExact: z.boolean().meta({ description: "False if there may be more items than `total`." }),
  nextCursor: z.string().nullable().meta({ description: "The `cursor` of the next page. Null on the last page." }),
});

/** Returns the schema of a list whose items have this name. */
export function listOf<N extends string, T extends z.ZodType>(name: N, item: T) {
  // The compiler gives a computed key the type `string`.
  const items = { [name]: z.array(item).meta({ description: "Newest first." }) } as Record<N, z.ZodArray<T>>;
  return z.object({ ...items, pagination });
}

/**
 * Returns a function that returns its argument, a schema. It compiles only if the schema describes exactly the type `T`: a
 * property that one of them lacks, or has with another type, is an error.
 */
export function schemaOf<T>() {
  return <S extends z.ZodType>(schema: Equal<z.output<S>, T> extends true ? S : never): S => schema;
}

/** Whether the compiler considers two types identical. Two types that can only be assigned to each other are not. */
type Equal<A, B> = (<X>() => X extends Flat<A> ? 1 : 2) extends <X>() => X extends Flat<B> ? 1 : 2 ? true : false;

/** Merges an intersection of objects into one object, because the compiler does not consider the two identical. */
type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T;
