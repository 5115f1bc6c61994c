// Rendered files in R2. Written once under a fresh random key, never changed, deleted with their document.
import { contentTypeOf, type DocumentFormat } from "../../core/documents/document.ts";
import type { FileMetadata } from "../../core/documents/document.ts";
import type { FileStore } from "../../ports.ts";
import { withDeadline } from "../deadline.ts";

const putTimeoutMs = 10_000;
/** R2 keeps at most 2 KB of metadata; warnings are the only part without a bound. */
const maxWarningsChars = 1_000;

export function fileStore(bucket: R2Bucket, callTimeoutMs: number): FileStore {
  return {
    async metadata(key) {
      const object = await withDeadline("R2 head", callTimeoutMs, bucket.head(key));
      return object ? metadataOf(object) : null;
    },
    async get(key, range) {
      const object = await withDeadline("R2 get", callTimeoutMs, bucket.get(key, range ? { range } : {}));
      return object && { body: object.body };
    },
    async remove(key) {
      await withDeadline("R2 delete", callTimeoutMs, bucket.delete(key));
    },
  };
}

/**
 * Puts a file unless one of this key is there: then that one stays, and its metadata are returned. A retry of a put whose
 * answer was lost thus ends with one file and the truth about it.
 */
export async function putFileOnce(
  bucket: R2Bucket,
  key: string,
  format: DocumentFormat,
  bytes: Uint8Array,
  metadata: FileMetadata,
): Promise<FileMetadata> {
  const put = bucket.put(key, bytes, {
    onlyIf: { etagDoesNotMatch: "*" },
    sha256: metadata.sha256,
    httpMetadata: { contentType: contentTypeOf(format), cacheControl: "public, max-age=300" },
    customMetadata: {
      sha256: metadata.sha256,
      pageCount: String(metadata.pageCount),
      warnings: storableWarnings(metadata.warnings),
    },
  });
  if (await withDeadline("R2 put", putTimeoutMs, put)) return metadata;
  const object = await withDeadline("R2 head", putTimeoutMs, bucket.head(key));
  if (!object) throw new Error(`R2 refused to put ${key}, but has no such file`);
  return metadataOf(object);
}

function metadataOf(object: R2Object): FileMetadata {
  const { sha256, pageCount, warnings } = object.customMetadata ?? {};
  if (!sha256 || !pageCount) throw new Error(`the file ${object.key} lacks its metadata`);
  return {
    fileSize: object.size,
    sha256,
    pageCount: Number(pageCount),
    warnings: JSON.parse(decodeURIComponent(warnings ?? "[]")) as string[],
  };
}

/** Metadata travels in headers, so it is kept to ASCII; what does not fit is dropped whole. */
function storableWarnings(warnings: string[]): string {
  const kept: string[] = [];
  for (const warning of warnings) {
    const encoded = encodeURIComponent(JSON.stringify([...kept, warning]));
    if (encoded.length > maxWarningsChars) break;
    kept.push(warning);
  }
  return encodeURIComponent(JSON.stringify(kept));
}
