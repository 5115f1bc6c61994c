import { expect, it } from "vitest";
import { formatScopes, parseScopes, scopes } from "../../../src/core/accounts/scopes.ts";

it("scopes are stored as a set: repeated scopes are stored once, and cannot make a set look complete", () => {
  const repeated = scopes.map(() => "keys" as const);
  const stored = [repeated, scopes.toReversed(), [...scopes, ...scopes]].map(formatScopes);

  expect(stored).toEqual(["keys", null, null]);
  expect(stored.map(parseScopes)).toEqual([["keys"], [...scopes], [...scopes]]);
});
