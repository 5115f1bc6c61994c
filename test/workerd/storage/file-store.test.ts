import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { requestServices } from "../../../src/services/request-services.ts";
import { storeText } from "../../fixtures/stored-files.ts";

const content = "0123456789";
const { files } = requestServices(env, () => {});

/** Stores a file as the renderer does, unless a file with this key exists. */
const put = (fileKey: string, text: string) => storeText(env.FILES, { fileKey, format: "pdf" }, text);

describe("the file store", () => {
  const newKey = () => `${crypto.randomUUID()}.pdf`;

  it("finds neither metadata nor content of a file that was never stored", async () => {
    expect(await files.metadata(newKey())).toBeNull();
    expect(await files.get(newKey())).toBeNull();
  });

  it("returns the size and the digest of a file", async () => {
    const key = newKey();

    const { sha256 } = await put(key, content);

    expect(await files.metadata(key)).toEqual({ fileSize: content.length, sha256 });
  });

  it.for([
    { range: undefined, length: 10 },
    { range: { offset: 0, length: 4 }, length: 4 },
    { range: { offset: 7, length: 3 }, length: 3 },
    { range: { offset: 7, length: 100 }, length: 3 },
  ])("reads $length bytes of a ten-byte file when the range is $range", async ({ range, length }) => {
    const key = newKey();
    await put(key, content);

    const file = await files.get(key, range);

    expect((await new Response(file?.body).arrayBuffer()).byteLength).toBe(length);
  });

  it("keeps the first of two files with the same key", async () => {
    const key = newKey();
    const first = await put(key, content);

    expect(await put(key, "another")).toEqual(first);

    expect(await files.metadata(key)).toEqual({ fileSize: first.fileSize, sha256: first.sha256 });
  });

  it("removes a file if it exists", async () => {
    const key = newKey();
    await put(key, content);

    await files.remove(key);
    await files.remove(key);

    expect(await files.metadata(key)).toBeNull();
    expect(await files.get(key)).toBeNull();
  });
});
