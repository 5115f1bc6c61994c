import { describe, expect, it } from "vitest";
import {
  hasValidChecksum,
  importChecksumKey,
  newApiKey,
  parseApiKey,
  secretMatches,
  type ApiKeyParts,
} from "../../../src/core/accounts/api-key.ts";
import { sha256Hex } from "colophon-base/encoding";

const checksumSecret = "the secret of the checksums";

const partsOf = (key: string): ApiKeyParts => {
  const parsed = parseApiKey(key);
  if (!parsed) throw new Error(`not a key: ${key}`);
  return parsed;
};
const secretOf = (key: string) => partsOf(key).secret;

describe("newApiKey", () => {
  it("creates a key that can be parsed", async () => {
    const { id, key } = await newApiKey(checksumSecret);

    expect(parseApiKey(key)?.id).toBe(id);
  });

  it("returns the digest of the secret", async () => {
    const { key, secretHash } = await newApiKey(checksumSecret);

    expect(secretHash).toBe(await sha256Hex(secretOf(key)));
  });

  it("creates a different secret of 256 bits for every key", async () => {
    const secrets = await Promise.all(
      Array.from({ length: 50 }, async () => secretOf((await newApiKey(checksumSecret)).key)),
    );

    expect(new Set(secrets).size).toBe(50);
    expect(secrets.every((secret) => secret.length === 43)).toBe(true);
  });
});

describe("hasValidChecksum", () => {
  it("accepts a key that was made with the same secret", async () => {
    const { key } = await newApiKey(checksumSecret);

    expect(await hasValidChecksum(partsOf(key), await importChecksumKey(checksumSecret))).toBe(true);
  });

  it("refuses a key that was made with another secret", async () => {
    const { key } = await newApiKey("another secret");

    expect(await hasValidChecksum(partsOf(key), await importChecksumKey(checksumSecret))).toBe(false);
  });

  it.each<[string, Partial<ApiKeyParts>]>([
    ["id", { id: "0123456789abcdef" }],
    ["secret", { secret: "A".repeat(43) }],
    ["checksum", { checksum: "A".repeat(8) }],
  ])("refuses a key with another %s", async (_part, change) => {
    const parts = partsOf((await newApiKey(checksumSecret)).key);

    expect(await hasValidChecksum({ ...parts, ...change }, await importChecksumKey(checksumSecret))).toBe(false);
  });
});

describe("parseApiKey", () => {
  const id = "0123456789abcdef";
  const secret = "A".repeat(43);
  const checksum = "a-_B1234";

  it("splits the id, the secret and the checksum", () => {
    const parsed = parseApiKey(`colophon_${id}_${secret}_${checksum}`);

    expect(parsed).toEqual({ id, secret, checksum });
  });

  it("accepts a secret with underscores and dashes", () => {
    const odd = `_-${"_".repeat(41)}`;

    const parsed = parseApiKey(`colophon_${id}_${odd}_${checksum}`);

    expect(parsed?.secret).toBe(odd);
  });

  it.each([
    ["an empty string", ""],
    ["another prefix", `other_${id}_${secret}_${checksum}`],
    ["an id in upper case", `colophon_${id.toUpperCase()}_${secret}_${checksum}`],
    ["a short id", `colophon_${id.slice(1)}_${secret}_${checksum}`],
    ["a short secret", `colophon_${id}_${secret.slice(1)}_${checksum}`],
    ["a long secret", `colophon_${id}_${secret}A_${checksum}`],
    ["a missing checksum", `colophon_${id}_${secret}`],
    ["a short checksum", `colophon_${id}_${secret}_${checksum.slice(1)}`],
    ["a long checksum", `colophon_${id}_${secret}_${checksum}A`],
    ["a line break at the end", `colophon_${id}_${secret}_${checksum}\n`],
    ["a character outside ASCII", `colophon_${id}_${secret.slice(1)}é_${checksum}`],
  ])("refuses %s", (_what, key) => {
    const parsed = parseApiKey(key);

    expect(parsed).toBeNull();
  });
});

describe("secretMatches", () => {
  it("accepts the secret from which the digest was computed", async () => {
    const matches = await secretMatches("s3cret", await sha256Hex("s3cret"));

    expect(matches).toBe(true);
  });

  it.each(["s3creT", "", "s3cret "])("refuses the wrong secret %j", async (secret) => {
    const matches = await secretMatches(secret, await sha256Hex("s3cret"));

    expect(matches).toBe(false);
  });

  it.each([
    ["an empty digest", () => ""],
    ["a prefix of the digest", (hash: string) => hash.slice(0, 63)],
    ["the digest with an extra character", (hash: string) => `${hash}0`],
    [
      "a digest that differs in its last character",
      (hash: string) => hash.slice(0, 63) + (hash.endsWith("0") ? "1" : "0"),
    ],
  ])("refuses the secret when the stored digest is %s", async (_what, stored) => {
    const matches = await secretMatches("s3cret", stored(await sha256Hex("s3cret")));

    expect(matches).toBe(false);
  });
});
