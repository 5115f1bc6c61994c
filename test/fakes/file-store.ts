// A file store in memory. It keeps only the metadata of each file, and returns zeros as the content.
import type { FileStore } from "../../src/ports/documents.ts";
import type { FakeState } from "./state.ts";

export function fileStore({ files }: FakeState): FileStore {
  return {
    metadata: async (key) => {
      const file = files.get(key);
      return file ? { fileSize: file.fileSize, sha256: file.sha256 } : null;
    },
    get: async (key, range) => {
      const metadata = files.get(key);
      if (!metadata) return null;
      const { offset, length } = range ?? { offset: 0, length: metadata.fileSize };
      const bytes = new Uint8Array(Math.min(metadata.fileSize - offset, length));
      return { size: metadata.fileSize, httpEtag: `"${metadata.sha256}"`, body: new Blob([bytes]).stream() };
    },
    remove: async (key) => void files.delete(key),
  };
}
