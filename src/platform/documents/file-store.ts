// Rendered files in R2. A file is written once under a fresh random key, never changed, and deleted with its document.
import { contentTypeOf, type DocumentFormat, type FileMetadata } from "../../core/documents/document.ts";
import type { FileStore } from "../../ports/documents.ts";
import { withDeadline } from "../deadline.ts";

const putTimeoutMs = 10_000;
/** R2 stores at most 2 KB of metadata; warnings are the only part of unbounded length. */
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
 * Puts a file unless the key is taken: then the existing file stays, and its metadata is returned. A put that is repeated
 * because its response was lost therefore ends with one file and with the metadata of that file.
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
  if (!object) throw new Error(`R2 refused to put ${key} but has no file under that key`);
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

/**
 * Metadata travels in headers, so it is encoded as ASCII; the first warning that does not fit and all after it are dropped.
 */
function storableWarnings(warnings: string[]): string {
  const kept: string[] = [];
  for (const warning of warnings) {
    const encoded = encodeURIComponent(JSON.stringify([...kept, warning]));
    if (encoded.length > maxWarningsChars) break;
    kept.push(warning);
  }
  return encodeURIComponent(JSON.stringify(kept));
}
