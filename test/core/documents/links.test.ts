import { expect, it } from "vitest";
import { openLink, sealLink, type LinkTarget } from "../../../src/core/documents/links.ts";

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
const keys = { current: keyOf(1), previous: null };
const target: LinkTarget = {
  accountId: "0b9cfd9e-3c0f-4f43-9f3b-5a54e0b2b8a1",
  id: "9c009b16-54fb-4998-b6b1-dcbe21f51998",
  mergedFile: null,
  epoch: 3,
  endsAt: Date.parse("2026-11-21T09:30:00.123Z"),
  disposition: "inline",
  filename: null,
};
const token = sealLink(keys, target);

it.each<Partial<LinkTarget>>([
  {},
  { mergedFile: 0 },
  { filename: "😀".repeat(200), disposition: "attachment" },
  { filename: '",0]\u0000', accountId: `${target.accountId}-test` },
])("a link with %j opens as it was sealed", (change) => {
  expect(openLink(keys, sealLink(keys, { ...target, ...change }))).toEqual({ ...target, ...change });
});

it("a token opens with the current and the previous key, and with no other", () => {
  const opened = [
    { current: keyOf(2), previous: keyOf(1) },
    { current: keyOf(2), previous: null },
    { current: keyOf(2), previous: keyOf(3) },
  ].map((each) => openLink(each, token));

  expect(opened).toEqual([target, null, null]);
});

it("no token opens after one of its bits was changed, or bytes were cut off or appended", () => {
  const bytes = Buffer.from(token, "base64url");
  const changed = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return copy;
  });
  const cut = Array.from({ length: bytes.length }, (_, length) => bytes.subarray(0, length));
  const tokens = [...changed, ...cut, Buffer.concat([bytes, Buffer.alloc(1)])].map((each) =>
    each.toString("base64url"),
  );

  expect(tokens.filter((each) => openLink(keys, each) !== null)).toEqual([]);
  expect(tokens.length).toBeGreaterThan(1_000);
});

it("only one spelling of a token opens", () => {
  const last = token.at(-1) ?? "";
  const sameBytes = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
    .filter((char) => char !== last)
    .map((char) => token.slice(0, -1) + char);
  const spellings = [
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    `${token}!`,
    Buffer.from(token, "base64url").toString("base64"),
  ];

  expect([...sameBytes, ...spellings, "", "A", "A".repeat(100_000)].filter((each) => openLink(keys, each))).toEqual([]);
});

it("equal links are equal, others share nothing, and no token contains or measures its parts", () => {
  const others = [
    { epoch: 4 },
    { endsAt: target.endsAt + 1 },
    { disposition: "attachment" as const },
    { mergedFile: 1 },
  ];
  const tokens = others.map((change) => sealLink(keys, { ...target, ...change }));
  const test = sealLink(keys, { ...target, accountId: `${target.accountId}-test`, filename: "June.pdf" });

  expect(sealLink(keys, { ...target })).toBe(token);
  for (const other of tokens) expect(other.slice(0, 8)).not.toBe(token.slice(0, 8));
  expect(new Set([token, test, ...tokens].map(({ length }) => length)).size).toBe(1);
  expect(Buffer.from(token, "base64url").toString("latin1")).not.toContain("9c009b16");
});
