import { expect, it } from "vitest";
import {
  openEncryption,
  pdfEncryption,
  sealEncryption,
  withoutEncryption,
  type EncryptionRequest,
} from "../../../src/core/documents/encryption.ts";
import { secretCipher } from "../../../src/core/webhooks/secret-encryption.ts";

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
const cipherOf = (byte: number, purpose = "passwords", previous: number | null = null) =>
  secretCipher(() => ({ current: keyOf(byte), previous: previous === null ? null : keyOf(previous) }), purpose);
const encryption: EncryptionRequest = { userPassword: "s3cret-é", ownerPassword: "0wner", permissions: ["copy"] };

it("the default encryption permits everything, and encrypts the metadata", () => {
  const { permissions, ...rest } = pdfEncryption({ userPassword: "a" });

  expect(permissions).toHaveLength(7);
  expect(rest).toEqual({ userPassword: new Uint8Array([97]), ownerPassword: null, encryptMetadata: true });
});

it("a sealed encryption is opened for its document, also with its key as the previous one, and contains no password", async () => {
  const sealed = await sealEncryption(cipherOf(1), "d", encryption);

  expect(await openEncryption(cipherOf(1), "d", sealed)).toEqual(pdfEncryption(encryption));
  expect(await openEncryption(cipherOf(2, "passwords", 1), "d", sealed)).toEqual(pdfEncryption(encryption));
  const bytes = Buffer.from(JSON.parse(sealed).ciphertext, "base64");
  for (const password of ["s3cret", "0wner"]) expect([sealed, bytes.toString("latin1")].join()).not.toContain(password);
});

it.each([
  ["with a different key", cipherOf(2), "d"],
  ["for a different document", cipherOf(1), "e"],
  ["for a different purpose", cipherOf(1, "webhook secret"), "d"],
])("a sealed encryption cannot be opened %s", async (_, cipher, documentId) => {
  expect(await openEncryption(cipher, documentId, await sealEncryption(cipherOf(1), "d", encryption))).toBeNull();
});

const secret = '{"userPassword":"s3cret","permissions":["copy"],"encryptMetadata":false}';
const storedLine = (line: string) => new TextDecoder().decode(withoutEncryption(new TextEncoder().encode(line)));
const blank = `{${" ".repeat(secret.length - 2)}}`;

it.each([
  ["at the end", (value: string) => `{"data":{"a":1e20,"b":"é😀"},"encryption":${value}}\n`],
  ["at the start, after white space", (value: string) => `  { "encryption" :\t${value}, "data":{} }\r\n`],
  ["with an escaped key", (value: string) => `{"encr\\u0079ption":${value},"data":{}}`],
  [
    "beside strings that look like it",
    (value: string) => `{"customId":"encryption","filename":"\\"encryption\\":{","encryption":${value}}`,
  ],
  [
    "beside data with the same key",
    (value: string) => `{"data":{"encryption":{"userPassword":"d"},"x":[{"encryption":[1]}]},"encryption":${value}}`,
  ],
])("only the passwords of an item are removed from its line: %s", (_, line) => {
  expect(storedLine(line(secret))).toBe(line(blank));
});

it("passwords with quotes, brackets and characters of several bytes are removed, and the line keeps its length", () => {
  const line = `{"encryption":${JSON.stringify({ userPassword: '"}]\\,{:é😀\n', ownerPassword: "ü" })},"data":{"a":[[]]}}`;

  expect(storedLine(line)).toHaveLength(new TextEncoder().encode(line).length);
  expect(JSON.parse(storedLine(line))).toEqual({ encryption: {}, data: { a: [[]] } });
});

it("a line of 5 MB is searched in linear time", () => {
  const started = performance.now();
  for (const text of ["a", "\\n", '\\"', '",["'].map((part) => part.repeat(Math.floor(5_000_000 / part.length))))
    storedLine(`{"data":["${text}"],"encryption":${secret}}`);

  expect(performance.now() - started).toBeLessThan(5_000);
});
