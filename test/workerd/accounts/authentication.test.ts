import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createKey, revokeKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { alteredKey, partsOf, unknownKey } from "../../fixtures/api-keys.ts";
import { get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  dataOf,
  operations,
  refusalOf,
  send,
  testService,
  unknownId,
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
const revoked = { ...unauthorized, message: "The API key has been revoked. Use another one." };
const denied = {
  status: 403,
  code: "API_ACCESS_DENIED",
  message: "The account's plan does not include API access.",
};

type Refusal = {
  name: string;
  expected: { status: number; code: string; message: string };
  /** Creates a tenant, and headers that cause the refusal. */
  prepare: () => Promise<{ tenant: Tenant; headers: Record<string, string> }>;
};

const refusals: Refusal[] = [
  {
    name: "a key in another header",
    expected: unauthorized,
    prepare: async () => {
      const tenant = await newTenant(env);
      return { tenant, headers: { "X-Api-Key": tenant.key } };
    },
  },
  {
    name: "a revoked key",
    expected: revoked,
    prepare: async () => {
      const tenant = await newTenant(env);
      await revoke(tenant);
      return { tenant, headers: { Authorization: `Bearer ${tenant.key}` } };
    },
  },
  {
    name: "a key of a plan without API access",
    expected: denied,
    prepare: async () => {
      const tenant = await tenantWithoutAccess();
      return { tenant, headers: { Authorization: `Bearer ${tenant.key}` } };
    },
  },
  {
    name: "a revoked key of a plan without API access",
    expected: revoked,
    prepare: async () => {
      const tenant = await tenantWithoutAccess();
      await revoke(tenant);
      return { tenant, headers: { Authorization: `Bearer ${tenant.key}` } };
    },
  },
];

describe.for(refusals)("a request with $name", ({ expected, prepare }) => {
  it("is refused on every operation", async () => {
    const { tenant, headers } = await prepare();

    for (const operation of operations(unknownId, tenant.templateId)) {
      const response = await send(service, operation, headers);

      const seen = operation.method === "HEAD" ? { ...expected, status: response.status } : await refusalOf(response);
      expect({ ...operation, ...seen }).toEqual({ ...operation, ...expected });
    }
  });

  it("is refused before the path and the method are checked", async () => {
    const { headers } = await prepare();

    for (const path of ["", "/", "/nothing", "/documents/a/b/c", "/documents/", "/templates/x/y", "/documents"]) {
      const response = await send(service, { method: path === "/documents" ? "PUT" : "GET", path }, headers);

      expect(response.headers.get("WWW-Authenticate")).toBe(expected.status === 401 ? "Bearer" : null);
      expect({ path, ...(await refusalOf(response)) }).toEqual({ path, ...expected });
    }
  });

  it("is neither counted nor rendered", async () => {
    const { tenant, headers } = await prepare();
    const own = testService();

    await send(own, { method: "POST", path: "/documents", body: { templateId: tenant.templateId, data: {} } }, headers);

    expect({ ...(await usageOf(tenant)), jobs: own.jobs.length }).toEqual({ used: 0, reserved: 0, jobs: 0 });
  });
});

it.each(["Bearer", "bearer", "BEARER  "])("accepts a key that is sent with the scheme `%s`", async (scheme) => {
  const { key } = await newTenant(env);

  expect((await usageWith(`${scheme} ${key}`)).status).toBe(200);
});

it.each<[string, (key: string) => string]>([
  ["an empty header", () => ""],
  ["the key without a scheme", (key) => key],
  ["another scheme", (key) => `Basic ${key}`],
  ["a missing key", () => "Bearer "],
  ["two keys", (key) => `Bearer ${key} ${key}`],
  ["two credentials", (key) => `Bearer ${key}, Bearer ${key}`],
  ["the key in upper case", (key) => `Bearer ${key.toUpperCase()}`],
  ["a truncated key", (key) => `Bearer ${key.slice(0, -1)}`],
  ["a wrong checksum", (key) => `Bearer ${key.slice(0, -4)}${key.endsWith("AAAA") ? "BBBB" : "AAAA"}`],
  ["text before the scheme", (key) => `x Bearer ${key}`],
])("refuses %s", async (_what, header) => {
  const { key } = await newTenant(env);

  expect(await refusalOf(await usageWith(header(key)))).toEqual(unauthorized);
});

it("gives the same message whether the id or the secret is wrong, also for a plan without API access", async () => {
  const [tenant, denied] = [await newTenant(env), await tenantWithoutAccess()];
  const unknown = await unknownKey();
  const { secret } = partsOf(unknown);
  const wrong = [unknown, ...(await Promise.all([tenant, denied].map(({ key }) => alteredKey(key, { secret }))))];

  const refused = await Promise.all(wrong.map(async (key) => refusalOf(await usageWith(`Bearer ${key}`))));

  expect(refused).toEqual([unauthorized, unauthorized, unauthorized]);
});

it("does not report an invalid key while the database is down", async () => {
  const findCaller = () => Promise.reject(new Error("D1 is down"));
  const down = testService(({ keys }) => ({ keys: { ...keys, findCaller } }));

  expect((await get(down, await newTenant(env), "/usage")).status).toBe(500);
});

it("does not delete a document when the DELETE is refused", async () => {
  const tenant = await newTenant(env);
  const { id } = await dataOf(await post(service, tenant, { templateId: tenant.templateId, data: {} }));

  await send(service, { method: "DELETE", path: `/documents/${id}` }, { Authorization: "Bearer hunter2" });

  expect((await get(service, tenant, `/documents/${id}`)).status).toBe(200);
});

it("reports the missing key, not the oversized body", async () => {
  const body = { data: "x".repeat(1_100_000) };

  const response = await send(service, { method: "POST", path: "/documents", body });

  expect(response.status).toBe(401);
});

it("reports that the plan has no API access, not that the body is malformed", async () => {
  const response = await post(service, await tenantWithoutAccess(), "{");

  expect(await refusalOf(response)).toEqual(denied);
});

it("accepts a second key of the same account", async () => {
  const tenant = await newTenant(env);
  const { key } = await secondKey(tenant);
  const { id } = await dataOf(await post(service, tenant, { templateId: tenant.templateId, data: {} }));

  const response = await get(service, { ...tenant, key }, `/documents/${id}`);

  expect((await dataOf<DocumentJson>(response)).id).toBe(id);
});

it("still accepts one of an account's two keys after the other was revoked", async () => {
  const tenant = await newTenant(env);
  const { id } = await secondKey(tenant);
  await revoke({ ...tenant, keyId: id });

  const response = await get(service, tenant, "/documents");

  expect(response.status).toBe(200);
});

it("never repeats a key or its secret in an error", async () => {
  const tenant = await newTenant(env);
  await revoke(tenant);

  const response = await get(service, tenant, "/documents");

  const text = JSON.stringify(await response.json<Failure>()) + JSON.stringify([...response.headers]);
  expect(text).not.toContain(secretOf(tenant.key));
});

function usageWith(authorization: string): Promise<Response> {
  return send(service, { method: "GET", path: "/usage" }, { Authorization: authorization });
}

async function tenantWithoutAccess(): Promise<Tenant> {
  const tenant = await newTenant(env, { plan: "starter" });
  await operatorServices(env).accounts.updatePlan("starter", { apiAccess: false });
  return tenant;
}

function revoke({ accountId: id, keyId }: Tenant): Promise<void> {
  return revokeKey(operatorServices(env), { id }, keyId);
}

function secretOf(key: string): string {
  return partsOf(key).secret;
}

async function secondKey(tenant: Tenant): Promise<{ id: string; key: string }> {
  const made = await createKey(operatorServices(env), tenant.accountId, { name: "second" });
  if (!made) throw new Error("the account does not exist");
  return { id: made.created.id, key: made.key };
}
