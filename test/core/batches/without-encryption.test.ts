import { expect, it } from "vitest";
import { withoutEncryption } from "../../../src/core/batches/without-encryption.ts";

const secret = '{"userPassword":"s3cret","permissions":["copy"],"encryptMetadata":false}';
const stored = (line: string) => new TextDecoder().decode(withoutEncryption(new TextEncoder().encode(line)));
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
  expect(stored(line(secret))).toBe(line(blank));
});

it("passwords with quotes, brackets and characters of several bytes are removed, and the line keeps its length", () => {
  const line = `{"encryption":${JSON.stringify({ userPassword: '"}]\\,{:é😀\n', ownerPassword: "ü" })},"data":{"a":[[]]}}`;

  expect(stored(line)).toHaveLength(new TextEncoder().encode(line).length);
  expect(JSON.parse(stored(line))).toEqual({ encryption: {}, data: { a: [[]] } });
});

it("a line of 5 MB is searched in linear time", () => {
  const started = performance.now();
  for (const text of ["a", "\\n", '\\"', '",["'].map((part) => part.repeat(Math.floor(5_000_000 / part.length))))
    stored(`{"data":["${text}"],"encryption":${secret}}`);

  expect(performance.now() - started).toBeLessThan(5_000);
});
