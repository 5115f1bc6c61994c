// Sends generated requests to every operation of the management API. A response that the description does not have fails the run, and
// so does a fault of the service.
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { managePath } from "../../../src/http/app.ts";
import { manageOperations } from "../../../src/http/manage/manage-routes.ts";
import { createKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { newTenant } from "../../fixtures/tenant.ts";
import { tally, testService, unknownId } from "../app.ts";
import { operatorKey, zipOf } from "./manage.ts";

const text = fc.oneof(
  fc.constantFrom("letter", "%F0%9F%93%84", "..", "%00", "%2f", "-1", "1", "2", unknownId, "evt_0", "a".repeat(300)),
  fc.string({ maxLength: 20 }).map(encodeURIComponent),
);
const value = fc.oneof(
  fc.constantFrom<unknown>(
    "pro",
    "free",
    null,
    true,
    1,
    0,
    -1,
    1e9,
    2,
    "keep",
    "plan",
    "2026-11-26",
    "outbox",
    ["documents"],
    [],
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const names = [
  "name",
  "plan",
  "scopes",
  "expiresAt",
  "isTest",
  "version",
  "since",
  "monthlyRenders",
  "retentionDays",
  "region",
];
const others = ["apiAccess", "position", "isForced", "rows", "extra"];
const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...names, ...others), value, { maxKeys: 4 }).map((object) => JSON.stringify(object)),
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    '{"name":"a"}',
    '{"version":1}',
    '{"name":"a","plan":"pro"}',
    '{"monthlyRenders":5}',
  ),
);
const query = fc.constantFrom(
  ...[
    "",
    "?limit=1",
    "?limit=0",
    "?cursor=x",
    "?status=dead",
    "?status=x",
    "?documentId=1",
    "?from=2026-11-01",
    "?from=x",
  ],
  ...[
    "?id=letter",
    "?bucket=files&key=x",
    "?cursor=documents%20x",
    "?cursor=%27",
    "?offset=1&cursor=x",
    "?until=2026-01-01",
  ],
);

const generated = fc.record({
  operation: fc.constantFrom(...manageOperations),
  // Most requests have a key that may call the operation, and no query.
  key: fc.constantFrom("right", "right", "right", "right", "right", "operator", "live", "test", "limited", "wrong"),
  ids: fc.infiniteStream(fc.oneof({ weight: 3, arbitrary: fc.constant("known") }, { weight: 1, arbitrary: text })),
  body,
  query: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: query }),
  type: fc.constantFrom("right", "right", "right", "wrong"),
});

/** Returns how many responses had which status. */
export async function sendToManagement(options: { numRuns: number; seed?: number }): Promise<Record<string, number>> {
  const service = testService();
  const tenant = await newTenant(env);
  const services = operatorServices(env);
  const made = async (input: object) => {
    const key = await createKey(services, tenant.accountId, { name: "generated", ...input });
    if (!key) throw new Error("the account does not exist");
    return key;
  };
  const [test, limited] = [await made({ isTest: true }), await made({ scopes: ["templates"] })];
  const keys: Record<string, string> = {
    ...{ operator: operatorKey, live: tenant.key, test: test.key, limited: limited.key, wrong: "colophon_x" },
  };
  const statuses: number[] = [];
  const property = fc.asyncProperty(generated, async ({ operation, key, ids, body, query, type }) => {
    const isUpload = operation.bodyContent !== undefined;
    const known: Record<string, string> = {
      ...{
        account: tenant.accountId,
        template: tenant.templateId,
        key: limited.created.id,
        version: "1",
        plan: "starter",
      },
    };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const id = ids.next().value ?? "";
      return id === "known" ? (known[name] ?? unknownId) : id;
    });
    // Deleting the account, or revoking the keys, would end the run.
    if (["deleteAccount", "revokeKey", "adminRevokeKey"].includes(operation.operationId) && !path.includes(unknownId))
      return;
    const rightKey = operation.access === "operator" ? "operator" : "live";
    const mayHaveBody = operation.method !== "get";
    const right = isUpload ? "application/zip" : "application/json";
    const response = await service.fetch(`https://colophon.test${managePath}${path}${query}`, {
      method: operation.method.toUpperCase(),
      headers: {
        Authorization: `Bearer ${keys[key === "right" ? rightKey : key]}`,
        "Content-Type": type === "right" ? right : "text/plain",
      },
      ...(mayHaveBody && { body: isUpload && body.length > 2 ? new Uint8Array(zipOf(`<p>${body.length}</p>`)) : body }),
    });
    await response.body?.cancel();
    if (response.status >= 500) throw new Error(`${operation.operationId} responded with ${response.status}`);
    statuses.push(response.status);
  });
  await fc.assert(property, { ...options, endOnFailure: true });
  return tally(statuses);
}
