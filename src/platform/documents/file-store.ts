// Rendered files in R2. A file is written once under a fresh random key, never changed, and deleted with its document. Its key says in which of
// two buckets it is: private files are in one that has no public domain.
import { withDeadline } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import { contentTypeOf, type DocumentFormat } from "colophon-page/document-format";
import type { FileMetadata, StoredFile } from "colophon-render/file-metadata";
import { accessOf, isMergedFileKey } from "../../core/documents/document.ts";
import type { FileStore } from "../../ports/documents.ts";
import { storageCall, type PutBucket } from "../storage.ts";

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

/** The methods of a bucket that files need, with the signatures that are used. */
export type FileBucket = PutBucket & {
  head(key: string): Promise<R2Object | null>;
  get(key: string, options?: { range?: R2Range }): Promise<R2ObjectBody | null>;
  createMultipartUpload(key: string, options: R2MultipartOptions): Promise<R2MultipartUpload>;
  delete(keys: string | string[]): Promise<void>;
  list(options: R2ListOptions): Promise<Pick<R2Objects, "objects" | "truncated">>;
};

/** Returns both buckets as one. */
export function fileBucket(publicFiles: R2Bucket, privateFiles: R2Bucket): FileBucket {
  const bucketOf = (key: string) => (accessOf(key) === "private" ? privateFiles : publicFiles);
  return {
    head: async (key) => bucketOf(key).head(key),
    get: async (key, options) => bucketOf(key).get(key, options),
    put: async (key, value, options) => bucketOf(key).put(key, value, options),
    createMultipartUpload: async (key, options) => bucketOf(key).createMultipartUpload(key, options),
    async delete(keys) {
      const byBucket = Map.groupBy([keys].flat(), bucketOf);
      await Promise.all([...byBucket].map(([bucket, some]) => bucket.delete(some)));
    },
    /** The files of both buckets in the order of their keys, up to a key to which both were listed. */
    async list(options) {
      const lists = await Promise.all([publicFiles.list(options), privateFiles.list(options)]);
      const ends = lists.flatMap(({ objects, truncated }) => (truncated ? [objects.at(-1)?.key ?? ""] : []));
      const [end] = ends.toSorted();
      const objects = lists.flatMap((listed) => listed.objects).filter(({ key }) => end === undefined || key <= end);
      return { objects: objects.toSorted((a, b) => (a.key < b.key ? -1 : 1)), truncated: end !== undefined };
    },
  };
}
