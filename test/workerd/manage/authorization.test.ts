// Every operation of both APIs with every type of key. The table comes from the descriptions, from which the routes and the
// OpenAPI documents are also generated.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { includesScope, scopes, type Scope } from "../../../src/core/accounts/scopes.ts";
import { basePath, managePath } from "../../../src/core/api-paths.ts";
import { manageOperations } from "../../../src/http/manage/manage-routes.ts";
import { apiOperations } from "../../../src/http/openapi/openapi-document.ts";
import type { ApiOperation } from "../../../src/http/operation.ts";
import { createKey, revokeKey, type KeyInput } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { testService, unknownId } from "../app.ts";

const origin = "https://colophon.test";
const all = [
  ...apiOperations.map((row) => ({ ...row, url: origin + basePath + row.path })),
  ...manageOperations.map((row) => ({ ...row, url: origin + managePath + row.path })),
];
type Operation = (typeof all)[number];

const keys: Record<string, string | null> = {
  none: null,
  wrong: "colophon_0000000000000000_x",
  operator: operatorKey(),
};
const service = testService();
let mine: Tenant;
let theirs: Tenant;

function operatorKey(): string {
  return (env as { OPERATOR_KEY?: string }).OPERATOR_KEY ?? "";
}

beforeAll(async () => {
  [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
  const services = operatorServices(env);
  const keyWith = async (input: Partial<KeyInput>) => {
    const made = await createKey(services, mine.accountId, { name: "test", ...input });
    return made ?? expect.unreachable();
  };
  const revoked = await keyWith({});
  await revokeKey(services, { id: mine.accountId }, revoked.created.id);
  keys["revoked"] = revoked.key;
  keys["expired"] = (await keyWith({ expiresAt: Date.now() - 1 })).key;
  keys["test"] = (await keyWith({ isTest: true })).key;
  for (const scope of scopes) keys[scope] = (await keyWith({ scopes: [scope] })).key;
  keys["live"] = mine.key;
  keys["foreign"] = theirs.key;
  keys["denied"] = (await newTenant(env, { plan: "starter" })).key;
  await services.accounts.updatePlan("starter", { apiAccess: false });
});

/** The status and the code of a refusal, or null if the key may call the operation. */
function expectedRefusal({ access }: ApiOperation, kind: string): string | null {
  if (["none", "wrong", "revoked", "expired"].includes(kind)) return "401 INVALID_API_KEY";
  if (access === "operator") return kind === "operator" ? null : "401 INVALID_API_KEY";
  if (kind === "operator") return "401 INVALID_API_KEY";
  if (kind === "denied") return "403 API_ACCESS_DENIED";
  if (kind === "test") return access.tests ? null : "403 INSUFFICIENT_SCOPE";
  if (kind === "live" || kind === "foreign") return null;
  return includesScope([kind as Scope], access.scope) ? null : "403 INSUFFICIENT_SCOPE";
}

async function call(
  { method, url, body }: Operation,
  key: string | null | undefined,
  id = unknownId,
): Promise<Response> {
  const path = url
    .replace("{account}", mine.accountId)
    .replace("{version}", "1")
    .replace(/\{\w+\}/g, id);
  const headers = {
    ...(key && { Authorization: `Bearer ${key}` }),
    ...(body && { "Content-Type": "application/json" }),
  };
  const sent = body ? { body: "{}" } : {};
  return service.fetch(path, { method: method.toUpperCase(), headers, ...sent });
}

describe.each(all)("$operationId", (operation) => {
  it("an operation refuses exactly the keys that may not call it", async () => {
    const expected: Record<string, string | null> = {};
    const found: Record<string, string | null> = {};
    for (const [kind, key] of Object.entries(keys)) {
      expected[kind] = expectedRefusal(operation, kind);
      const response = await call(operation, key);
      const text = await response.text();
      const isRefused = response.status === 401 || response.status === 403;
      found[kind] = isRefused ? `${response.status} ${JSON.parse(text).error.code}` : null;
      expect(response.status, `${kind}: ${text}`).toBeLessThan(500);
    }

    expect(found).toEqual(expected);
  });
});

const withoutMeta = (text: string) => text.replace(/"meta":\{[^}]*\}/, "");
const readsOne = all.filter(({ url, access }) => access !== "operator" && /\{(id|template|key|webhook)\}/.test(url));

it.each(readsOne)("$operationId responds to another account's id as to an unknown one", async (operation) => {
  const services = operatorServices(env);
  const made = await createKey(services, theirs.accountId, { name: "theirs" });
  const foreign = operation.url.includes("{template}") ? theirs.templateId : (made?.created.id ?? "");
  const responses = await Promise.all([call(operation, mine.key, foreign), call(operation, mine.key, unknownId)]);

  const [first, second] = await Promise.all(responses.map(async (response) => withoutMeta(await response.text())));
  expect(first).toBe(second);
  expect(responses[0]?.status).toBe(responses[1]?.status);
});

const acted = () =>
  service.measured.filter(({ event }) => event === "operator.acted").map(({ requestId: _, ...line }) => line);
const asOperator = (method: string, path: string, body?: object) =>
  service.fetch(`${origin}${managePath}/admin${path}`, {
    method,
    headers: { Authorization: `Bearer ${operatorKey()}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });

it.each(manageOperations.filter(({ path }) => path.startsWith("/admin/")))(
  "the log has a line for $operationId",
  async (operation) => {
    service.measured.length = 0;
    const url = origin + managePath + operation.path;

    const { status } = await call({ ...operation, url }, operatorKey());
    await call({ ...operation, url }, mine.key);

    const accountId = url.includes("{account}") ? mine.accountId : url.includes("accounts/{id}") ? unknownId : null;
    const { operationId, method } = operation;
    expect(acted()).toEqual([
      { event: "operator.acted", method: method.toUpperCase(), operationId, accountId, status },
    ]);
  },
);

it("the log names the account that a request creates and an unknown path, without any text of the request", async () => {
  service.measured.length = 0;
  const created = await asOperator("POST", "/accounts", { name: "secret name", plan: "free" });
  const { data } = (await created.json()) as { data: { id: string } };
  await asOperator("POST", "/accounts/secret-id/secret-path?secret=1");

  expect(acted()).toMatchObject([
    { operationId: "createAccount", accountId: data.id, status: 201 },
    { method: "POST", operationId: null, accountId: null, status: 404 },
  ]);
  expect(JSON.stringify(acted())).not.toContain("secret");
});
