import { brotliCompressSync, deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { gif, manifest, templateFiles } from "colophon-test-kit/template-files";
import { forbidsEmbedding } from "../../../src/folder/assets/font-embedding.ts";
import { validateTemplate } from "../../../src/folder/validate-template.ts";

const bytes = (value: number, length: number) => Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");
const head = Buffer.alloc(54, 1);

function os2With(fsType: number): Buffer {
  const table = Buffer.alloc(96);
  table.writeUInt16BE(fsType, 8);
  return table;
}

function trueType(fsType: number): Buffer {
  const entry = (tag: string, at: number, length: number) =>
    Buffer.concat([Buffer.from(tag), bytes(0, 4), bytes(at, 4), bytes(length, 4)]);
  const start = [bytes(0x10000, 4), bytes(2, 2), bytes(0, 6), entry("GPOS", 44, 54), entry("OS/2", 98, 96)];
  return Buffer.concat([...start, head, os2With(fsType)]);
}

function woff(fsType: number, isPacked: boolean): Buffer {
  const table = isPacked ? deflateSync(os2With(fsType)) : os2With(fsType);
  const entry = [Buffer.from("OS/2"), bytes(64, 4), bytes(table.length, 4), bytes(96, 4), bytes(0, 4)];
  const start = [Buffer.from("wOFF"), bytes(0x10000, 4), bytes(64 + table.length, 4), bytes(1, 2), bytes(0, 2)];
  return Buffer.concat([...start, bytes(196, 4), Buffer.alloc(24), ...entry, table]);
}

/** The tables before `OS/2` are a named one, one of a known number, and transformed glyphs, which have two lengths. */
function woff2(fsType: number): Buffer {
  const stream = brotliCompressSync(Buffer.concat([head, head, Buffer.alloc(300), os2With(fsType)]));
  const directory = [63, ...Buffer.from("ABCD"), 54, 1, 54, 10, 0x87, 0x68, 0x82, 0x2c, 6, 96];
  const start = Buffer.alloc(48);
  start.write("wOF2");
  start.writeUInt32BE(48 + directory.length + stream.length, 8);
  start.writeUInt16BE(4, 12);
  start.writeUInt32BE(stream.length, 20);
  return Buffer.concat([start, Buffer.from(directory), stream]);
}

const formats: [string, (fsType: number) => Buffer][] = [
  ["TrueType", trueType],
  ["WOFF", (fsType) => woff(fsType, true)],
  ["uncompressed WOFF", (fsType) => woff(fsType, false)],
  ["WOFF2", woff2],
];

it.each(formats)(
  "a %s font forbids embedding if only its restriction is set, or if only bitmaps may be embedded",
  (_format, font) => {
    const fsTypes = [0, 2, 4, 6, 8, 0x102, 0x100, 0x200];

    expect(fsTypes.filter((fsType) => forbidsEmbedding(font(fsType)))).toEqual([2, 0x102, 0x200]);
  },
);

it("a damaged font is not reported as one that forbids embedding", () => {
  for (const [, font] of formats) {
    const whole = font(2);
    for (let length = 0; length < whole.length - 96; length += 7)
      expect(() => forbidsEmbedding(whole.subarray(0, length))).not.toThrow();
  }
});

it("a WOFF2 font that unpacks to very much is given up", () => {
  const bomb = woff2(2);
  const stream = brotliCompressSync(Buffer.alloc(30_000_000));
  bomb.writeUInt32BE(stream.length, 20);

  expect(forbidsEmbedding(Buffer.concat([bomb.subarray(0, 63), stream]))).toBe(false);
});

it("a template with a font that forbids embedding is valid, with a warning about the file", () => {
  const texts = { "template.json": manifest({ fields: [] }), "sample.json": "{}", "pages/1.liquid": "<p>x</p>" };
  const files = templateFiles({
    ...texts,
    "assets/a.gif": gif,
    "assets/a.ttf": trueType(2),
    "assets/b.ttf": trueType(8),
  });

  expect(validateTemplate({ files, problems: [] })).toMatchObject({
    status: "valid",
    warnings: [{ file: "assets/a.ttf", line: 1, message: expect.stringMatching(/forbids embedding/) }],
  });
});
