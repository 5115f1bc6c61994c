// Request shapes: zod says what is wrong, these helpers say it in the interface's words.
import { zValidator } from "@hono/zod-validator";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { validationError, type ErrorDetail } from "../core/errors.ts";
import type { HttpEnv } from "./context.ts";

const maxBodyBytes = 1024 * 1024;

/** The body is refused by its size before anything reads it. */
export const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw validationError([{ path: "", message: "The body is larger than 1 MiB." }], 413);
  },
});

export const requireJson = createMiddleware<HttpEnv>(async (context, next) => {
  const type = context.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw validationError([{ path: "", message: "The Content-Type must be application/json." }], 415);
  }
  await next();
});

export function validBody<S extends z.ZodObject>(schema: S) {
  return zValidator("json", schema, (result) => {
    if (!result.success)
      throw validationError(result.error.issues.flatMap((issue) => detailsOf(issue, "property", schema)));
  });
}

export function validQuery<S extends z.ZodObject>(schema: S) {
  return zValidator("query", schema, (result) => {
    if (!result.success)
      throw validationError(result.error.issues.flatMap((issue) => detailsOf(issue, "parameter", schema)));
  });
}

/** `limit` and `offset` of every list. */
export const pageQuery = {
  limit: wholeNumberText("limit", 1, 100).default(20),
  offset: wholeNumberText("offset", 0, Number.MAX_SAFE_INTEGER).default(0),
};

function wholeNumberText(name: string, min: number, max: number) {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  const error = `\`${name}\` must be a whole number ${range}.`;
  return z
    .string({ error })
    .regex(/^\d{1,16}$/, { error })
    .transform(Number)
    .pipe(z.number().min(min, { error }).max(max, { error }));
}

function detailsOf(issue: z.core.$ZodIssue, kind: string, schema: z.ZodObject): ErrorDetail[] {
  if (issue.code === "unrecognized_keys") {
    const allowed = Object.keys(schema.shape)
      .map((name) => `\`${name}\``)
      .join(", ");
    return issue.keys.slice(0, 20).map((key) => ({
      path: key,
      message: `\`${key.slice(0, 60)}\` is not a known ${kind}; allowed are ${allowed}.`,
    }));
  }
  return [{ path: issue.path.join("."), message: issue.message }];
}
