import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { scopes } from "../../../src/core/accounts/scopes.ts";
import { createAccount, createKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { audit } from "../../fixtures/audit.ts";
import { alteredKey, partsOf, unknownKey } from "../../fixtures/api-keys.ts";

const nowMs = Date.now();
const { keys } = requestServices(env, () => {});
const operator = operatorServices(env);

/** Creates a key for a new account on the Pro plan. */
async function newKey(): Promise<{ key: string; accountId: string }> {
  const { id: accountId } = await createAccount(operator, "Test", "pro");
  const key = await createKey(operator, accountId, { name: "test" });
  return { accountId, key: key?.key ?? "" };
}

const revoke = ({ id, accountId }: { id: string; accountId: string }) =>
  operator.accounts.revokeKey(accountId, id, audit(accountId));

describe("the key directory", () => {
  it("finds the account of a key, including the plan, and what the key may do", async () => {
    const { key, accountId } = await newKey();

    expect(await keys.findCaller(partsOf(key), nowMs)).toEqual({
      account: {
        id: accountId,
        name: "Test",
        plan: { name: "pro", monthlyRenders: 500, apiAccess: true, retentionDays: "keep" },
        retentionDays: "keep",
      },
      key: { id: partsOf(key).id, scopes: [...scopes], isTest: false, expiresAt: null },
    });
  });

  it("finds no account for a key that was never created", async () => {
    expect(await keys.findCaller(partsOf(await unknownKey()), nowMs)).toBeNull();
  });

  it("finds no account for a key with a wrong secret", async () => {
    const { key } = await newKey();

    const altered = await alteredKey(key, { secret: "A".repeat(43) });

    expect(await keys.findCaller(partsOf(altered), nowMs)).toBeNull();
  });

  it("finds no account for a key with a wrong checksum", async () => {
    const { key } = await newKey();

    expect(await keys.findCaller({ ...partsOf(key), checksum: "A".repeat(8) }, nowMs)).toBeNull();
  });

  it("says that a key is revoked to whoever has all of it", async () => {
    const { key, accountId } = await newKey();
    await revoke({ id: partsOf(key).id, accountId });
    const altered = await alteredKey(key, { secret: "A".repeat(43) });

    const found = await Promise.all([key, altered].map((text) => keys.findCaller(partsOf(text), nowMs)));
    expect(found).toEqual(["revoked", null]);
  });
});
