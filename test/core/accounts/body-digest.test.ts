import { expect, it } from "vitest";
import { hasBody, keyedDigests } from "../../../src/core/accounts/body-digest.ts";

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
const digestsWith = (current: number, previous: number | null = null, sha256 = "5a".repeat(32)) => ({
  key: "order-1",
  ...keyedDigests({ current: keyOf(current), previous: previous === null ? null : keyOf(previous) }, sha256),
});
const stored = digestsWith(1).bodyHash;

it("the digest of a body differs with each key, so nobody can compute it without the key", () => {
  expect(new Set([stored, digestsWith(2).bodyHash, "5a".repeat(32)]).size).toBe(3);
  expect(stored).toMatch(/^[0-9a-f]{64}$/);
});

it.each([
  ["the same key", digestsWith(1), true],
  ["the key as the previous one", digestsWith(2, 1), true],
  ["the key as the previous one, and a different body", digestsWith(2, 1, "5b".repeat(32)), false],
  ["other keys", digestsWith(3, 2), false],
])("a stored digest is compared with %s", (_, idempotency, isSame) => {
  expect(hasBody(idempotency, stored)).toBe(isSame);
});

it("a request without a stored digest is not recognised as a repeat", () => {
  expect(hasBody(digestsWith(1), null)).toBe(false);
});
