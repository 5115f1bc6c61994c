// Tests that apply to every FileStore: the store in R2 and the fake. Files are compared by length, because the fake does not
// keep their content.
import { describe, expect, it } from "vitest";
import type { FileMetadata } from "colophon-render/file-metadata";
import type { FileStore } from "../../src/ports/documents.ts";

export type FileStoreUnderTest = {
  files: FileStore;
  /** Stores a file as the renderer does, unless a file with this key exists. Returns the metadata of the stored file. */
  put(key: string, content: string): Promise<FileMetadata>;
};

const content = "0123456789";

export function fileStoreContract(name: string, make: () => FileStoreUnderTest): void {
  describe(`${name} as a FileStore`, () => {
    const newKey = () => `${crypto.randomUUID()}.pdf`;

    it("finds neither metadata nor content of a file that was never stored", async () => {
      const { files } = make();

      expect(await files.metadata(newKey())).toBeNull();
      expect(await files.get(newKey())).toBeNull();
    });

    it("returns the size and the digest of a file", async () => {
      const { files, put } = make();
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
      const { files, put } = make();
      const key = newKey();
      await put(key, content);

      const file = await files.get(key, range);

      expect((await new Response(file?.body).arrayBuffer()).byteLength).toBe(length);
    });

    it("keeps the first of two files with the same key", async () => {
      const { files, put } = make();
      const key = newKey();
      const first = await put(key, content);

      expect(await put(key, "another")).toEqual(first);

      expect(await files.metadata(key)).toEqual({ fileSize: first.fileSize, sha256: first.sha256 });
    });

    it("removes a file if it exists", async () => {
      const { files, put } = make();
      const key = newKey();
      await put(key, content);

      await files.remove(key);
      await files.remove(key);

      expect(await files.metadata(key)).toBeNull();
      expect(await files.get(key)).toBeNull();
    });
  });
}
