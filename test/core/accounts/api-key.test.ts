import { expect, it } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import {
  hasValidChecksum,
  newApiKey,
  parseApiKey,
  secretMatches,
  type ApiKeyParts,
} from "../../../src/core/accounts/api-key.ts";

const checksumSecret = "the secret of the checksums";

const partsOf = (key: string): ApiKeyParts => {
  const parsed = parseApiKey(key);
  if (!parsed) throw new Error(`not a key: ${key}`);
  return parsed;
};

it("a new key can be parsed, and has a random secret of 256 bits and the secret's digest", async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => newApiKey(checksumSecret)));

  const secrets = made.map(({ key }) => partsOf(key).secret);
  expect(made.map(({ key }) => partsOf(key).id)).toEqual(made.map(({ id }) => id));
  expect(made.map(({ secretHash }) => secretHash)).toEqual(await Promise.all(secrets.map(sha256Hex)));
  expect(new Set(secrets).size).toBe(50);
  expect(secrets.every((secret) => secret.length === 43)).toBe(true);
});

it("hasValidChecksum accepts a key that was created with the same secret", async () => {
  const { key } = await newApiKey(checksumSecret);

  expect(hasValidChecksum(partsOf(key), checksumSecret)).toBe(true);
});

it("hasValidChecksum refuses a key that was created with a different secret", async () => {
  const { key } = await newApiKey("another secret");

  expect(hasValidChecksum(partsOf(key), checksumSecret)).toBe(false);
});

it.each<[string, Partial<ApiKeyParts>]>([
  ["id", { id: "0123456789abcdef" }],
  ["secret", { secret: "A".repeat(43) }],
  ["checksum", { checksum: "A".repeat(8) }],
])("hasValidChecksum refuses a key with a different %s", async (_part, change) => {
  const parts = partsOf((await newApiKey(checksumSecret)).key);

  expect(hasValidChecksum({ ...parts, ...change }, checksumSecret)).toBe(false);
});

const id = "0123456789abcdef";
const secret = "A".repeat(43);
const checksum = "a-_B1234";

it("parseApiKey splits the id, the secret and the checksum, which may contain underscores and dashes", () => {
  const odd = `_-${"_".repeat(41)}`;

  expect(parseApiKey(`colophon_${id}_${odd}_${checksum}`)).toEqual({ id, secret: odd, checksum });
});

it.each([
  ["another prefix", `other_${id}_${secret}_${checksum}`],
  ["an id in upper case", `colophon_${id.toUpperCase()}_${secret}_${checksum}`],
  ["a short id", `colophon_${id.slice(1)}_${secret}_${checksum}`],
  ["a long secret", `colophon_${id}_${secret}A_${checksum}`],
  ["a missing checksum", `colophon_${id}_${secret}`],
  ["a long checksum", `colophon_${id}_${secret}_${checksum}A`],
  ["a line break at the end", `colophon_${id}_${secret}_${checksum}\n`],
  ["a character outside ASCII", `colophon_${id}_${secret.slice(1)}é_${checksum}`],
])("parseApiKey refuses %s", (_what, key) => {
  const parsed = parseApiKey(key);

  expect(parsed).toBeNull();
});

it.each([
  ["the secret of the digest", "s3cret", (hash: string) => hash, true],
  ["another secret", "s3creT", (hash: string) => hash, false],
  ["no secret", "", (hash: string) => hash, false],
  ["the secret of an empty digest", "s3cret", () => "", false],
  ["the secret of a prefix of the digest", "s3cret", (hash: string) => hash.slice(0, 63), false],
  ["the secret of a longer digest", "s3cret", (hash: string) => `${hash}0`, false],
])("secretMatches accepts only the secret with the stored digest: %s", async (_what, secret, stored, matches) => {
  expect(await secretMatches(secret, stored(await sha256Hex("s3cret")))).toBe(matches);
});
