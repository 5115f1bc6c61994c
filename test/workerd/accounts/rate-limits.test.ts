// Tests the limits on callers over HTTP, with the simulation of the platform's bindings in workerd's tools.
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { unknownKey } from "../../fixtures/api-keys.ts";
import { get, newTenant } from "../../fixtures/tenant.ts";
import { operations, refusalOf, send, tally, testService, unknownId, type TestService } from "../app.ts";
import { spiedD1 } from "../storage/spied-d1.ts";

/** The simulation's periods begin at whole minutes, so a test may span two periods, but not three. */
const failureLimit = 4;
const requestLimit = 3;

const tooManyFailures = {
  status: 429,
  code: "TOO_MANY_REQUESTS",
  message: "Too many authentication attempts have failed.",
};
const tooManyRequests = {
  status: 429,
  code: "TOO_MANY_REQUESTS",
  message: "The account is sending too many requests.",
};

let clients = 0;
/** Returns the header with an address that no other test uses. */
const newClient = () => ({ "CF-Connecting-IP": `198.51.100.${++clients}` });

/** Returns the real binding with a different limit, which the simulation, unlike the platform, accepts in a call. */
function withLimit(binding: RateLimit, limit: number): RateLimit {
  return { limit: ({ key }) => binding.limit({ key, limit, period: 60 } as RateLimitOptions) };
}

const smallLimits = {
  FAILED_AUTHENTICATION_LIMIT: withLimit(env.FAILED_AUTHENTICATION_LIMIT, failureLimit),
  REQUEST_LIMIT: withLimit(env.REQUEST_LIMIT, requestLimit),
};

/** Returns a service with a small limit on failures. Its limit on requests is the one in `wrangler.toml`. */
function guardedService(replaced: Record<string, unknown> = {}): TestService {
  const { FAILED_AUTHENTICATION_LIMIT } = smallLimits;
  return testService(undefined, { ...env, RATE_LIMITS: "on", FAILED_AUTHENTICATION_LIMIT, ...replaced });
}

/** Returns a service and the number of queries that its D1 has run. */
function countingService(replaced: Record<string, unknown> = {}) {
  let queries = 0;
  const service = guardedService({ DB: spiedD1(() => void queries++), ...replaced });
  return { service, queries: () => queries };
}

async function wrongKey(): Promise<{ Authorization: string }> {
  return { Authorization: `Bearer ${await unknownKey()}` };
}

/** Sends a request with a different invalid key. */
async function fail(service: TestService, client: Record<string, string> = {}): Promise<Response> {
  return send(service, { method: "GET", path: "/usage" }, { ...client, ...(await wrongKey()) });
}

/** Sends requests with different invalid keys until one is refused with 429. Gives up after three times the limit. */
async function failUntilRefused(service: TestService, client: Record<string, string>): Promise<Response> {
  for (let i = 0; i < 3 * failureLimit; i++) {
    const response = await fail(service, client);
    if (response.status === 429) return response;
  }
  throw new Error("no request was refused");
}

/** Sends `count` requests one by one. Returns the number of responses by status. */
async function statusesOf(count: number, request: () => Promise<Response>): Promise<Record<string, number>> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await request()).status);
  return tally(statuses);
}

it("a client may fail to authenticate as often as wrangler.toml says", async () => {
  const client = newClient();
  const { FAILED_AUTHENTICATION_LIMIT } = env;
  const service = guardedService({ FAILED_AUTHENTICATION_LIMIT });

  expect(await statusesOf(30, () => fail(service, client))).toEqual({ 401: 30 });
});

it("a client that fails to authenticate too often is refused on every operation without a query", async () => {
  const client = newClient();
  expect(await refusalOf(await failUntilRefused(guardedService(), client))).toEqual(tooManyFailures);
  const { service, queries } = countingService();

  for (const operation of operations(unknownId, unknownId)) {
    const response = await send(service, operation, { ...client, ...(await wrongKey()) });

    expect([operation, response.status, response.headers.get("Retry-After")]).toEqual([operation, 429, "60"]);
  }
  expect(queries()).toBe(0);
});

it("a client that fails to authenticate too often is refused even with a valid key that is new to this isolate", async () => {
  const client = newClient();
  await failUntilRefused(guardedService(), client);
  const tenant = await newTenant(env);

  const response = await get(guardedService(), tenant, "/usage", { headers: client });

  expect(await refusalOf(response)).toEqual(tooManyFailures);
});

it("a client that fails to authenticate too often does not affect a caller with the same address whose key was accepted before", async () => {
  const client = newClient();
  const tenant = await newTenant(env);
  await get(guardedService(), tenant, "/usage", { headers: client });
  await failUntilRefused(guardedService(), client);

  const response = await get(guardedService(), tenant, "/usage", { headers: client });

  expect(response.status).toBe(200);
});

