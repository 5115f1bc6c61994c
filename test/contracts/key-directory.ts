// Tests that apply to every KeyDirectory: the directory in D1 and the fake.
import { describe, expect, it } from "vitest";
import type { KeyDirectory } from "../../src/ports/accounts.ts";

export type KeyDirectoryUnderTest = {
  keys: KeyDirectory;
  /** Creates a key for a new account on the Pro plan. */
  newKey(): Promise<{ keyId: string; accountId: string }>;
  revoke(keyId: string): Promise<void>;
};

export function keyDirectoryContract(name: string, make: () => KeyDirectoryUnderTest): void {
  describe(`${name} as a KeyDirectory`, () => {
    it("finds a key's account with its plan, and the digest of the key's secret", async () => {
      const { keys, newKey } = make();
      const { keyId, accountId } = await newKey();

      expect(await keys.find(keyId)).toEqual({
        account: { id: accountId, name: "Test", plan: { name: "pro", monthlyRenders: 500, apiAccess: true } },
        secretHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      });
    });

    it("finds neither an unknown key nor a revoked key", async () => {
      const { keys, newKey, revoke } = make();
      const { keyId } = await newKey();
      await revoke(keyId);

      expect(await keys.find("unknown")).toBeNull();
      expect(await keys.find(keyId)).toBeNull();
    });
  });
}
