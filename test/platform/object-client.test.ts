import { expect, it } from "vitest";
import { ServiceError } from "../../src/core/errors.ts";
import { objectCall, type ObjectNamespace } from "../../src/platform/object-client.ts";

type TestObject = { work(): Promise<string> };

/** Returns a call of an object that fails with these errors, one after another, and then succeeds. */
function callOf(...errors: Error[]) {
  let calls = 0;
  const object: TestObject = {
    async work() {
      const error = errors[calls++];
      if (error) throw error;
      return "done";
    },
  };
  const namespace: ObjectNamespace<TestObject> = {
    idFromName: () => ({}) as DurableObjectId,
    get: () => object,
  };
  const call = objectCall("TestObject", namespace, { tryTimeoutMs: 5_000, homeOf: async () => null });
  return { call: () => call("account-1", (stub) => stub.work()), calls: () => calls };
}

/** An error with the properties that the platform adds to its own errors. */
const platformError = (message: string, properties: object) => Object.assign(new Error(message), properties);
const overloaded = platformError("Durable Object is overloaded. Too many requests queued.", { overloaded: true });
const full = platformError("database or disk is full: SQLITE_FULL", { durableObjectReset: true });
const reset = platformError("Durable Object reset because its code was updated.", { retryable: true });

it.each([reset, new Error("the object threw")])("a call of an object is repeated once after %s", async (error) => {
  const { call, calls } = callOf(error);

  expect(await call()).toBe("done");
  expect(calls()).toBe(2);
});

it("a call to an account's object rejects with the second error if both attempts fail", async () => {
  const { call } = callOf(reset, new Error("again"));

  await expect(call()).rejects.toThrow("again");
});

it.each([
  ["is overloaded", overloaded],
  ["has no room to store anything", full],
])("a call to an object is not repeated if it %s, and rejects with SERVICE_UNAVAILABLE", async (_what, failure) => {
  const { call, calls } = callOf(failure);

  const error = await call().catch((thrown: unknown) => thrown);

  expect(calls()).toBe(1);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", cause: failure });
  expect((error as ServiceError).retryAfterSeconds).toBeGreaterThanOrEqual(5);
});

it("a call to an account's object rejects with SERVICE_UNAVAILABLE if the object fails to start twice, as on a full disk", async () => {
  const broken = platformError("internal error; reference = p7gr4fgvfvmfkr40u8qagsjq", {});
  const { call, calls } = callOf(broken, broken);

  await expect(call()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(calls()).toBe(2);
});

it("a call to an account's object rejects with SERVICE_UNAVAILABLE if the object is overloaded at the second attempt", async () => {
  const { call, calls } = callOf(reset, overloaded);

  await expect(call()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(calls()).toBe(2);
});
