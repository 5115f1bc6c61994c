// Tests that apply to every KeyDirectory: the directory in D1 and the fake.
import { describe, expect, it } from "vitest";
import { scopes } from "../../src/core/accounts/scopes.ts";
import type { KeyDirectory } from "../../src/ports/accounts.ts";
import { alteredKey, partsOf, unknownKey } from "../fixtures/api-keys.ts";

export type KeyDirectoryUnderTest = {
  keys: KeyDirectory;
  /** Creates a key for a new account on the Pro plan; `key` is its text. */
  newKey(): Promise<{ key: string; accountId: string }>;
  revoke(key: { id: string; accountId: string }): Promise<void>;
};

const nowMs = Date.now();

export function keyDirectoryContract(name: string, make: () => KeyDirectoryUnderTest): void {
  describe(`${name} as a KeyDirectory`, () => {
    it("finds the account of a key, including the plan, and what the key may do", async () => {
      const { keys, newKey } = make();
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
      const { keys } = make();

      expect(await keys.findCaller(partsOf(await unknownKey()), nowMs)).toBeNull();
    });

    it("finds no account for a key with a wrong secret", async () => {
      const { keys, newKey } = make();
      const { key } = await newKey();

      const altered = await alteredKey(key, { secret: "A".repeat(43) });

      expect(await keys.findCaller(partsOf(altered), nowMs)).toBeNull();
    });

    it("finds no account for a key with a wrong checksum", async () => {
      const { keys, newKey } = make();
      const { key } = await newKey();

      expect(await keys.findCaller({ ...partsOf(key), checksum: "A".repeat(8) }, nowMs)).toBeNull();
    });

    it("says that a key is revoked to whoever has all of it", async () => {
      const { keys, newKey, revoke } = make();
      const { key, accountId } = await newKey();
      await revoke({ id: partsOf(key).id, accountId });
      const altered = await alteredKey(key, { secret: "A".repeat(43) });

      const found = await Promise.all([key, altered].map((text) => keys.findCaller(partsOf(text), nowMs)));
      expect(found).toEqual(["revoked", null]);
    });
  });
}
