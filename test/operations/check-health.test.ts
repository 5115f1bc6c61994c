import { describe, expect, it, vi } from "vitest";
import { checkParts, type PartName } from "../../src/operations/check-health.ts";
import { failing, fakeServices, type Overrides } from "../fakes/services.ts";

const secret = "the-secret-of-the-operator";
const authorization = `Bearer ${secret}`;
const ok = { status: "ok" };
const healthy = {
  worker: { status: "ok", version: "version-of-the-worker" },
  pool: { status: "ok", version: "version-of-the-pool" },
  database: ok,
  files: ok,
  templates: ok,
  webhookQueue: ok,
  browser: { status: "ok", version: "HeadlessChrome/128.0.6613.84" },
};

const attempt = (header: string | undefined) => ({ authorization: header, client: null });

function servicesWith(parts: NonNullable<Overrides["health"]>["parts"] = {}, healthSecret: string | null = secret) {
  return fakeServices({ health: { parts }, settings: { healthSecret } });
}

describe("the deep health check", () => {
  it("returns the state of every part with its version", async () => {
    expect(await checkParts(servicesWith(), attempt(authorization))).toEqual(healthy);
  });

  it.each(Object.keys(healthy) as PartName[])("reports and logs a failure of the %s only", async (part) => {
    const services = servicesWith({ [part]: failing("it is down") });

    const parts = await checkParts(services, attempt(authorization));

    expect(parts).toEqual({ ...healthy, [part]: { status: "failed" } });
    expect(services.state.log).toMatchObject([{ level: "error", event: "health.part_failed", part }]);
  });

  it("checks all parts at the same time", async () => {
    const started = Promise.withResolvers<void>();
    const browser = async () => (started.resolve(), "Chrome/1");

    const parts = await checkParts(servicesWith({ database: () => started.promise, browser }), attempt(authorization));

    expect(parts.database).toEqual(ok);
  });

  it.each([
    ["no header", undefined],
    ["another secret", `${authorization}x`],
    ["a part of the secret", authorization.slice(0, -1)],
    ["another scheme", `Basic ${secret}`],
    ["the secret without a scheme", secret],
  ])("is refused with %s, before any part is checked", async (_what, header) => {
    const database = vi.fn(async () => {});

    const checked = checkParts(servicesWith({ database }), attempt(header));

    await expect(checked).rejects.toMatchObject({ code: "INVALID_HEALTH_SECRET" });
    expect(database).not.toHaveBeenCalled();
  });

  it.each([undefined, authorization, "Bearer null"])(
    "is off when the operator has set no secret (%j)",
    async (header) => {
      const checked = checkParts(servicesWith({}, null), attempt(header));

      await expect(checked).rejects.toMatchObject({ code: "INVALID_HEALTH_SECRET" });
    },
  );
});