it("a client that fails to authenticate too often is also refused by the deep health check, where failures count as well", async () => {
  const client = newClient();
  const service = guardedService({ HEALTH_SECRET: "the-secret-of-the-operator" });
  const deepCheck = (secret: string) =>
    service.fetch("https://colophon.test/healthz?deep=1", {
      headers: { ...client, Authorization: `Bearer ${secret}` },
    });

  const statuses = [];
  for (let i = 0; i < 2 * failureLimit + 1; i++) statuses.push((await deepCheck(`guess-${i}`)).status);

  expect(statuses[0]).toBe(401);
  expect(statuses.at(-1)).toBe(429);
  expect((await fail(service, client)).status).toBe(429);
});

const preflight = { Origin: "https://app.example", "Access-Control-Request-Method": "POST" };

it.each<[string, string, Record<string, string>, number]>([
  ["a request without an Authorization header", "GET", {}, 401],
  ["a preflight request, to which a browser never adds the key", "OPTIONS", preflight, 204],
  ["a request with a valid key, whatever its response", "GET", { Authorization: "its own" }, 404],
  ["a request whose client is unknown", "GET", { Authorization: "wrong", "CF-Connecting-IP": "" }, 401],
])("%s does not count as a failed attempt", async (_what, method, { Authorization: key, ...headers }, status) => {
  const client = newClient();
  const service = guardedService();
  const tenant = await newTenant(env);
  const authorization = key === "its own" ? { Authorization: `Bearer ${tenant.key}` } : key && (await wrongKey());

  const statuses = await statusesOf(2 * failureLimit, () =>
    send(service, { method, path: `/documents/${unknownId}` }, { ...client, ...headers, ...authorization }),
  );

  expect(statuses).toEqual({ [status]: 2 * failureLimit });
  expect((await get(service, tenant, "/usage", { headers: client })).status).toBe(200);
});

it("an account with too many requests gets 429 with Retry-After on every operation, without a query while its key is cached", async () => {
  const { REQUEST_LIMIT } = smallLimits;
  const { service, queries } = countingService({ REQUEST_LIMIT });
  const tenant = await newTenant(env);
  const headers = { Authorization: `Bearer ${tenant.key}` };
  let queriesWhenRefused = 0;
  const untilRefused = (operation: Parameters<typeof send>[1]) => {
    const attempt = async () => {
      const before = queries();
      const response = await send(service, operation, headers);
      if (response.status !== 429) return null;
      queriesWhenRefused += queries() - before;
      return response;
    };
    return vi.waitUntil(attempt, { timeout: 10_000, interval: 5 });
  };

  const responses = [];
  for (const operation of operations(unknownId, unknownId)) responses.push(await untilRefused(operation));

  expect(new Set(responses.map((response) => response.headers.get("Retry-After")))).toEqual(new Set(["10"]));
  const [first = new Response()] = responses;
  expect(await refusalOf(first)).toEqual(tooManyRequests);
  expect(queriesWhenRefused).toBeLessThanOrEqual(1);
  expect(service.jobs).toEqual([]);
});

it("an account with too many requests does not affect other accounts", async () => {
  const { REQUEST_LIMIT } = smallLimits;
  const service = guardedService({ REQUEST_LIMIT });
  const [busiest, other] = [await newTenant(env), await newTenant(env)];
  for (let i = 0; i <= 2 * requestLimit; i++) await get(service, busiest, "/nothing");

  expect((await get(service, other, "/usage")).status).toBe(200);
});

it("the rate limits are off when RATE_LIMITS is off, even if the bindings are missing", async () => {
  const { FAILED_AUTHENTICATION_LIMIT: _failures, REQUEST_LIMIT: _requests, ...others } = env;
  const service = testService(undefined, { ...others, RATE_LIMITS: "off" } as unknown as Env);

  const statuses = await statusesOf(2 * failureLimit, () => fail(service, { "CF-Connecting-IP": "198.51.100.250" }));

  expect(statuses).toEqual({ 401: 2 * failureLimit });
});

it.each([
  [{ FAILED_AUTHENTICATION_LIMIT: undefined }, "the binding FAILED_AUTHENTICATION_LIMIT is missing"],
  [{ RATE_LIMITS: "yes" }, "the variable RATE_LIMITS must be on or off"],
])(
  "the rate limits are never off by mistake: with %j, requests fail and the log states the reason",
  async (replaced, message) => {
    const service = guardedService(replaced);

    const response = await send(service, { method: "GET", path: "/usage" });

    expect(response.status).toBe(500);
    expect(service.logged.map(({ cause }) => (cause as Error).message)).toEqual([message]);
  },
);
