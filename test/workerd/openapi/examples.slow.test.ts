// Provokes every response that the description of the API lists, and compares its examples with the service's responses. After a
// change, record the examples: `RECORD_EXAMPLES=1 npm test -- test/workerd/openapi/examples.slow.test.ts -u && npm run format`.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { manageOperations } from "../../../src/http/manage/manage-routes.ts";
import { errorCases, type ErrorName } from "../../../src/http/openapi/error-cases.ts";
import { examples } from "../../../src/http/openapi/examples.generated.ts";
import { apiOperations } from "../../../src/http/openapi/openapi-document.ts";
import { newExample, provoke, request, type Operation } from "./provoked-errors.ts";
import { recordExamples } from "./recorder.ts";

describe.each(apiOperations)("$operationId", (operation) => {
  it.each(operation.errors)("the operation can respond with the error %s", async (name) => {
    const { status, code } = errorCases[name];

    const response = await provoke(name, operation);

    const { error } = await response.json<{ error: { code: string } }>();
    expect([response.status, error.code]).toEqual([status, code]);
  });

  it.each(operation.responses.map(({ status }) => status))("the operation can respond with %i", async (status) => {
    const response = await request(await newExample(), operation, { headers: headersFor(operation, status) });

    expect(response.status).toBe(status);
  });
});

/** Returns request headers that lead to this status. */
function headersFor(_: Operation, status: number): Record<string, string> {
  if (status === 202) return { Prefer: "respond-async" };
  if (status === 206) return { Range: "bytes=0-99" };
  return status === 304 ? { "If-None-Match": "*" } : {};
}

it("every error in the table belongs to an operation", () => {
  const used = new Set<ErrorName>([...apiOperations, ...manageOperations].flatMap(({ errors }) => errors));

  expect(Object.keys(errorCases).filter((name) => !used.has(name as ErrorName))).toEqual([]);
});

it("the examples equal the responses of the service", async () => {
  expect(await recordExamples()).toEqual(examples);
});

it.runIf(env.RECORD_EXAMPLES)("the examples are recorded", async () => {
  const module = [
    "// Recorded by `test/workerd/openapi/examples.slow.test.ts`, which says how. Do not edit.",
    'import type { Examples } from "./examples.ts";',
    "",
    `export const examples: Examples = ${JSON.stringify(await recordExamples(), null, 2)};`,
    "",
  ];
  await expect(module.join("\n")).toMatchFileSnapshot("../../../src/http/openapi/examples.generated.ts");
});
