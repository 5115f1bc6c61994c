// Sends generated requests to both APIs. `describedApp` fails if a response is not in the description of its API.
// `npm run test:slow` sends 500, and `npm run test:long` sends 20,000.
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { managePath } from "../../../src/core/api-paths.ts";
import { createKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { describedOperations, managedOperations, operationOf } from "../../fixtures/openapi/description.ts";
import { baseUrl, newTenant } from "../../fixtures/tenant.ts";
import { tally, testService, unknownId, type Failure } from "../app.ts";
import { operatorKey } from "../manage/manage.ts";
import { knownTemplate, requestsOf, type GeneratedRequest } from "./arbitraries.ts";

const numRuns = Number(env.GENERATED_REQUESTS || 500);
const options = { numRuns, endOnFailure: true, ...(numRuns > 500 ? {} : { seed: 20_261_122 }) };

it.each([
  { api: "the API", base: baseUrl, operations: describedOperations, expected: ["200", "201", "404", "405"] },
  {
    api: "the management API",
    base: `https://colophon.test${managePath}`,
    operations: managedOperations,
    expected: ["200", "201", "403", "404"],
  },
])(
  "generated requests to $api get responses that its description has",
  async ({ base, operations, expected }) => {
    const world = await newWorld();
    const statuses: number[] = [];

    const send = async (generated: GeneratedRequest) => void statuses.push(await world.send(base, generated));
    await fc.assert(fc.asyncProperty(requestsOf(operations), send), options);

    console.log(`responses by status: ${JSON.stringify(tally(statuses))}`);
    expect(Object.keys(tally(statuses))).toEqual(expect.arrayContaining([...expected, "400", "401"]));
  },
  1_800_000,
);

/** An account with a template, a key for each kind of request, and the documents that the requests create. */
async function newWorld() {
  const service = testService();
  const [tenant, other] = [await newTenant(env, { plan: "enterprise" }), await newTenant(env)];
  const keyOf = async (input: object) =>
    (await createKey(operatorServices(env), tenant.accountId, { name: "generated", ...input })) ?? expect.unreachable();
  const [test, spare] = [await keyOf({ isTest: true }), await keyOf({})];
  const keys = { "of another account": other.key, test: test.key, wrong: "colophon_wrong", absent: "" };
  const documentIds = [unknownId];
  const known: Record<string, string> = {
    ...{ account: tenant.accountId, template: "test", key: spare.created.id, version: "1", plan: "starter" },
  };

  function idOf(path: string, name: string, number: number): string {
    if (name !== "id") return known[name] ?? unknownId;
    if (path.startsWith("/templates")) return tenant.templateId;
    // Nothing may delete the account.
    return path.startsWith("/admin") ? unknownId : (documentIds[number % documentIds.length] ?? "");
  }

  async function send(
    base: string,
    { method, path, ids, query, headers, key, body }: GeneratedRequest,
  ): Promise<number> {
    const values = ids.values();
    const filled = path.replace(/\{(\w+)\}/gi, (_, name: string) => {
      const id = values.next().value ?? { text: "" };
      return "known" in id ? idOf(path, name, id.known) : id.text;
    });
    const url = `${base}${filled}${query ? `?${query}` : ""}`;
    const valid = path.startsWith("/admin") ? operatorKey : tenant.key;
    const bearer = key === "valid" ? valid : keys[key];
    const sent = typeof body === "string" ? body.replaceAll(knownTemplate, tenant.templateId) : body;
    const response = await service.fetch(url, {
      method,
      headers: { ...headers, ...(bearer && { Authorization: `Bearer ${bearer}` }) },
      ...(sent !== null && method !== "GET" && method !== "HEAD" ? { body: sent as BodyInit } : {}),
    });
    if (response.status >= 500) throw new Error(`${method} ${url} got ${response.status}`);
    // Later requests read, download and delete the last documents.
    if (path === "/documents" && response.status === 201)
      documentIds.push(response.headers.get("Location")?.split("/").at(-1) ?? "");
    if (documentIds.length > 50) documentIds.shift();
    if (operationOf(method, new URL(url).pathname) === null) await checkRefusal(method, response);
    else await response.body?.cancel();
    return response.status;
  }

  return { send };
}

async function checkRefusal(method: string, response: Response): Promise<void> {
  const isRefusal = [401, 403, 404, 405].includes(response.status);
  const isEnvelope = method === "HEAD" || (await response.json<Failure>()).success === false;
  if (!isRefusal || !isEnvelope) throw new Error(`a request without an operation got ${response.status}`);
}
