import { describe, expect, it } from "vitest";
import { authenticate } from "../../../src/operations/accounts/authenticate.ts";
import { failing, fakeAccount, fakeServices } from "../../fakes/services.ts";
import { alteredKey, partsOf, unknownKey } from "../../fixtures/api-keys.ts";

const attempt = (authorization: string | undefined) => ({ authorization, client: null });
const invalid = { code: "INVALID_API_KEY" };

describe("authenticate", () => {
  it.each(["Bearer", "bearer", "BEARER  "])("finds the account of a key sent with the scheme `%s`", async (scheme) => {
    const services = fakeServices();
    const { account, key, keyId } = await fakeAccount(services);

    const caller = await authenticate(services, attempt(`${scheme} ${key}`));

    expect(caller).toMatchObject({ account, key: { id: keyId } });
  });

  it.each([
    ["a missing header", () => undefined],
    ["an empty header", () => ""],
    ["the key without a scheme", (key: string) => key],
    ["another scheme", (key: string) => `Basic ${key}`],
    ["a missing key", () => "Bearer "],
    ["two keys", (key: string) => `Bearer ${key} ${key}`],
    ["two credentials", (key: string) => `Bearer ${key}, Bearer ${key}`],
    ["the key in upper case", (key: string) => `Bearer ${key.toUpperCase()}`],
    ["a truncated key", (key: string) => `Bearer ${key.slice(0, -1)}`],
    ["another secret", (key: string) => `Bearer ${key.slice(0, -4)}${key.endsWith("AAAA") ? "BBBB" : "AAAA"}`],
    ["text before the scheme", (key: string) => `x Bearer ${key}`],
  ])("refuses %s", async (_what, header) => {
    const services = fakeServices();
    const { key } = await fakeAccount(services);

    const authenticated = authenticate(services, attempt(header(key)));

    await expect(authenticated).rejects.toMatchObject(invalid);
  });

  it("refuses a well-formed key that does not exist", async () => {
    const services = fakeServices();
    const key = await unknownKey();

    await expect(authenticate(services, attempt(`Bearer ${key}`))).rejects.toMatchObject(invalid);
  });

  it("refuses a key that combines one account's key id with another account's secret", async () => {
    const services = fakeServices();
    const [mine, theirs] = [await fakeAccount(services), await fakeAccount(services)];
    const mixed = await alteredKey(mine.key, { secret: partsOf(theirs.key).secret });

    await expect(authenticate(services, attempt(`Bearer ${mixed}`))).rejects.toMatchObject(invalid);
  });

  it("gives the same message whether the id or the secret is wrong", async () => {
    const services = fakeServices();
    const { key } = await fakeAccount(services);
    const unknown = await unknownKey();
    const mixed = await alteredKey(key, { secret: partsOf(unknown).secret });
    const messageOf = (value: string) =>
      authenticate(services, attempt(`Bearer ${value}`)).catch(({ message }: Error) => message);

    const messages = [await messageOf(unknown), await messageOf(mixed)];

    expect(messages[0]).toBe(messages[1]);
  });

  it("refuses an account whose plan has no API access", async () => {
    const services = fakeServices();
    const { key } = await fakeAccount(services, { apiAccess: false });

    await expect(authenticate(services, attempt(`Bearer ${key}`))).rejects.toMatchObject({
      code: "API_ACCESS_DENIED",
    });
  });

  it("does not reveal a plan without API access to a caller with a wrong secret", async () => {
    const services = fakeServices();
    const { key } = await fakeAccount(services, { apiAccess: false });
    const mixed = await alteredKey(key, { secret: partsOf(await unknownKey()).secret });

    await expect(authenticate(services, attempt(`Bearer ${mixed}`))).rejects.toMatchObject(invalid);
  });

  it("does not report an invalid key when the key directory is down", async () => {
    const services = fakeServices({ keys: { findCaller: failing("D1 is down") } });
    const { key } = await fakeAccount(services);

    await expect(authenticate(services, attempt(`Bearer ${key}`))).rejects.toThrow("D1 is down");
  });
});
