import { describe, expect, it } from "vitest";
import { valueCopier, type CopyRules, type Sink } from "../../../src/core/pdf/syntax/copy-value.ts";

describe("copying the source of an object", () => {
  it("writes references with single spaces, however they were separated", () => {
    expect(copied("[1 0 R 2\n0\tR\r3  0 %4 0 R\nR]")).toBe("[1 0 R 2 0 R 3 0 R]");
  });

  it("keeps the space only between words", () => {
    expect(copied("<< /K [ 1 2 /A /B (c) 3 <dd> true null ] /P 7 0 R >>")).toBe(
      "<</K[1 2/A/B(c)3<dd>true null]/P 7 0 R>>",
    );
  });

  it("gives other numbers to references and nodes only", () => {
    const rules: CopyRules = {
      renumber: (number) => (number === 9 ? null : number + 100),
      renumberNode: (node) => node + 5,
    };

    expect(copied("<</ID (node00000012)/T (node00000012)/K [8 0 R 9 0 R 10]>>", rules)).toBe(
      "<</ID(node00000017)/T(node00000012)/K[108 0 R null 10]>>",
    );
  });
});

function copied(source: string, rules: CopyRules = {}): string {
  const sink: Sink = { bytes: new Uint8Array(0), at: 0 };
  const bytes = Buffer.from(source, "latin1");
  valueCopier(bytes, rules)(sink, 0, bytes.length);
  return Buffer.from(sink.bytes.subarray(0, sink.at)).toString("latin1");
}
