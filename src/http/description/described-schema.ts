// A schema that validates requests, with what the description of the API says about its properties.
import type { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** A description, and keywords that replace those of the schema, or that it cannot express. */
type PropertyDescription = { description: string } & JsonSchema;

export type DescribedSchema = { schema: z.ZodObject; properties: Record<string, PropertyDescription> };

/** Compiles only if every property of the schema is described, and no other. */
export function describedSchema<S extends z.ZodObject>(
  schema: S,
  properties: Record<keyof S["shape"], PropertyDescription>,
): DescribedSchema {
  return { schema, properties };
}
