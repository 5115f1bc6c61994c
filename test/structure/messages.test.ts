// Messages are sentences that end exactly once, whatever they are composed of.
import { expect, it } from "vitest";
import { z } from "zod";
import { sentence } from "colophon-base/text";
import { findingsOf } from "../../packages/template-checks/test/corpus/base.ts";
import { planted } from "../../packages/template-checks/test/corpus/planted.ts";
import { assets, liquid, styles } from "../../packages/template-model/test/folder/hostile/contents.ts";
import { manifests, samples } from "../../packages/template-model/test/folder/hostile/data.ts";
import { names } from "../../packages/template-model/test/folder/hostile/names.ts";
import { encodings, jsonFiles } from "../../packages/template-model/test/folder/hostile/texts.ts";
import * as errors from "../../src/core/errors.ts";
import { batchBody, batchItem } from "../../src/http/batches/batch-requests.ts";
import { createBody } from "../../src/http/documents/document-requests.ts";
import { manageOperations } from "../../src/http/manage/manage-routes.ts";
import { apiOperations } from "../../src/http/openapi/openapi-document.ts";
import { problemsOf } from "../../src/http/validation.ts";

/** Quotations in messages may contain anything. */
const withoutQuotes = (message: string) => message.replace(/`[^`]*`|"[^"]+"|\S*[/\\]\.\.[/\\]\S*\w/g, "x");
const flaw =
  /[?!.:,;][?!.:,;]|\s[?!.:,;](?!\w)|\s\s|""|``|\b(undefined|NaN)\b|\[object|Invalid|Too \w+:|^\s*$|[^.!?…]$/;
const flawed = (messages: string[]) => messages.filter((message) => flaw.test(withoutQuotes(message)));

it("the messages of the service's errors are sentences", () => {
  const detail = { path: "a", message: "`a` must be b." };
  const usage = { used: 1, limit: 1, month: "2026-11", nowMs: 0 };
  const given: Record<string, unknown[]> = {
    ...{ insufficientScope: ["keys"], validationError: [[detail, detail]], missingField: [[detail], detail.message] },
    ...{ templateVersionNotFound: [3, 2], versionConflict: [3], batchLimitExceeded: [detail.message, 1] },
    ...{ renderLimitExceeded: [usage], tooManyRequests: [detail.message, 1], idempotencyConflict: ["in_progress"] },
    ...{ renderFailed: ["impossible", detail.message], noCapacity: [1], unhealthy: [["database", "files"]] },
    ...{ serviceUnavailable: [{ retryAfterSeconds: 1 }], internalError: [null] },
  };
  const factories = Object.entries(errors).filter(([name, each]) => typeof each === "function" && /^[a-z]/.test(name));
  const made = factories.map(([name, factory]) => {
    return (factory as (...values: unknown[]) => errors.ServiceError)(...(given[name] ?? []));
  });

  expect(made.length).toBeGreaterThan(20);
  // The API promises this message, which is not a sentence.
  expect(flawed(made.map(({ message }) => message))).toEqual(["Monthly render limit exceeded. Current: 1/1"]);
});

it("the messages of refused requests are sentences", () => {
  const wrong = [
    undefined,
    null,
    -1,
    0.5,
    1e12,
    "",
    "x",
    "2026-02-30",
    "x".repeat(5_000),
    [],
    ["x"],
    {},
    { x: 1 },
    true,
  ];
  const operations = [...apiOperations, ...manageOperations];
  const all = operations.flatMap(({ body, query }) => [body, query].filter((each) => each instanceof z.ZodObject));
  const schemas = [...all, createBody, batchBody, batchItem].filter((each) => each instanceof z.ZodObject);
  const messages = schemas.flatMap((schema) =>
    [...Object.keys(schema.shape), "unknown"].flatMap((key) =>
      wrong.flatMap((value) => {
        const result = problemsOf(schema, { [key]: value });
        return result.status === "invalid" ? [errors.validationError(result.problems).message] : [];
      }),
    ),
  );

  expect(messages.length).toBeGreaterThan(500);
  expect([...new Set(flawed(messages))]).toEqual([]);
});

it("the message of each problem of a template is a sentence", () => {
  const hostile = [names, encodings, jsonFiles, manifests, samples, styles, assets, liquid].flat();
  const problems = hostile.map(([, , problem]) => problem).filter((each) => each !== "" && !each.endsWith("…"));
  const findings = planted.flatMap(([template]) => findingsOf(template).map(({ message }) => message));
  const reasons = [...problems.map((problem) => problem.replace(/^\S*:\d+ /, "")), ...findings];

  expect(reasons.length).toBeGreaterThan(250);
  expect([...new Set(flawed(reasons.map(sentence)))]).toEqual([]);
});
