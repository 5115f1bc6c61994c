// Binds a schema of a response to the TypeScript type of the value that is sent.
import type { z } from "zod";

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
