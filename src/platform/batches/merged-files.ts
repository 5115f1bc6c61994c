// Merged files in R2. The size of a merged file is unknown until it is complete, so it is uploaded in parts.
import { withDeadline } from "colophon-base/deadline";
import type { MergedFiles } from "../../ports/batches.ts";
import { httpMetadataOf, type FileBucket } from "../documents/file-store.ts";

const timeoutMs = 30_000;
/** All parts except the last must have the same size, of at least 5 MiB. */
const partBytes = 8 * 1024 * 1024;

export function mergedFiles(bucket: FileBucket): MergedFiles {
  return {
    async put(fileKey, chunks, owner) {
      const httpMetadata = httpMetadataOf(fileKey, "pdf");
      const upload = await inTime(bucket.createMultipartUpload(fileKey, { httpMetadata, customMetadata: owner }));
      try {
        const parts: R2UploadedPart[] = [];
        for await (const bytes of partsOf(chunks)) parts.push(await inTime(upload.uploadPart(parts.length + 1, bytes)));
        if (parts.length > 0) return (await inTime(upload.complete(parts))).size;
        await inTime(upload.abort());
        return 0;
      } catch (cause) {
        await inTime(upload.abort()).catch(() => {}); // If this fails, the platform removes the upload after a week.
        throw cause;
      }
    },
    exists: async (fileKey) => (await inTime(bucket.head(fileKey))) !== null,
    async remove(fileKeys) {
      if (fileKeys.length > 0) await inTime(bucket.delete(fileKeys));
    },
  };
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return withDeadline("R2 upload", timeoutMs, work);
}

/** Combines and splits the chunks into parts. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(partBytes);
  let length = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const taken = chunk.subarray(from, from + partBytes - length);
      part.set(taken, length);
      length += taken.length;
      from += taken.length;
      if (length < partBytes) continue;
      yield part;
      part = new Uint8Array(partBytes);
      length = 0;
    }
  }
  if (length > 0) yield part.subarray(0, length);
}
