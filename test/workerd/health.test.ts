// Tests the health checks over HTTP with the real D1, R2 and queue. The browser is a fake; test/e2e/start.test.ts checks a real one.
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { Services } from "../../src/ports/services.ts";
import { requestServices } from "../../src/services/request-services.ts";
import { failing } from "../fakes/services.ts";
import { refusalOf, testService, uuidPattern } from "./app.ts";

const secret = "the-secret-of-the-operator";
const version = "HeadlessChrome/128.0.6613.84";
const ok = { status: "ok" };
const deployed = { ...ok, version: expect.stringMatching(uuidPattern) as string };
const healthy = {
  ...{ worker: deployed, pool: deployed, browser: { ...ok, version } },
  ...{ database: ok, files: ok, privateFiles: ok, templates: ok, webhookQueue: ok },
};

/** Returns the service with a fake browser. `replaced` are bindings and variables that differ from the real ones. */
function serviceWith(replaced: Record<string, unknown> = {}, browser: () => Promise<string> = async () => version) {
  const bindings = { ...env, HEALTH_SECRET: secret, ...replaced };
  return testService(({ health }) => ({ health: { ...health, parts: { ...health.parts, browser } } }), bindings);
}

function deepCheck(service = serviceWith(), authorization = `Bearer ${secret}`): Promise<Response> {
  return service.fetch("https://colophon.test/healthz?deep=1", { headers: { Authorization: authorization } });
}

/** A binding that throws at every call. */
const fail = () => {
  throw new Error("binding down: secret-cause");
};
const broken = new Proxy({}, { get: () => fail });

it("GET /healthz?deep=1 gives 200 with the state of every part", async () => {
  const response = await deepCheck();

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ success: true, data: { status: "ok", parts: healthy } });
});

it.for([
  ["DB", "database"],
  ["FILES", "files"],
  ["PRIVATE_FILES", "privateFiles"],
  ["TEMPLATES", "templates"],
  ["WEBHOOKS", "webhookQueue"],
] as const)("GET /healthz?deep=1 gives 503 and names the part whose binding %s fails", async ([binding, part]) => {
  const response = await deepCheck(serviceWith({ [binding]: broken }));

  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    success: false,
    data: { status: "failed", parts: { ...healthy, [part]: { status: "failed" } } },
    error: { code: "UNHEALTHY", message: `These parts of the service are failing: ${part}.` },
  });
});

it("GET /healthz?deep=1 names all failed parts, and logs their causes without showing them", async () => {
  const service = serviceWith({ WEBHOOKS: broken }, failing("browser down: secret-cause"));

  const response = await deepCheck(service);

  const text = await response.text();
  const requestId = response.headers.get("X-Request-Id");
  expect(text).toContain("These parts of the service are failing: webhookQueue, browser.");
  expect(text).not.toMatch(/secret-cause|the-secret/);
  const failed = { event: "health.part_failed", requestId };
  expect(service.logged).toHaveLength(3);
  expect(service.logged).toEqual(
    expect.arrayContaining([
      { ...failed, part: "webhookQueue", cause: new Error("binding down: secret-cause") },
      { ...failed, part: "browser", cause: new Error("browser down: secret-cause") },
      expect.objectContaining({ event: "request.failed", code: "UNHEALTHY" }),
    ]),
  );
  expect(JSON.stringify(service.logged)).not.toContain(secret);
});

it.for(["Bearer wrong", "", `Basic ${secret}`, `Bearer ${secret}x`, `Bearer ${secret.slice(0, -1)}`])(
  "GET /healthz?deep=1 gives 401 with the wrong secret and checks no part (%j)",
  async (authorization) => {
    const browser = vi.fn(async () => version);

    const response = await deepCheck(serviceWith({}, browser), authorization);

    expect(browser).not.toHaveBeenCalled();
    expect(await refusalOf(response)).toMatchObject({ status: 401, code: "INVALID_HEALTH_SECRET" });
    expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
  },
);

it.for([`Bearer ${secret}`, ""])("GET /healthz?deep=1 gives the same 401 when no secret is set (%j)", async (sent) => {
  const wrong = await deepCheck(serviceWith(), "Bearer wrong");
  const off = await deepCheck(serviceWith({ HEALTH_SECRET: undefined }), sent);

  expect(await refusalOf(off)).toEqual(await refusalOf(wrong));
});

it("GET /healthz?deep=1 checks all parts at the same time", async () => {
  const started = Promise.withResolvers<string>();
  const parts = { database: async () => void (await started.promise) };
  const browser = async () => (started.resolve(version), version);
  const bindings = { ...env, HEALTH_SECRET: secret };
  const change = ({ health }: Services) => ({ health: { parts: { ...health.parts, ...parts, browser } } });

  expect((await deepCheck(testService(change, bindings))).status).toBe(200);
});

it("GET /healthz calls no binding, so that nobody can use it to put load on the database", async () => {
  const called: string[] = [];
  const watched = (name: string) =>
    new Proxy({}, { get: (_, method) => () => called.push(`${name}.${String(method)}`) });
  const buckets = ["DB", "FILES", "PRIVATE_FILES", "TEMPLATES", "WEBHOOKS"];
  const names = [...buckets, "BROWSER", "ACCOUNT_QUOTA", "BROWSER_POOL", "WEBHOOK_SENDER"];
  const service = serviceWith(Object.fromEntries(names.map((name) => [name, watched(name)])));

  const response = await service.fetch("https://colophon.test/healthz");

  expect(await response.json()).toMatchObject({ success: true, data: { status: "ok" } });
  expect(called).toEqual([]);
});

it.for(["deep=0", "deep", "deep=1&deep=1"])("the query of /healthz gives 400 for %j", async (query) => {
  const response = await serviceWith().fetch(`https://colophon.test/healthz?${query}`);

  const refusal = { status: 400, code: "VALIDATION_ERROR", details: [{ path: "deep" }] };
  expect(await refusalOf(response)).toMatchObject(refusal);
});

it.for(["", "?x=1"])("the query of /healthz without `deep` (%j) gives the shallow check", async (query) => {
  const response = await serviceWith({}, failing("no browser")).fetch(`https://colophon.test/healthz${query}`);

  expect(await response.json()).toMatchObject({ success: true, data: { status: "ok" } });
});

it.for(["short", "with a space in the middle", "ümlaut-ümlaut-ümlaut"])(
  "the HEALTH_SECRET %j is refused without being shown",
  (weak) => {
    const bindings = { ...env, HEALTH_SECRET: weak };

    expect(() => requestServices(bindings, () => {})).toThrow(/^the secret HEALTH_SECRET must have at least 16/);
    expect(() => requestServices(bindings, () => {})).not.toThrow(weak);
  },
);
