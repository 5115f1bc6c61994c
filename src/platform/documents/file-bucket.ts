// The bucket of rendered files as the service sees it. It is two buckets: private files are in one that has no public domain, and the key
// of a file says in which one it is.
import { accessOf } from "../../core/documents/document.ts";

/** The methods of a bucket that files need, with the signatures that are used. */
export type FileBucket = {
  head(key: string): Promise<R2Object | null>;
  get(key: string, options?: { range?: R2Range }): Promise<R2ObjectBody | null>;
  put(key: string, value: ReadableStream | Uint8Array, options: R2PutOptions): Promise<R2Object | null>;
  createMultipartUpload(key: string, options: R2MultipartOptions): Promise<R2MultipartUpload>;
  delete(keys: string | string[]): Promise<void>;
  list(options: R2ListOptions): Promise<Pick<R2Objects, "objects" | "truncated">>;
};

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
