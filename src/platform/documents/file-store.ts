// Rendered files in R2. A file is written once under a fresh random key, never changed, and deleted with its document.
import { withDeadline } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import { contentTypeOf, type DocumentFormat } from "colophon-page/document-format";
import type { FileMetadata, StoredFile } from "colophon-render/file-metadata";
import { accessOf, isMergedFileKey } from "../../core/documents/document.ts";
import type { FileStore } from "../../ports/documents.ts";
import { storageCall } from "../storage.ts";
import type { FileBucket } from "./file-bucket.ts";

const putTimeoutMs = 10_000;

export function fileStore(bucket: FileBucket, callTimeoutMs: number): FileStore {
  return {
    async metadata(key) {
      const object = await storageCall("R2 head", callTimeoutMs, bucket.head(key));
      return object && storedFileOf(object);
    },
    async get(key, range) {
      const object = await storageCall("R2 get", callTimeoutMs, bucket.get(key, range ? { range } : {}));
      return object && { body: object.body };
    },
    async remove(key) {
      await storageCall("R2 delete", callTimeoutMs, bucket.delete(key));
    },
  };
}

/** The headers with which the bucket's own domain serves a file. The bucket of private files has no domain. */
export function httpMetadataOf(key: string, format: DocumentFormat): R2HTTPMetadata {
  const cacheControl = accessOf(key) === "private" ? "private, no-store" : "public, max-age=300";
  return { contentType: contentTypeOf(format), cacheControl };
}

/**
 * Stores a file. If a file with this key exists, that file stays, and its size and digest are returned. So a put can be
 * repeated if its response was lost, and so can a render whose browser crashed after the put.
 */
export async function putFileOnce(
  bucket: FileBucket,
  key: string,
  format: DocumentFormat,
  bytes: Uint8Array,
  metadata: FileMetadata,
): Promise<FileMetadata> {
  const put = bucket.put(key, bytes, {
    onlyIf: { etagDoesNotMatch: "*" },
    sha256: metadata.sha256,
    httpMetadata: httpMetadataOf(key, format),
    customMetadata: { sha256: metadata.sha256 },
  });
  if (await withDeadline("R2 put", putTimeoutMs, put)) return metadata;
  const object = await withDeadline("R2 head", putTimeoutMs, bucket.head(key));
  if (!object) throw new CodedError("file.put_refused", `R2 refused to put ${key} but has no file under that key`);
  return { ...metadata, ...storedFileOf(object) };
}

/** The digest of a merged file is unknown, because it is uploaded in parts. R2's identifier of the file is used instead. */
function storedFileOf({ key, size, customMetadata, etag }: R2Object): StoredFile {
  const sha256 = customMetadata?.["sha256"] ?? (isMergedFileKey(key) ? etag : undefined);
  if (!sha256) throw new CodedError("file.no_metadata", `the file ${key} has no metadata`);
  return { fileSize: size, sha256 };
}
