import { describe, expect, it } from "vitest";
import { newApiKey, parseApiKey, secretMatches } from "../../../src/core/accounts/api-key.ts";
import { sha256Hex } from "../../../src/core/encoding.ts";

const secretOf = (key: string) => {
  const parsed = parseApiKey(key);
  if (!parsed) throw new Error(`not a key: ${key}`);
  return parsed.secret;
};

describe("newApiKey", () => {
  it("creates a key that can be parsed", async () => {
    const { id, key } = await newApiKey();

    expect(parseApiKey(key)?.id).toBe(id);
  });

  it("returns the digest of the secret", async () => {
    const { key, secretHash } = await newApiKey();

    expect(secretHash).toBe(await sha256Hex(secretOf(key)));
  });

  it("creates a different secret of 256 bits for every key", async () => {
    const secrets = await Promise.all(Array.from({ length: 50 }, async () => secretOf((await newApiKey()).key)));

    expect(new Set(secrets).size).toBe(50);
    expect(secrets.every((secret) => secret.length === 43)).toBe(true);
  });
});

describe("parseApiKey", () => {
  const id = "0123456789abcdef";
  const secret = "A".repeat(43);

  it("splits the id from the secret", () => {
    const parsed = parseApiKey(`colophon_${id}_${secret}`);

    expect(parsed).toEqual({ id, secret });
  });

  it("accepts a secret with underscores and dashes", () => {
    const odd = `_-${"_".repeat(41)}`;

    const parsed = parseApiKey(`colophon_${id}_${odd}`);

    expect(parsed?.secret).toBe(odd);
  });

  it.each([
    ["an empty string", ""],
    ["another prefix", `other_${id}_${secret}`],
    ["an id in upper case", `colophon_${id.toUpperCase()}_${secret}`],
    ["a short id", `colophon_${id.slice(1)}_${secret}`],
    ["a short secret", `colophon_${id}_${secret.slice(1)}`],
    ["a long secret", `colophon_${id}_${secret}A`],
    ["a line break at the end", `colophon_${id}_${secret}\n`],
    ["a character outside ASCII", `colophon_${id}_${secret.slice(1)}é`],
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
