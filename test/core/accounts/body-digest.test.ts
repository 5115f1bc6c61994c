import { expect, it } from "vitest";
import { canonicalJson, hasBody, keyedDigests } from "../../../src/core/accounts/body-digest.ts";

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

/** Parses JSON, and returns the canonical JSON of its value. */
const canonical = (json: string) => canonicalJson(JSON.parse(json));

it.each([
  ["in the order of their keys", '{"b":1,"a":2}', '{"a":2,"b":1}'],
  ["in the order of nested keys", '{"x":[{"b":1,"a":{"d":1,"c":2}}]}', '{"x":[{"a":{"c":2,"d":1},"b":1}]}'],
  ["in white space", ' {\n\t"a" : [ 1 , 2 ] }\r\n', '{"a":[1,2]}'],
  ["in the notation of numbers", '{"a":1.0,"b":1e2,"c":0.50}', '{"a":1,"b":100,"c":0.5}'],
  ["in escapes", '{"\\u00fc":"\\u00e9\\/\\ud83d\\ude00"}', '{"ü":"é/😀"}'],
])("the canonical JSON is the same for inputs that differ only %s", (_what, one, other) => {
  expect(canonical(one)).toBe(canonical(other));
});

it.each([
  ["lists in different orders", "[1,2]", "[2,1]"],
  ["a number and the same number as a string", '{"a":1}', '{"a":"1"}'],
  ["null and an absent key", '{"a":null}', "{}"],
  ["an empty list and an empty object", '{"a":[]}', '{"a":{}}'],
  ["strings that differ in white space", '{"a":"x y"}', '{"a":"xy"}'],
  ["a composed and a decomposed letter", '{"a":"\\u00e9"}', '{"a":"e\\u0301"}'],
  ["differently nested lists", "[[1],2]", "[[1,2]]"],
  ["two keys and one key that contains JSON punctuation", '{"a\\":1,\\"b":2}', '{"a":1,"b":2}'],
])("the canonical JSON differs for %s", (_what, one, other) => {
  expect(canonical(one)).not.toBe(canonical(other));
});

it("the canonical JSON has the same value as its input", () => {
  const json = '{"__proto__":{"b":1},"z":[1,{"ü":null,"a":"\\"\\n"}],"a":{"10":true,"9":false},"":-1.5e-7}';

  const value: unknown = JSON.parse(canonical(json));

  expect(value).toEqual(JSON.parse(json));
});

it("the canonical JSON sorts numeric keys as text, although JavaScript orders them by number", () => {
  const text = canonical('{"9":1,"10":2,"b":3,"a":4}');

  expect(text).toBe('{"10":2,"9":1,"a":4,"b":3}');
});
