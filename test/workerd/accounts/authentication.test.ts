import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { revokeKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { alteredKey, partsOf, unknownKey } from "../../fixtures/api-keys.ts";
import { get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  dataOf,
  refusalOf,
  send,
  tenantWithNewKey,
  testService,
  usageOf,
  type DocumentJson,
  type Failure,
} from "../app.ts";

const service = testService();

const unauthorized = {
  status: 401,
  code: "INVALID_API_KEY",
  message: "The API key is missing or invalid. Send it as `Authorization: Bearer <API_KEY>`.",
};
const revoked = { ...unauthorized, message: "The API key has been revoked. Use a different key." };
const denied = {
  status: 403,
  code: "API_ACCESS_DENIED",
  message: "The account's plan does not include API access.",
};

const refusals = [
  { name: "a key in another header", expected: unauthorized, header: "X-Api-Key", prepare: () => newTenant(env) },
  { name: "a revoked key", expected: revoked, prepare: () => newTenant(env).then(revoke) },
  { name: "a key of a plan without API access", expected: denied, prepare: () => tenantWithoutAccess() },
  {
    name: "a revoked key of a plan without API access",
    expected: revoked,
    prepare: () => tenantWithoutAccess().then(revoke),
  },
];

// test/workerd/manage/authorization.test.ts has every operation.
it.for(refusals)(
  "a request with $name is refused whatever its path and method, and counts nothing",
  async ({ expected, header = "Authorization", prepare }) => {
    const tenant = await prepare();
    const own = testService();
    const headers = { [header]: header === "Authorization" ? `Bearer ${tenant.key}` : tenant.key };
    const body = { templateId: tenant.templateId, data: {} };

    for (const [method, path] of [
      ...["", "/", "/nothing", "/documents/a/b/c", "/documents"].map((path) => ["GET", path] as const),
      ...(["PUT", "POST"] as const).map((method) => [method, "/documents"] as const),
    ]) {
      const response = await send(own, { method, path, body: method === "GET" ? undefined : body }, headers);

      expect(response.headers.get("WWW-Authenticate")).toBe(expected.status === 401 ? "Bearer" : null);
      expect({ path, ...(await refusalOf(response)) }).toEqual({ path, ...expected });
    }
    expect({ ...(await usageOf(tenant)), jobs: own.jobs.length }).toEqual({ used: 0, reserved: 0, jobs: 0 });
  },
);

it.each(["Bearer", "bearer", "BEARER  "])("a key that is sent with the scheme `%s` is accepted", async (scheme) => {
  const { key } = await newTenant(env);

  expect((await usageWith(`${scheme} ${key}`)).status).toBe(200);
});

it.each<[string, (key: string) => string]>([
  ["the key without a scheme", (key) => key],
  ["another scheme", (key) => `Basic ${key}`],
  ["two keys", (key) => `Bearer ${key} ${key}`],
  ["the key in upper case", (key) => `Bearer ${key.toUpperCase()}`],
  ["a wrong checksum", (key) => `Bearer ${key.slice(0, -4)}${key.endsWith("AAAA") ? "BBBB" : "AAAA"}`],
  ["text before the scheme", (key) => `x Bearer ${key}`],
])("the Authorization header is refused if it has %s", async (_what, header) => {
  const { key } = await newTenant(env);

  expect(await refusalOf(await usageWith(header(key)))).toEqual(unauthorized);
});

it("a wrong id and a wrong secret get the same message, even if the account's plan has no API access", async () => {
  const [tenant, denied] = [await newTenant(env), await tenantWithoutAccess()];
  const unknown = await unknownKey();
  const { secret } = partsOf(unknown);
  const wrong = [unknown, ...(await Promise.all([tenant, denied].map(({ key }) => alteredKey(key, { secret }))))];

  const refused = await Promise.all(wrong.map(async (key) => refusalOf(await usageWith(`Bearer ${key}`))));

  expect(refused).toEqual([unauthorized, unauthorized, unauthorized]);
});

it("a missing key or a plan without API access is reported before a body that is too large or malformed", async () => {
  const body = { data: "x".repeat(1_100_000) };

  const response = await send(service, { method: "POST", path: "/documents", body });

  expect(response.status).toBe(401);
  expect(await refusalOf(await post(service, await tenantWithoutAccess(), "{"))).toEqual(denied);
});

it("one of an account's two keys is still accepted after the other was revoked", async () => {
  const tenant = await newTenant(env);
  const second = await tenantWithNewKey(tenant);
  const { id } = await dataOf(await post(service, tenant, { templateId: tenant.templateId, data: {} }));
  await revoke(tenant);

  const response = await get(service, second, `/documents/${id}`);

  expect((await dataOf<DocumentJson>(response)).id).toBe(id);
});

it("an error never contains a key or its secret", async () => {
  const tenant = await newTenant(env).then(revoke);

  const response = await get(service, tenant, "/documents");

  const text = JSON.stringify(await response.json<Failure>()) + JSON.stringify([...response.headers]);
  expect(text).not.toContain(partsOf(tenant.key).secret);
});

function usageWith(authorization: string): Promise<Response> {
  return send(service, { method: "GET", path: "/usage" }, { Authorization: authorization });
}

async function tenantWithoutAccess(): Promise<Tenant> {
  const tenant = await newTenant(env, { plan: "starter" });
  await operatorServices(env).accounts.updatePlan("starter", { apiAccess: false });
  return tenant;
}

async function revoke(tenant: Tenant): Promise<Tenant> {
  await revokeKey(operatorServices(env), { id: tenant.accountId }, tenant.keyId);
  return tenant;
}
