// Validates requests: zod finds the problems, and these helpers turn them into the errors of the API.
import { zValidator } from "@hono/zod-validator";
import { z } from "zod";
import { validationError, type ErrorDetail } from "../core/errors.ts";

/** Property names from a request are truncated to this length when a message quotes them. */
const maxNameChars = 60;

/** Returns the value as the schema returns it. Throws VALIDATION_ERROR with all problems. */
export function validated<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw validationError(detailsOf(result.error, schema));
  return result.data;
}

export function validQuery<S extends z.ZodObject>(schema: S) {
  return zValidator("query", schema, (result) => {
    if (!result.success) throw validationError(detailsOf(result.error, schema));
  });
}

/** The query parameters of every list. `offset` has no maximum, because a page beyond the end is simply empty. */
export const pageQuery = {
  limit: wholeNumberText("`limit` must be a whole number from 1 to 100.", 1, 100).default(20),
  offset: wholeNumberText("`offset` must be a whole number, 0 or more.", 0, Infinity).default(0),
};

function wholeNumberText(error: string, min: number, max: number) {
  return z
    .string({ error })
    .regex(/^\d{1,100}$/, { error })
    .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
    .pipe(z.number().min(min, { error }).max(max, { error }));
}

/** Converts zod's issues to error details, keeping only the first one for each path. */
function detailsOf(error: z.core.$ZodError, schema: z.ZodObject): ErrorDetail[] {
  const details = error.issues.flatMap((issue) => issueDetails(issue, schema));
  return details.filter(({ path }, index) => details.findIndex((other) => other.path === path) === index);
}

function issueDetails(issue: z.core.$ZodIssue, schema: z.ZodObject): ErrorDetail[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path.join("."), message: issue.message }];
  const allowed = Object.keys(schema.shape)
    .map((name) => `\`${name}\``)
    .join(", ");
  return issue.keys.slice(0, 20).map((key) => {
    const name = key.slice(0, maxNameChars).toWellFormed();
    return { path: name, message: `\`${name}\` is not a known property; the allowed properties are ${allowed}.` };
  });
}
